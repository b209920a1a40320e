package evolve

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/rows"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// turnHub makes the only spoke the hub, and the hub its spoke.
func (c changer) turnHub(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	if len(table.Spec.Versions) != 1 {
		return false
	}
	ok := true
	rows.Each(table, func(r *v1alpha1.Row) {
		r.Spoke, r.Hub = r.Hub, r.Spoke
		if r.Default != nil {
			r.Default.Spoke, r.Default.Hub = r.Default.Hub, r.Default.Spoke
		}
		if r.Scalar != nil {
			r.Scalar.Spoke, r.Scalar.Hub = r.Scalar.Hub, r.Scalar.Spoke
			if r.Scalar.Unit != nil {
				r.Scalar.Unit.Spoke, r.Scalar.Unit.Hub = r.Scalar.Unit.Hub, r.Scalar.Unit.Spoke
			}
		}
		if r.Boolean != nil && r.Boolean.Presence != "" {
			r.Boolean.Presence = map[v1alpha1.Side]v1alpha1.Side{v1alpha1.SpokeSide: v1alpha1.HubSide, v1alpha1.HubSide: v1alpha1.SpokeSide}[r.Boolean.Presence]
		}
		if r.Each != nil && r.Each.Key != nil {
			r.Each.Key = turnedKeys(r.Each)
		}
		ok = ok && r.Inverse == nil && turnValues(r)
	})
	table.Spec.Hub, table.Spec.Versions[0].Name = table.Spec.Versions[0].Name, table.Spec.Hub
	return ok
}

// turnedKeys returns the keys of elements on the other side. The rows of the elements must not be
// turned yet.
func turnedKeys(each *v1alpha1.Each) v1alpha1.Names {
	keys := slices.Clone(each.Key)
	for i, key := range keys {
		for _, r := range each.Rows {
			if r.Spoke == nil || r.Hub == nil || r.Spoke.Path != key && r.Spoke.Path != tree.Names(key).String() {
				continue
			}
			if keys[i] = r.Hub.Path; keys[i] == "." {
				keys[i] = key
			}
		}
	}
	return keys
}

// turnValues exchanges the two sides of the values of a row. It returns false if they can't be exchanged.
func turnValues(r *v1alpha1.Row) bool {
	turned := map[string]v1alpha1.Value{}
	for name, v := range r.Values {
		text, err := tree.Parse(v.JSON)
		if err != nil || text.Kind != tree.String {
			return false
		}
		turned[text.Text] = v1alpha1.Value{JSON: tree.AppendString(nil, name)}
	}
	if len(turned) != len(r.Values) {
		return false
	}
	if r.Values != nil {
		r.Values = turned
	}
	return true
}
