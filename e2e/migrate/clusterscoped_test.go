package migrate

import (
	"fmt"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

const plain = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: plains.migrate.example.com}
spec:
  group: migrate.example.com
  scope: Cluster
  names: {kind: Plain, plural: plains, singular: plain, shortNames: [pl]}
  versions:
  - name: v1beta1
    served: true
    storage: %t
    schema: &schema
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer}, colour: {type: string}}}
  - name: v1
    served: true
    storage: %t
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer}, colour: {type: string, default: green}}}
`

// testClusterScoped migrates a CRD that Crosswalk has nothing to do with, whose
// new version has a default: writing it is no change of spec.
func testClusterScoped(t *testing.T, w *world) {
	w.crd = "plains.migrate.example.com"
	w.apply(t, fmt.Sprintf(plain, true, false))
	w.kubectl(t, "wait", "--for=condition=Established", "--timeout=30s", "crd/"+w.crd)
	api := w.beta.API
	get := func(name string) exact.Value {
		t.Helper()
		data, err := api.Get(t.Context(), "/apis/migrate.example.com/v1/plains/"+name)
		if err != nil {
			t.Fatal(err)
		}
		return must(t, data)
	}
	names := []string{"a", "a-b", "a.b", "b"}
	for _, name := range names {
		object := fmt.Sprintf(`{"apiVersion":"migrate.example.com/v1beta1","kind":"Plain","metadata":{"name":%q},"spec":{"size":3}}`, name)
		if _, err := api.Do(t.Context(), "POST", "/apis/migrate.example.com/v1beta1/plains", harness.JSONType, []byte(object)); err != nil {
			t.Fatal(err)
		}
	}
	w.apply(t, fmt.Sprintf(plain, false, true))
	before := map[string]exact.Value{}
	for _, name := range names {
		before[name] = get(name)
	}
	w.migrate(t, "pl", "--page-size", "2", "--quiet").want(t, ended{out: `plains.migrate.example.com: 4 objects are stored in v1: 4 rewritten, 0 already stored in it; 0 deleted meanwhile, 0 failed
plains.migrate.example.com: status.storedVersions is trimmed from v1beta1, v1 to v1
`})
	w.wantStoredVersions(t, `["v1"]`)
	for _, name := range names {
		for _, field := range []string{"generation", "managedFields", "uid"} {
			was, _ := exact.At(before[name], "metadata", field)
			is, ok := exact.At(get(name), "metadata", field)
			if diff := exact.Diff(is, was); diff != "" || !ok {
				t.Errorf("%s: %s: %s", name, field, diff)
			}
		}
		value, err := w.scene.ControlPlane.EtcdValue(t.Context(), "/registry/migrate.example.com/plains/"+name)
		if err != nil {
			t.Fatal(err)
		}
		if version, _ := exact.At(must(t, value), "apiVersion"); version != "migrate.example.com/v1" {
			t.Errorf("%s is stored in %s", name, version)
		}
	}
}
