package migrate

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// frail is a CRD whose v1 has a default that v1beta1 lacks.
const frail = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: frails.frail.example.com}
spec:
  group: frail.example.com
  scope: Cluster
  names: {kind: Frail, plural: frails}
  conversion: %s
  versions:
  - name: v1beta1
    served: true
    storage: %t
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}, colour: {type: string}}}}}}
  - name: v1
    served: true
    storage: %t
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}, colour: {type: string, default: green}}}}}}
`

// testWrites holds what docs/migrate.md says of writes that change nothing: why a
// rewrite is a server-side apply to /status.
func testWrites(t *testing.T, w *world) {
	const nobody = `{strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://127.0.0.1:1/"}}}`
	frails := harness.Resource{API: w.beta.API, Group: "frail.example.com", Plural: "frails"}
	path := func(version, name string) string { return "/apis/frail.example.com/" + version + "/frails" + name }
	do := func(method, path, kind, body string) ([]byte, error) {
		return frails.API.Do(t.Context(), method, path, kind, []byte(body))
	}
	metadata := func(name, field string) exact.Value {
		t.Helper()
		data, err := frails.API.Get(t.Context(), path("v1", "/"+name))
		if err != nil {
			t.Fatal(err)
		}
		value, _ := exact.At(must(t, data), "metadata", field)
		return value
	}
	w.apply(t, fmt.Sprintf(frail, "{strategy: None}", true, false))
	w.kubectl(t, "wait", "--for=condition=Established", "--timeout=30s", "crd/frails.frail.example.com")
	minor := stage.Minor(t)
	writes := []struct {
		name, subresource, kind string
		// What docs/migrate.md says: whether generation counts up, whether an entry is made
		// where there are no managedFields, and what happens while conversion fails.
		counts, first, refused, removes bool
	}{
		{"apply-status", "/status", harness.ApplyPatchType, false, minor < 36, true, false},
		{"apply", "", harness.ApplyPatchType, false, true, true, false},
		{"patch", "", harness.MergePatchType, true, false, false, minor < 37},
	}
	for _, write := range writes {
		for _, when := range []string{"", "-failing", "-empty"} {
			object := fmt.Sprintf(`{"apiVersion":"frail.example.com/v1beta1","kind":"Frail","metadata":{"name":%q,"annotations":{"example.com/owner":"reports"}},"spec":{"size":3}}`, write.name+when)
			if _, err := do(http.MethodPost, path("v1beta1", ""), harness.JSONType, object); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := do(http.MethodPatch, path("v1beta1", "/"+write.name+"-empty"), harness.MergePatchType, `{"metadata":{"managedFields":[{}]}}`); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, subresource, kind string) error {
		body := "{}"
		if kind == harness.ApplyPatchType {
			body = fmt.Sprintf(`{"apiVersion":"frail.example.com/v1","kind":"Frail","metadata":{"name":%q,"uid":%q,"resourceVersion":%q}}`,
				name, metadata(name, "uid"), metadata(name, "resourceVersion"))
		}
		_, err := do(http.MethodPatch, path("v1", "/"+name+subresource+"?fieldManager=nobody"), kind, body)
		return err
	}
	w.apply(t, fmt.Sprintf(frail, "{strategy: None}", false, true))
	eventually(t, 30*time.Second, func(ctx context.Context) error {
		value, err := w.scene.ControlPlane.EtcdValue(ctx, "/registry/frail.example.com/frails/patch-failing")
		if err == nil && !strings.Contains(string(value), "frail.example.com/v1\"") {
			_, err = do(http.MethodPatch, path("v1", "/patch-failing"), harness.MergePatchType, `{"metadata":{"labels":{"try":"`+time.Now().Format("150405.000")+`"}}}`)
			if err == nil {
				err = fmt.Errorf("stored as %s", value)
			}
		}
		return err
	})
	for _, test := range writes {
		generation, fields := metadata(test.name, "generation"), metadata(test.name, "managedFields")
		if err := write(test.name, test.subresource, test.kind); err != nil {
			t.Fatal(err)
		}
		if same := exact.Diff(metadata(test.name, "generation"), generation) == ""; same == test.counts {
			t.Errorf("%s: generation was %v, is %v", test.name, generation, metadata(test.name, "generation"))
		}
		if same := exact.Diff(metadata(test.name, "managedFields"), fields) == ""; same == test.counts {
			t.Errorf("%s: managedFields were %v, are %v", test.name, fields, metadata(test.name, "managedFields"))
		}
		empty := test.name + "-empty"
		if fields := metadata(empty, "managedFields"); fields != nil {
			t.Fatalf("%s has managedFields: %v", empty, fields)
		}
		if err := write(empty, test.subresource, test.kind); err != nil {
			t.Fatal(err)
		}
		if fields := metadata(empty, "managedFields"); (fields != nil) != test.first {
			t.Errorf("%s: managedFields were none, are %v", empty, fields)
		}
		// It is stored in v1 for what follows, whatever wrote it.
		if _, err := do(http.MethodPatch, path("v1", "/"+test.name+"-failing"), harness.MergePatchType, `{"metadata":{"labels":{"stored":"v1"}}}`); err != nil {
			t.Fatal(err)
		}
	}

	w.apply(t, fmt.Sprintf(frail, nobody, false, true))
	// While it cannot be listed the API server tries again and again.
	defer w.apply(t, fmt.Sprintf(frail, "{strategy: None}", false, true))
	eventually(t, 30*time.Second, func(ctx context.Context) error {
		if _, err := frails.API.Get(ctx, path("v1beta1", "/patch-failing")); err == nil {
			return fmt.Errorf("v1 is converted still")
		}
		return nil
	})
	for _, test := range writes {
		name := test.name + "-failing"
		err := write(name, test.subresource, test.kind)
		if removed := metadata(name, "managedFields") == nil; removed != test.removes || (err != nil) != test.refused {
			t.Errorf("%s while conversion fails: error %v, managedFields removed: %t", test.name, err, removed)
		}
	}
}
