package verify

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// takeField takes a field out of the schema of one version, and the rows that name
// it.
func (g *generator) takeField(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	v := &crd.Spec.Versions[g.Rand.IntN(len(crd.Spec.Versions))]
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
	f := fields[g.Rand.IntN(len(fields))]
	removeField(v.Schema.OpenAPIV3Schema, f)
	for i := countRows(table) - 1; i >= 0; i-- {
		if names(table, i, v.Name, f) {
			removeRow(table, i)
		}
	}
	return true
}

// removeField takes a field out of a schema, and out of the defaults around it, which the
// API server refuses if they hold what the schema does not know.
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

// names reports whether the nth row names a place of a version, or one inside it.
func names(table *v1alpha1.Crosswalk, nth int, version string, at places.Pattern) bool {
	found, n := false, 0
	for _, v := range table.Spec.Versions {
		eachRowOnce(v, func(r v1alpha1.Row, spoke, hub []places.Pattern) {
			if n == nth {
				tied := hub
				if v.Name == version {
					tied = spoke
				}
				if v.Name == version || table.Spec.Hub == version {
					found = slices.ContainsFunc(tied, func(p places.Pattern) bool { _, inside := places.Below(at, p); return inside })
				}
			}
			n++
		})
	}
	return found
}

// eachRowOnce calls f for each row in the order in which removeRow counts them.
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
