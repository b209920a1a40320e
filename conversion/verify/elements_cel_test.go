package verify

import (
	"os"
	"path/filepath"
	"testing"
)

// Whole elements that expressions tie, of several types on one side, and such that lead
// nowhere on the way back, at once or one step later.
const elementsCRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: things, kind: Thing}
  versions:
  - name: v1beta1
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {headers: {type: object, additionalProperties: {x-kubernetes-preserve-unknown-fields: true}}, labels: {type: array, items: {x-kubernetes-preserve-unknown-fields: true}}, texts: {type: array, items: {type: string}}, plain: {type: object, additionalProperties: {x-kubernetes-preserve-unknown-fields: true}}}}}}}
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {headers: {type: object, additionalProperties: {type: object, properties: {value: {type: string}, append: {type: boolean}}}}, labels: {type: array, items: {type: object, properties: {kind: {type: string}, value: {type: string}}}}, texts: {type: array, items: {type: string}}, plain: {type: object, additionalProperties: {type: string}}}}}}}
`

const elementsTable = `
apiVersion: crosswalk.dev/v1alpha1
kind: Crosswalk
metadata: {name: things.example.com}
spec:
  hub: v1
  versions:
  - name: v1beta1
    rows:
    - spoke: .spec.headers
      hub: .spec.headers
      each:
        rows:
        - spoke: .
          hub: .
          cel:
            toHub: "type(self) == string ? {'value': self} : {?'value': self.?value, ?'append': self.?append}"
            toSpoke: "has(self.append) ? dyn({?'value': self.?value, 'append': self.append}) : dyn(self.value)"
    - spoke: .spec.labels
      hub: .spec.labels
      each:
        rows:
        - spoke: .
          hub: .
          cel:
            toHub: "type(self) == string ? {'value': self} : {'kind': self.kind, ?'value': self.?value}"
            toSpoke: "has(self.kind) ? dyn({'kind': self.kind, 'value': self.value}) : dyn(self.value)"
    - spoke: .spec.texts
      hub: .spec.texts
      each:
        rows:
        - {spoke: ., hub: ., cel: {toHub: "self.size() > 3 ? self.substring(3) : self + '?'", toSpoke: "self.endsWith('?') ? optional.none() : optional.of('abc' + self)"}}
`

func TestElementsByExpressions(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{"crd.yaml": elementsCRD, "table.yaml": elementsTable} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	judge := judged(t, read(t, filepath.Join(folder, "crd.yaml"), filepath.Join(folder, "table.yaml")), 3, 150)
	for law, found := range judge.Found {
		t.Errorf("%s: %v", law, found.Counterexample)
	}
}
