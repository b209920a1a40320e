package reference

import (
	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// row converts by one row.
func (s side) row(r v1alpha1.Row, v, out *tree.Value, from, to *schema) {
	source, target := s.ends(r)
	if r.CEL != nil {
		s.cel(r, v, out, from, to)
		return
	}
	if source == nil || target == nil {
		return
	}
	switch {
	case r.Template != "":
		s.template(r.Template, source, target, v, out, to)
		return
	case r.Variant != nil:
		if places.Chooses(r) {
			s.choice(r, v, out, from, to)
		} else {
			s.variant(r, source, target, v, out, to)
		}
		return
	case r.Where != nil || r.Entries != nil:
		s.convertParts(r, source, target, v, out, from, to)
		return
	case loose(r):
		value := v.At(s.path(source))
		if value == nil {
			return
		}
		if made, ok := s.elements(r, value, at(from, s.path(source)), at(to, s.path(target))); ok {
			out.Put(s.path(target), made.Clone())
		}
		return
	case r.Each != nil:
		value := v.At(s.path(source))
		if value == nil {
			return
		}
		mine, theirs := at(from, s.path(source)), at(to, s.path(target))
		if value.Kind == tree.Null {
			if theirs.Nullable {
				out.Put(s.path(target), value.Clone())
			}
			return
		}
		if mine.Type == "" || theirs.Type == "" {
			s.c.unclear = true // only the rows know whether it is present
			return
		}
		converted := &tree.Value{Kind: value.Kind}
		for _, item := range value.Items {
			converted.Items = append(converted.Items, s.member(item, s.rowsOf(r.Each.Rows, r.Each.Table), mine.Items.Schema, theirs.Items.Schema))
		}
		for _, m := range value.Members {
			inner := s.member(m.Value, s.rowsOf(r.Each.Rows, r.Each.Table), mine.AdditionalProperties.Schema, theirs.AdditionalProperties.Schema)
			converted.Members = append(converted.Members, tree.Member{Name: m.Name, Value: inner})
		}
		out.Put(s.path(target), converted)
		return
	}
	value := v.At(s.path(source))
	mine, theirs := s.defaults(r)
	asked := source
	if p := s.path(source); len(p) > 1 && p[0].Name == "metadata" {
		asked = target // metadata is always present
	}
	if value == nil && mine != nil && s.within(v, s.path(asked), from, to) {
		value = mine
	}
	if value == nil {
		return
	}
	if r.Table != "" && value.Kind == tree.Object {
		out.Put(s.path(target), s.element(value, s.tables[r.Table], at(from, s.path(source)), at(to, s.path(target)), false))
		return
	}
	if value.Kind == tree.Object && r.Text == "" {
		// Only fields that both have, as for an object at the same path.
		value = s.copyShared(value, at(from, s.path(source)), at(to, s.path(target)), nil, nil)
	}
	value, mapped := s.convertValue(r, value, at(from, s.path(source)), at(to, s.path(target)))
	if !mapped || !inRange(at(to, s.path(target)), value) || value.Kind == tree.Null && !nullable(at(to, s.path(target))) {
		return
	}
	if theirs != nil && tree.Equal(value, theirs) {
		return
	}
	if p := s.path(target); len(p) > 1 && p[0].Name == "metadata" {
		if value.Kind != tree.String {
			return
		}
		if p[1].Name == "labels" && !validLabel(value.Text) {
			return
		}
		if out.Get("metadata") == nil {
			out.Set("metadata", tree.NewObject())
		}
	}
	out.Put(s.path(target), value.Clone())
}

// rowsOf returns rows, and those of a named table.
func (s side) rowsOf(rows []v1alpha1.Row, table string) []v1alpha1.Row {
	return append(rows[:len(rows):len(rows)], s.tables[table]...)
}

func (s side) member(v *tree.Value, rows []v1alpha1.Row, from, to *schema) *tree.Value {
	if v.Kind != tree.Object {
		s.c.unclear = true
		return v.Clone()
	}
	return s.element(v, rows, from, to, false)
}

// defaults returns the values that the row gives to the absent source and the absent target.
func (s side) defaults(r v1alpha1.Row) (source, target *tree.Value) {
	if r.Default == nil {
		return nil, nil
	}
	if s.toHub {
		return literal(r.Default.Spoke), literal(r.Default.Hub)
	}
	return literal(r.Default.Hub), literal(r.Default.Spoke)
}
