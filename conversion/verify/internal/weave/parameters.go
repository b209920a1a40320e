package weave

import (
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// parameters moves some values of a table, and of its expressions, into parameters.
func (w *weaver) parameters(table *v1alpha1.Crosswalk) {
	*table = *table.DeepCopy() // rows of several versions may have one value
	add := func(text []byte) string {
		if table.Spec.Parameters == nil {
			table.Spec.Parameters = map[string]v1alpha1.Value{}
		}
		name := fmt.Sprintf("p%d", len(table.Spec.Parameters))
		table.Spec.Parameters[name] = v1alpha1.Value{JSON: text}
		return name
	}
	for _, v := range table.Spec.Versions {
		for i := range v.Rows {
			r := &v.Rows[i]
			r.EachValue(func(_ string, value *v1alpha1.Value) {
				if w.Chance(10) {
					w.Seen.Count("table/parameter")
					value.JSON = []byte(`{"$parameter":"` + add(value.JSON) + `"}`)
				}
			})
			if r.CEL == nil || !w.Chance(30) {
				continue
			}
			for _, e := range []*v1alpha1.Expressions{r.CEL.ToHub, r.CEL.ToSpoke} {
				if e != nil && strings.Contains(e.One, "'t'") {
					w.Seen.Count("table/parameter of an expression")
					e.One = strings.ReplaceAll(e.One, "'t'", "parameters."+add([]byte(`"t"`)))
				}
			}
		}
	}
}
