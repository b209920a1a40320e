package evolve

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/rows"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"
)

// otherParameters changes a parameter of the mapping of one row.
func (c changer) otherParameters(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	var ways []func()
	rows.Each(table, func(r *v1alpha1.Row) { ways = append(ways, c.parametersOf(r)...) })
	return c.one(ways)
}

// parametersOf returns the changes that are possible in one row.
func (c changer) parametersOf(r *v1alpha1.Row) (ways []func()) {
	add := func(is bool, way func()) {
		if is {
			ways = append(ways, way)
		}
	}
	add(r.Template != "", func() { r.Template = "x" + r.Template })
	add(r.Values != nil, func() { r.Closed = !r.Closed })
	add(len(r.Values) > 1 && r.Inverse == nil, func() {
		names := slices.Sorted(maps.Keys(r.Values))
		r.Values[names[0]], r.Values[names[1]] = r.Values[names[1]], r.Values[names[0]]
	})
	add(r.Scalar != nil, func() {
		r.Scalar.Round = map[v1alpha1.Rounding]v1alpha1.Rounding{"": v1alpha1.RoundUp, v1alpha1.RoundDown: v1alpha1.RoundUp}[r.Scalar.Round]
	})
	add(r.Boolean != nil && r.Boolean.False != nil, func() { r.Boolean.True, r.Boolean.False = r.Boolean.False, r.Boolean.True })
	add(r.Boolean != nil && r.Boolean.Negate, func() { r.Boolean = nil })
	add(r.Join != nil, func() { r.Join.Separator += "/" })
	add(r.Text != "", func() {
		r.Text = map[v1alpha1.Format]v1alpha1.Format{v1alpha1.FormatJSON: v1alpha1.FormatYAML, v1alpha1.FormatYAML: v1alpha1.FormatJSON}[r.Text]
	})
	add(r.Each != nil && r.Each.Key != nil, func() { r.Each.Key, r.Each.Unique = nil, false })
	add(r.Default != nil, func() { r.Default = nil })
	add(r.Default == nil && r.Spoke != nil && r.Hub != nil, func() { r.Default = &v1alpha1.Default{Hub: weave.Value(tree.NewString("a"))} })
	add(r.Constant != nil, func() { r.Constant = nil })
	add(r.Drop != "" && !r.Sensitive, func() { r.Drop, r.Constant = "", weave.Value(tree.NewString("a")) })
	return ways
}
