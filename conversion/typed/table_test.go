package typed

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// backupTable says what the code of the fixture does.
const backupTable = `
metadata: {name: backups.example.com}
spec:
  hub: v2
  versions:
  - name: v1
    rows:
    - {spoke: .spec.target, hub: {host: .spec.host, port: .spec.port}, template: "{host}:{port}"}
    - {spoke: .spec.keep, hub: .spec.retention.count}
    - {spoke: .spec.paused, hub: .spec.state, boolean: {true: Paused, false: ""}}
  - name: v1alpha1
    rows:
    - {spoke: .spec.target, hub: .spec.host}
`

// TestFromCodeToATable and back: what one has kept, the other gives back.
func TestFromCodeToATable(t *testing.T) {
	code, table := newConverter(t), new(v1alpha1.Crosswalk)
	if err := yaml.UnmarshalStrict([]byte(backupTable), table); err != nil {
		t.Fatal(err)
	}
	rows, err := conversion.Compile(backupCRD(t), table)
	if err != nil {
		t.Fatal(err)
	}
	type converter interface {
		Convert(dst, object []byte, to string) ([]byte, error)
	}
	const (
		v1 = `"metadata":{"name":"a"},"spec":{"hooks":["x"],"keep":1,"target":"h:1","volumes":[{"name":"data","secret":"s"},{"name":"logs","secret":"t"}]},"status":{"message":"m","runs":1}}`
		v2 = `"metadata":{"name":"a"},"spec":{"host":"h","labels":{"a":"b"},"port":1,"retention":{"count":1,"days":2},"volumes":[{"name":"data","path":"/"}]},"status":{"runs":1}}`
	)
	for _, test := range []struct{ from, to, rest string }{{"v1", "v2", v1}, {"v2", "v1", v2}} {
		object := `{"apiVersion":"example.com/` + test.from + `","kind":"Backup",` + test.rest
		for name, way := range map[string][2]converter{"code, then a table": {code, rows}, "a table, then code": {rows, code}} {
			there, err := way[0].Convert(nil, []byte(object), test.to)
			if err != nil {
				t.Fatal(err)
			}
			// Somebody writes it meanwhile.
			edited := strings.Replace(string(there), `"name":"a"`, `"labels":{"new":"x"},"name":"a"`, 1)
			back, err := way[1].Convert(nil, []byte(edited), test.from)
			if err != nil {
				t.Fatal(err)
			}
			got := string(appendJSON(nil, decode(back)))
			if want := strings.Replace(object, `"name":"a"`, `"labels":{"new":"x"},"name":"a"`, 1); got != want {
				t.Errorf("%s, %s: got\n%s\nwant\n%s\nover %s", name, test.from, got, want, there)
			}
		}
	}
}
