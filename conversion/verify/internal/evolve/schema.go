package evolve

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/rows"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"
)

// takeField removes a field from the schema of one version, and the rows that name it.
func (c changer) takeField(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	v := &crd.Spec.Versions[c.Rand.IntN(len(crd.Spec.Versions))]
	var fields []places.Pattern
	var walk func(s *apiextensionsv1.JSONSchemaProps, at places.Pattern, keys []string)
	walk = func(s *apiextensionsv1.JSONSchemaProps, at places.Pattern, keys []string) {
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			next := append(slices.Clip(at), tree.Step{Name: name})
			if len(at) == 0 && (name == "apiVersion" || name == "kind" || name == "metadata") {
				continue
			}
			if len(at) > 0 && !slices.Contains(s.Required, name) && !slices.Contains(keys, name) {
				fields = append(fields, next)
			}
			child := s.Properties[name]
			walk(&child, next, nil)
			s.Properties[name] = child
		}
		if s.Items != nil && s.Items.Schema != nil {
			walk(s.Items.Schema, append(slices.Clip(at), tree.Step{Index: -1, IsIndex: true}), s.XListMapKeys)
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
			walk(s.AdditionalProperties.Schema, append(slices.Clip(at), tree.Step{Index: -1, IsIndex: true}), nil)
		}
	}
	walk(v.Schema.OpenAPIV3Schema, nil, nil)
	if len(fields) == 0 {
		return false
	}
	f := fields[c.Rand.IntN(len(fields))]
	removeField(v.Schema.OpenAPIV3Schema, f)
	for i := rows.Count(table) - 1; i >= 0; i-- {
		if names(table, i, v.Name, f) {
			rows.Remove(table, i)
		}
	}
	return true
}

// removeField removes a field from a schema, and from the defaults around it: the API server rejects
// defaults with fields that the schema does not have.
func removeField(s *apiextensionsv1.JSONSchemaProps, at places.Pattern) {
	if s.Default != nil {
		if v, err := tree.Parse(s.Default.Raw); err == nil {
			places.Cut(v, at)
			s.Default = weave.AsDefault(v)
		}
	}
	switch {
	case len(at) == 1:
		delete(s.Properties, at[0].Name)
	case !at[0].IsIndex:
		child := s.Properties[at[0].Name]
		removeField(&child, at[1:])
		s.Properties[at[0].Name] = child
	case s.Items != nil && s.Items.Schema != nil:
		removeField(s.Items.Schema, at[1:])
	case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
		removeField(s.AdditionalProperties.Schema, at[1:])
	}
}

// names reports whether the nth row names a field of a version, or one inside it.
func names(table *v1alpha1.Crosswalk, nth int, version string, at places.Pattern) bool {
	found, n := false, 0
	for _, v := range table.Spec.Versions {
		eachRowOnce(v, func(r v1alpha1.Row, spoke, hub []places.Pattern) {
			if n == nth {
				named := hub
				if v.Name == version {
					named = spoke
				}
				if v.Name == version || table.Spec.Hub == version {
					found = slices.ContainsFunc(named, func(p places.Pattern) bool { _, inside := places.Below(at, p); return inside })
				}
			}
			n++
		})
	}
	return found
}

// eachRowOnce calls f for each row in the order of the numbers of rows.Remove.
func eachRowOnce(v v1alpha1.VersionTable, f func(r v1alpha1.Row, spoke, hub []places.Pattern)) {
	var walk func(rows []v1alpha1.Row, spoke, hub places.Pattern)
	walk = func(rows []v1alpha1.Row, spoke, hub places.Pattern) {
		for _, r := range rows {
			s, h := places.Of(spoke, r.Spoke), places.Of(hub, r.Hub)
			f(r, s, h)
			for _, inner := range r.Inner() {
				any := tree.Step{Index: -1, IsIndex: true}
				if len(s) == 1 && len(h) == 1 {
					walk(*inner.Rows, append(s[0], any), append(h[0], any))
				} else {
					walk(*inner.Rows, nil, nil)
				}
			}
		}
	}
	walk(v.Rows, nil, nil)
	for _, name := range slices.Sorted(maps.Keys(v.Tables)) {
		walk(v.Tables[name], nil, nil)
	}
}
