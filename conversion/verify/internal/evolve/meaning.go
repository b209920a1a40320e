package evolve

import (
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/rows"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"
)

// rewritings are texts in expressions of generated tables, each with what replaces it.
var rewritings = [][2]string{
	{"'/'", "'-'"}, {"'-'", "'.'"}, {"'yes'", "'no'"}, {"'none'", "'other'"}, {"'t'", "'u'"}, {"'+'", "'&'"}, {"'!'", "'?'"},
	{"x + 1", "x + 3"}, {"x - 1", "x - 3"}, {"x > 0", "x > 1"}, {"100 /", "200 /"}, {"+ 1", "+ 2"}, {"[0]", "[1]"}, {"* 2", "* 3"},
}

// otherExpression changes an expression, or replaces it by one that has no value.
func (c changer) otherExpression(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	var ways []func()
	add := func(text string, set func(string)) {
		if text == "" {
			return
		}
		for _, r := range rewritings {
			if strings.Contains(text, r[0]) {
				ways = append(ways, func() { set(strings.ReplaceAll(text, r[0], r[1])) })
			}
		}
		ways = append(ways, func() { set("optional.none()") })
	}
	rows.Each(table, func(r *v1alpha1.Row) {
		if r.CEL == nil {
			return
		}
		for _, e := range []*v1alpha1.Expressions{r.CEL.ToHub, r.CEL.ToSpoke} {
			if e == nil {
				continue
			}
			add(e.One, func(text string) { e.One = text })
			for _, name := range slices.Sorted(maps.Keys(e.Named)) {
				add(e.Named[name], func(text string) { e.Named[name] = text })
			}
		}
	})
	return c.one(ways)
}

// otherParameter gives a parameter another value of the same type.
func (c changer) otherParameter(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	var ways []func()
	for _, name := range slices.Sorted(maps.Keys(table.Spec.Parameters)) {
		if other := otherValue(table.Spec.Parameters[name]); other != nil {
			ways = append(ways, func() { table.Spec.Parameters[name] = *other })
		}
	}
	return c.one(ways)
}

// otherFunction lets a row call another function, or all rows other revisions of the functions that
// they call.
func (c changer) otherFunction(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	var ways []func()
	rows.Each(table, func(r *v1alpha1.Row) {
		if r.Func == "" {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(weave.Functions())) {
			if name != r.Func {
				ways = append(ways, func() { r.Func = name })
			}
		}
		ways = append(ways, func() { weave.Revise(table) })
	})
	return c.one(ways)
}

// otherValues adds a pair to a row of values, removes one, or changes one.
func (c changer) otherValues(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	var ways []func()
	rows.Each(table, func(r *v1alpha1.Row) {
		for _, name := range slices.Sorted(maps.Keys(r.Values)) {
			other := otherValue(r.Values[name])
			if len(r.Values) > 1 && r.Inverse == nil {
				ways = append(ways, func() { delete(r.Values, name) })
			}
			if other != nil {
				ways = append(ways, func() { r.Values["a"] = *other }, func() { r.Values[name] = *other })
			}
		}
	})
	return c.one(ways)
}

// otherValue returns another value of the same type, or nil if there is none.
func otherValue(v v1alpha1.Value) *v1alpha1.Value {
	is, err := tree.Parse(v.JSON)
	if err != nil {
		return nil
	}
	switch is.Kind {
	case tree.String:
		return weave.Value(tree.NewString(is.Text + "a"))
	case tree.Number:
		return weave.Value(tree.NewNumber("41"))
	case tree.Bool:
		return weave.Value(tree.NewBool(is.Text == "false"))
	}
	return nil
}

// one makes one of several changes. It returns false if there is none.
func (c changer) one(ways []func()) bool {
	if len(ways) == 0 {
		return false
	}
	ways[c.Rand.IntN(len(ways))]()
	return true
}
