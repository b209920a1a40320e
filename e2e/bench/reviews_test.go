package bench

import (
	"fmt"
	"strings"
)

const convertPath = "/convert"

// crontab is a stored v1beta1 object of about size bytes: what the API server
// keeps of every object, and a spec that makes up the rest.
func crontab(size, index int) string {
	return object(size, index, "v1beta1", `"hostPort":"localhost:1234"`)
}

// crontabV1 is an object of v1.
func crontabV1(size int, host string) string {
	return object(size, 0, "v1", `"host":"`+host+`","port":"1234"`)
}

func object(size, index int, version, address string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"apiVersion":"bench.crosswalk.dev/%s","kind":"CronTab","metadata":{`+
		`"annotations":{"example.com/owner":"reports"},"creationTimestamp":"2026-01-01T00:00:00Z","generation":3,"labels":{"app":"backup","team":"storage"},`+
		`"managedFields":[{"apiVersion":"bench.crosswalk.dev/v1beta1","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:app":{},"f:team":{}}},`+
		`"f:spec":{".":{},"f:cronSpec":{},"f:env":{},"f:hostPort":{},"f:image":{},"f:replicas":{}}},"manager":"kubectl-client-side-apply","operation":"Update","time":"2026-01-01T00:00:00Z"}],`+
		`"name":"crontab-%d","namespace":"default","resourceVersion":"%d","uid":"6f4e1d2c-0b7a-4c57-9d3e-%012d"},`+
		`"spec":{"cronSpec":"* * * * */5","env":[`, version, index, 100000+index, index)
	tail := `],` + address + `,"image":"example.com/backup:1.4","replicas":3},"status":{"labelSelector":"app=backup","replicas":3}}`
	for i := 0; b.Len()+len(tail) < size || i == 0; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"name":"VARIABLE_%d","value":"the value of variable %d"}`, i, i)
	}
	b.WriteString(tail)
	return b.String()
}

// review asks for count objects in v1, as the API server writes it.
func review(size, count int) []byte {
	objects := make([]string, count)
	for i := range objects {
		objects[i] = crontab(size, i)
	}
	return []byte(`{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"705ab4f5-6393-11e8-b7cc-42010a800002",` +
		`"desiredAPIVersion":"bench.crosswalk.dev/v1","objects":[` + strings.Join(objects, ",") + `]}}` + "\n")
}
