package verify

import (
	"encoding/json"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// A table without its parameters says the same, whatever these hold.
func TestExpanded(t *testing.T) {
	read := func(text string) *v1alpha1.Crosswalk {
		table := new(v1alpha1.Crosswalk)
		if err := yaml.UnmarshalStrict([]byte(text), table); err != nil {
			t.Fatal(err)
		}
		return table
	}
	table := read(`
spec:
  hub: v1
  parameters: {quote: '"', odd: "it's\t\\ é\U0001F600", p: 3, p1: -1.5, list: [a, {b: null}], parts: ","}
  versions:
  - name: v1beta1
    tables:
      t: [{spoke: .a, hub: .b, default: {spoke: {$parameter: list}}}]
    rows:
    - {hub: .spec.x, constant: {one: [{$parameter: quote}], two: {$parameter: p1}}}
    - {spoke: .spec.v, hub: .spec.v, values: {a: {$parameter: p}}}
    - {hub: .spec.y, cel: {toHub: "parameters.quote + parameters.odd + self.parameters.quoted"}}
    - {spoke: .spec.z, hub: {a: .spec.z, b: .spec.zz}, cel: {toHub: {a: "parameters.p + 1", b: "parameters.p1"}, toSpoke: "parameters.list[0] + parameters.parts"}}
`)
	before, _ := json.Marshal(table)
	want := read(`
spec:
  hub: v1
  versions:
  - name: v1beta1
    tables:
      t: [{spoke: .a, hub: .b, default: {spoke: [a, {b: null}]}}]
    rows:
    - {hub: .spec.x, constant: {one: ['"'], two: -1.5}}
    - {spoke: .spec.v, hub: .spec.v, values: {a: 3}}
    - {hub: .spec.y, cel: {toHub: '"\"" + "it''s\t\\ é😀" + self.parameters.quoted'}}
    - {spoke: .spec.z, hub: {a: .spec.z, b: .spec.zz}, cel: {toHub: {a: "(3) + 1", b: "(-1.5)"}, toSpoke: '(["a",{"b":null}])[0] + ","'}}
`)
	got, _ := json.Marshal(expanded(table))
	if wanted, _ := json.Marshal(want); string(got) != string(wanted) {
		t.Errorf("got\n%s\nwant\n%s", got, wanted)
	}
	if after, _ := json.Marshal(table); string(after) != string(before) {
		t.Errorf("the table became %s", after)
	}
}
