package verify

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// rows removes rows, nested ones too.
func (s *shrinker) rows() bool {
	better := false
	for again := true; again; {
		again = false
		n := countRows(s.best.Subject.Table)
		for i := range n {
			table := s.best.Subject.Table.DeepCopy()
			removeRow(table, i)
			if s.under(s.best.Subject.CRD, table) {
				again, better = true, true
				break
			}
		}
	}
	return better
}

func countRows(table *v1alpha1.Crosswalk) int { return removeRow(table.DeepCopy(), -1) }

// both removes rows and reduces schemas of the earlier table, or of both.
func (s *shrinker) both() bool {
	better := false
	for again := s.best.Subject.earlier != nil; again; {
		again = s.earlierRow() || s.earlierSchema()
		better = better || again
	}
	return better
}

func (s *shrinker) earlierRow() bool {
	now, was := s.best.Subject, s.best.Subject.earlier
	for i := range countRows(was.Table) {
		table := was.Table.DeepCopy()
		removeRow(table, i)
		if s.underEarlier(was.CRD, table) {
			return true
		}
		earlier, err := NewSubject(was.CRD, table, s.compile)
		if err != nil {
			continue
		}
		for j := range countRows(now.Table) {
			table := now.Table.DeepCopy()
			if removeRow(table, j); s.underBoth(now.CRD, table, earlier) {
				return true
			}
		}
	}
	return false
}

func (s *shrinker) earlierSchema() bool {
	now, was := s.best.Subject, s.best.Subject.earlier
	for i := range reduceSchemas(was.CRD.DeepCopy(), -1) {
		crd := was.CRD.DeepCopy()
		reduceSchemas(crd, i)
		earlier, err := NewSubject(crd, was.Table, s.compile)
		if err != nil {
			continue
		}
		for _, j := range []int{i - 1, i, i + 1} {
			crd := now.CRD.DeepCopy()
			if reduceSchemas(crd, j); j >= 0 && s.underBoth(crd, now.Table, earlier) {
				return true
			}
		}
	}
	return false
}

// removeRow removes the nth row in depth-first order and returns how many it saw.
func removeRow(table *v1alpha1.Crosswalk, nth int) int {
	i := 0
	var walk func(rows []v1alpha1.Row) []v1alpha1.Row
	walk = func(rows []v1alpha1.Row) []v1alpha1.Row {
		var out []v1alpha1.Row
		for _, r := range rows {
			mine := i
			i++
			for _, inner := range r.Inner() {
				*inner.Rows = walk(*inner.Rows)
			}
			if mine != nth {
				out = append(out, r)
			}
		}
		return out
	}
	for v := range table.Spec.Versions {
		table.Spec.Versions[v].Rows = walk(table.Spec.Versions[v].Rows)
		for _, name := range slices.Sorted(maps.Keys(table.Spec.Versions[v].Tables)) {
			table.Spec.Versions[v].Tables[name] = walk(table.Spec.Versions[v].Tables[name])
		}
	}
	return i
}

// schemas removes properties, defaults and constraints.
func (s *shrinker) schemas() bool {
	better := false
	for again := s.best.Subject.earlier == nil; again; {
		again = false
		n := reduceSchemas(s.best.Subject.CRD.DeepCopy(), -1)
		for i := range n {
			crd := s.best.Subject.CRD.DeepCopy()
			reduceSchemas(crd, i)
			if s.under(crd, s.best.Subject.Table) {
				again, better = true, true
				break
			}
		}
	}
	return better
}

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

// pruneDefaults takes out of every default what the schema does not know by now: the API
// server refuses such a one.
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
	case isNoValue(v, p):
		p.Default = nil
	case prune(v, p):
		p.Default = weave.AsDefault(v)
	}
}

// isNoValue reports whether null stands where a schema has no place for it.
func isNoValue(v *tree.Value, p *apiextensionsv1.JSONSchemaProps) bool {
	return v.Kind == tree.Null && !p.Nullable && (p.Type != "" || p.XIntOrString)
}

// prune removes what a schema does not know, or has no place for, and reports whether there
// was anything.
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
		case of == nil && !open, of != nil && isNoValue(m.Value, of):
			pruned = true
			return true
		case of != nil:
			pruned = prune(m.Value, of) || pruned
		}
		return false
	})
	if p.Items != nil && p.Items.Schema != nil {
		v.Items = slices.DeleteFunc(v.Items, func(e *tree.Value) bool {
			gone := isNoValue(e, p.Items.Schema)
			pruned = gone || prune(e, p.Items.Schema) || pruned
			return gone
		})
	}
	return pruned
}
