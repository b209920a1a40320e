package admit

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crosswalk-dev/crosswalk/internal/config"
)

// stones is a kind with two versions and a table: v1beta1 has size for v1's weight,
// and what each has alone. v1 has a default, a rule and a status.
const stones = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: stones.quarry.dev}
spec:
  group: quarry.dev
  scope: Namespaced
  names: {kind: Stone, plural: stones}
  versions:
  - name: v1beta1
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer}, colour: {type: string}, place: {type: string}}}
          status: {type: object, properties: {phase: {type: string}}}
    subresources: {status: {}}
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              weight: {type: integer, maximum: 100}
              colour: {type: string, default: grey}
              host: {type: string}
              port: {type: string}
              shape: {type: string}
            x-kubernetes-validations: [{rule: "self.colour != 'pink'", message: no stone is pink}]
          status: {type: object, properties: {phase: {type: string}}}
    subresources: {status: {}}
  - name: v0
    served: false
    storage: false
    schema: {openAPIV3Schema: {type: object}}
---
apiVersion: crosswalk.dev/v1alpha1
kind: Crosswalk
metadata: {name: stones.quarry.dev}
spec:
  hub: v1
  versions:
  - name: v1beta1
    rows:
    - {spoke: .spec.size, hub: .spec.weight}
    - {spoke: .spec.place, hub: {host: .spec.host, port: .spec.port}, template: "{host}:{port}"}
  - {name: v0}
`

// pebbles are a kind of two versions without a table, in no namespace.
const pebbles = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: pebbles.quarry.dev}
spec:
  group: quarry.dev
  scope: Cluster
  names: {kind: Pebble, plural: pebbles}
  versions:
  - {name: v1, served: true, storage: true, schema: &any {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
  - {name: v2, served: true, storage: false, schema: *any}
`

// load makes a judge of documents.
func load(t testing.TB, documents ...string) *Judge {
	t.Helper()
	folder := t.TempDir()
	for i, text := range documents {
		if err := os.WriteFile(filepath.Join(folder, string(rune('a'+i))+".yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	loaded, err := config.Load([]string{folder})
	if err != nil {
		t.Fatal(err)
	}
	judge, err := New(loaded)
	if err != nil {
		t.Fatal(err)
	}
	return judge
}

// rule is a ValidationPolicy for the stones of certain versions with one rule.
func rule(name, more, expression string) string {
	return `
apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: ` + name + `}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [quarry.dev], apiVersions: [v1], operations: ['*'], resources: [stones, stones/status, pebbles]}]}
  ` + more + `
  validations: [{expression: "` + expression + `", fieldPath: .spec, message: "not ` + name + `"}]
`
}

// objects reads the objects of documents.
func objects(t *testing.T, text string) []*unstructured.Unstructured {
	t.Helper()
	found, errs := ReadObjects("objects.yaml", []byte(text))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	var all []*unstructured.Unstructured
	for _, o := range found {
		one, err := o.Parse()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

// object reads one object, nothing of nothing.
func object(t *testing.T, text string) []byte {
	t.Helper()
	if text == "" {
		return nil
	}
	found, errs := ReadObjects("object.yaml", []byte(text))
	if len(errs) > 0 || len(found) != 1 {
		t.Fatalf("%d objects, %v", len(found), errs)
	}
	return found[0].JSON
}

// v1 and beta are stones.
func v1(rest string) string {
	return "apiVersion: quarry.dev/v1\nkind: Stone\nmetadata: {name: a}\n" + rest
}

func beta(rest string) string {
	return "apiVersion: quarry.dev/v1beta1\nkind: Stone\nmetadata: {name: a}\n" + rest
}
