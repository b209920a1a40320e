package hints

import (
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

func TestOfTable(t *testing.T) {
	table := &v1alpha1.Crosswalk{}
	if err := yaml.UnmarshalStrict([]byte(`
spec:
  hub: v1
  versions:
    - name: v2
      rows:
        - {spoke: .a, hub: .b, values: {one: 1}, default: {hub: 7}}
        - spoke: .list
          hub: .items
          each: {rows: [{spoke: .c, hub: {d: .d, e: .e}, template: "{d}[:{e}]"}]}
      tables: {part: [{spoke: .g, constant: true}]}
`), table); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, v := range OfTable(table) {
		got[v.String()] = true
	}
	for _, want := range []string{`"one"`, `1`, `7`, `"host:8080"`, `"host"`, `"a:a"`, `true`} {
		if !got[want] {
			t.Errorf("%s is missing in %v", want, got)
		}
	}
	if n := len(OfRow(table.Spec.Versions[0].Rows[1])); n != 0 {
		t.Errorf("the row of the list has %d hints: those are of the row inside it", n)
	}
}
