package verify

import (
	"os"
	"path/filepath"
	"testing"
)

// Both versions are open, and only rows know what is in them.
const openCRD = `
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
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {list: {type: array, items: {x-kubernetes-preserve-unknown-fields: true}}}}}}}
`

const openTable = `
apiVersion: crosswalk.dev/v1alpha1
kind: Crosswalk
metadata: {name: things.example.com}
spec:
  hub: v1
  parameters: {mode: fast}
  versions:
  - name: v1beta1
    tables:
      route:
      - {spoke: .to, hub: .receiver.name}
      - {spoke: .routes, hub: .children, each: {table: route}}
    rows:
    - {spoke: .spec.policy, hub: .spec.run.mode, values: {quick: {$parameter: mode}, Forbid: Single}}
    - {spoke: .spec.timeoutSeconds, hub: .spec.timeout, scalar: {spoke: integer, hub: duration, unit: s}}
    - {spoke: .spec.jobs, hub: .spec.list, each: {key: name, unique: true, rows: [{spoke: .cmd, hub: .command.line}]}}
    - {spoke: .spec.route, hub: .spec.tree, table: route}
    - {spoke: .spec.a.b.c, hub: .spec.d.e}
    - {spoke: .spec.only}
`

// What rows name where nothing is declared gets values that they can map, so that
// something is proven of it.
func TestPlanted(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{"crd.yaml": openCRD, "table.yaml": openTable} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	judge := judged(t, read(t, filepath.Join(folder, "crd.yaml"), filepath.Join(folder, "table.yaml")), 1, 60)
	for law, found := range judge.Found {
		t.Errorf("%s: %v", law, found.Counterexample)
	}
	for _, row := range judge.Uses.All() {
		if row.Times < 10 {
			t.Errorf("%v had %d values", row.RowRef, row.Times)
		}
	}
}
