package conversion_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestCELReadsOfElements keeps what computing back would not give until somebody edits
// what the way back looks at: of the elements of a list the members that a macro names,
// or all of them.
func TestCELReadsOfElements(t *testing.T) {
	v1 := spec("total: {type: string}, jobs: {type: array, items: {type: object, properties: {name: {type: string}, size: {type: integer}}}}")
	for name, test := range map[string]struct {
		toSpoke string
		kept    bool
	}{
		"a member":            {"self.spec.jobs.map(j, j.name).join(',')", true},
		"an optional one":     {"self.spec.jobs.map(j, j.?name.orValue('')).join(',')", true},
		"one that may be":     {"self.spec.jobs.map(j, has(j.name) ? j.name : 'x').join(',')", true},
		"two variables":       {"self.spec.jobs.transformList(i, j, string(i) + j.name).join(',')", true},
		"another of the name": {"self.spec.jobs.map(j, [1].map(j, j).size() == 1 ? j.name : '').join(',')", true},
		"the edited one":      {"self.spec.jobs.map(j, j.name + string(j.?size.orValue(0))).join(',')", false},
		"it in another macro": {"self.spec.jobs.map(j, self.spec.jobs.map(k, k.size == j.size && k.name == j.name)).size() > 0 ? 'x' : 'y'", false},
		"whole elements":      {"self.spec.jobs.filter(j, j.name != '').map(j, j.name).join(',')", false},
		"the list besides":    {"self.spec.jobs.map(j, j.name).join(',') + string(self.spec.jobs == [])", false},
	} {
		t.Run(name, func(t *testing.T) {
			c := compiled(t, spec("names: {type: string}"), v1, fmt.Sprintf(`[{spoke: .spec.names, hub: .spec.total, cel: {toHub: "'all'", toSpoke: %q}}]`, test.toSpoke))
			old := convert(t, c, thing("v1", `"spec":{"jobs":[{"name":"a","size":1},{"name":"b","size":2}],"total":"all"}`), "v1beta1")
			names, _, _ := strings.Cut(old[strings.Index(old, `"names":"`)+len(`"names":"`):], `"`)
			now := convert(t, c, edited(t, old, `"names":"`+names+`"`, `"names":"odd"`), "v1")
			back := convert(t, c, edited(t, now, `"size":2`, `"size":3`), "v1beta1")
			if got := strings.Contains(back, `"names":"odd"`); got != test.kept {
				t.Errorf("kept: %v, want %v\n%s", got, test.kept, back)
			}
			if renamed := convert(t, c, edited(t, now, `"name":"b"`, `"name":"c"`), "v1beta1"); strings.Contains(renamed, "odd") {
				t.Errorf("an edit of what is read does not win: %s", renamed)
			}
		})
	}
}
