package verify

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/rows"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// rows removes rows, nested ones too.
func (s *shrinker) rows() bool {
	better := false
	for i := 0; i < rows.Count(s.best.Subject.Table); {
		table := s.best.Subject.Table.DeepCopy()
		rows.Remove(table, i)
		if s.under(s.best.Subject.CRD, table) {
			better = true // the next row is at i now
		} else {
			i++
		}
	}
	return better
}

// both removes rows and reduces schemas of the earlier table, or of both.
func (s *shrinker) both() bool {
	if s.best.Subject.earlier == nil {
		return false
	}
	better := false
	for i := 0; i < rows.Count(s.best.Subject.earlier.Table); {
		if s.earlierRow(i) {
			better = true
		} else {
			i++
		}
	}
	for i := 0; i < reduceSchemas(s.best.Subject.earlier.CRD.DeepCopy(), none); {
		if s.earlierSchema(i) {
			better = true
		} else {
			i++
		}
	}
	return better
}

// earlierRow removes a row of the earlier table, alone or with one of the same text now.
func (s *shrinker) earlierRow(i int) bool {
	now, was := s.best.Subject, s.best.Subject.earlier
	table := was.Table.DeepCopy()
	rows.Remove(table, i)
	earlier := s.subject(was.CRD, table)
	if earlier == nil {
		return false
	}
	if s.underBoth(now.CRD, now.Table, earlier) {
		return true
	}
	text := rows.Texts(was.Table)[i]
	for j, same := range rows.Texts(now.Table) {
		if same != text {
			continue
		}
		table := now.Table.DeepCopy()
		if rows.Remove(table, j); s.underBoth(now.CRD, table, earlier) {
			return true
		}
	}
	return false
}

// earlierSchema makes a reduction of the earlier schemas, alone or with one of about the same
// number now.
func (s *shrinker) earlierSchema(i int) bool {
	now, was := s.best.Subject, s.best.Subject.earlier
	crd := was.CRD.DeepCopy()
	reduceSchemas(crd, i)
	earlier := s.subject(crd, was.Table)
	if earlier == nil {
		return false
	}
	for _, j := range []int{none, i - 1, i, i + 1} {
		crd := now.CRD.DeepCopy()
		if reduceSchemas(crd, j); s.underBoth(crd, now.Table, earlier) {
			return true
		}
	}
	return false
}

// schemas removes properties, defaults and constraints.
func (s *shrinker) schemas() bool {
	better := false
	for i := 0; s.best.Subject.earlier == nil && i < reduceSchemas(s.best.Subject.CRD.DeepCopy(), none); {
		crd := s.best.Subject.CRD.DeepCopy()
		reduceSchemas(crd, i)
		if s.under(crd, s.best.Subject.Table) {
			better = true
		} else {
			i++
		}
	}
	return better
}

// none is the number of no reduction.
const none = -1

// reduceSchemas makes the nth possible reduction and returns how many it saw.
func reduceSchemas(crd *apiextensionsv1.CustomResourceDefinition, nth int) int {
	i := 0
	hit := func() bool { i++; return i-1 == nth }
	var walk func(p *apiextensionsv1.JSONSchemaProps, root bool)
	walk = func(p *apiextensionsv1.JSONSchemaProps, root bool) {
		for _, name := range slices.Sorted(maps.Keys(p.Properties)) {
			if root && (name == "apiVersion" || name == "kind" || name == "metadata") {
				continue
			}
			if hit() {
				delete(p.Properties, name)
				p.Required = slices.DeleteFunc(p.Required, func(r string) bool { return r == name })
				continue
			}
			child := p.Properties[name]
			walk(&child, false)
			p.Properties[name] = child
		}
		if p.Items != nil && p.Items.Schema != nil {
			walk(p.Items.Schema, false)
		}
		if p.AdditionalProperties != nil && p.AdditionalProperties.Schema != nil {
			walk(p.AdditionalProperties.Schema, false)
		}
		if p.Default != nil && hit() {
			p.Default = nil
		}
		if p.Nullable && hit() {
			p.Nullable = false
		}
		if p.XListType != nil && hit() {
			p.XListType, p.XListMapKeys = nil, nil
		}
		if (p.Pattern != "" || p.Enum != nil || p.Minimum != nil || p.MinLength != nil || p.Format != "") && hit() {
			p.Pattern, p.Enum, p.Format = "", nil, ""
			p.Minimum, p.Maximum, p.MinLength, p.MaxLength = nil, nil, nil, nil
		}
	}
	for v := range crd.Spec.Versions {
		walk(crd.Spec.Versions[v].Schema.OpenAPIV3Schema, true)
		pruneDefaults(crd.Spec.Versions[v].Schema.OpenAPIV3Schema)
	}
	return i
}

// pruneDefaults removes from every default what the schema does not have any more, because the API
// server rejects such a default.
func pruneDefaults(p *apiextensionsv1.JSONSchemaProps) {
	for name, child := range p.Properties {
		pruneDefaults(&child)
		p.Properties[name] = child
	}
	if p.Items != nil && p.Items.Schema != nil {
		pruneDefaults(p.Items.Schema)
	}
	if p.AdditionalProperties != nil && p.AdditionalProperties.Schema != nil {
		pruneDefaults(p.AdditionalProperties.Schema)
	}
	if p.Default == nil {
		return
	}
	switch v, err := tree.Parse(p.Default.Raw); {
	case err != nil:
	case isForbiddenNull(v, p):
		p.Default = nil
	case prune(v, p):
		p.Default = &apiextensionsv1.JSON{Raw: v.Append(nil)}
	}
}

// isForbiddenNull reports whether a value is null, although its schema does not allow null.
func isForbiddenNull(v *tree.Value, p *apiextensionsv1.JSONSchemaProps) bool {
	return v.Kind == tree.Null && !p.Nullable && (p.Type != "" || p.XIntOrString)
}

// prune removes what a schema does not allow, and reports whether there was anything.
func prune(v *tree.Value, p *apiextensionsv1.JSONSchemaProps) (pruned bool) {
	open := p.XPreserveUnknownFields != nil && *p.XPreserveUnknownFields || p.XEmbeddedResource
	v.Members = slices.DeleteFunc(v.Members, func(m tree.Member) bool {
		child, known := p.Properties[m.Name]
		of := &child
		if !known && p.AdditionalProperties != nil {
			of = p.AdditionalProperties.Schema
		} else if !known {
			of = nil
		}
		switch {
		case of == nil && !open, of != nil && isForbiddenNull(m.Value, of):
			pruned = true
			return true
		case of != nil:
			pruned = prune(m.Value, of) || pruned
		}
		return false
	})
	if p.Items != nil && p.Items.Schema != nil {
		v.Items = slices.DeleteFunc(v.Items, func(e *tree.Value) bool {
			gone := isForbiddenNull(e, p.Items.Schema)
			pruned = gone || prune(e, p.Items.Schema) || pruned
			return gone
		})
	}
	return pruned
}
