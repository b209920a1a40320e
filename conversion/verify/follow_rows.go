package verify

import (
	"slices"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// row checks the elements that a row maps. A single element is checked as a list of one, and a part
// of a list as a list.
func (f *follower) row(p tree.Path, r v1alpha1.Row, of schemas, v states) {
	switch {
	case r.Where != nil:
		f.where(p, r, of, v)
		return
	case r.Entries != nil:
		f.entries(p, r, of, v)
		return
	case places.Chooses(r):
		f.choice(p, r, of, v)
		return
	}
	a, b := f.ends(r)
	if len(a) != 1 || len(b) != 1 {
		return
	}
	p, of, v = append(p[:len(p):len(p)], a[0]...), of.at(a[0], b[0]), v.at(tree.Path(a[0]), tree.Path(b[0]))
	if of.mine == nil || of.theirs == nil {
		return
	}
	switch {
	case r.Each != nil:
		rows := f.rowsOf(r.Each.Rows, r.Each.Table)
		if f.byName(p, rows, of.values(), v); !r.Each.Unique { // edits may break the promise of unique keys
			f.list(p, rows, of, v)
		}
		f.byKey(p, r.Each.Key, rows, of, v)
	case r.Single != nil:
		f.list(p, f.rowsOf(r.Single.Rows, r.Single.Table), schemas{schemaAsList(of.mine), schemaAsList(of.theirs)}, v.each(asList, asList))
	case r.Wrap != "":
		wrapped := schemas{of.mine, schemaOfWrapped(of.theirs, r.Wrap)}
		v = v.each(func(v *tree.Value) *tree.Value { return v }, func(v *tree.Value) *tree.Value { return wrap(v, r.Wrap) })
		f.list(p, nil, wrapped, v)
		f.byName(p, nil, wrapped.values(), v)
	case r.Keyed != nil && r.Keyed.Value == "":
		named := func(v *tree.Value) *tree.Value { return asMap(v, r.Keyed) }
		f.byName(p, f.rowsOf(r.Keyed.Rows, r.Keyed.Table), schemas{ofElements(of.mine), ofElements(of.theirs)}, v.each(named, named))
	case r.Table != "":
		f.scope(p, f.tables[r.Table], of, v)
	}
}

// rowsOf returns the rows for elements.
func (f *follower) rowsOf(rows []v1alpha1.Row, table string) []v1alpha1.Row {
	return slices.Concat(rows, f.tables[table])
}

// where checks the parts of a list. Each part is a list or an element in the other version.
func (f *follower) where(p tree.Path, r v1alpha1.Row, of schemas, v states) {
	mine, theirs := r.Hub, r.Spoke
	if f.spoke {
		mine, theirs = r.Spoke, r.Hub
	}
	if (mine.Named == nil) == (theirs.Named == nil) {
		return // there is one part, and no name tells which side has the list
	}
	for i, part := range r.Where {
		inPart := func(v *tree.Value) *tree.Value { return partOf(v, r.Where, i) }
		as := func(place *v1alpha1.Place) (places.Pattern, func(*tree.Value) *tree.Value) {
			if place.Named == nil {
				return places.Of(nil, place)[0], inPart
			}
			return places.Of(nil, &v1alpha1.Place{Path: place.Named[part.Place]})[0], asList
		}
		a, ofMine := as(mine)
		b, ofTheirs := as(theirs)
		inner := of.at(a, b)
		if inner.mine == nil || inner.theirs == nil {
			continue
		}
		place, lists, values := append(p[:len(p):len(p)], a...), schemas{schemaAsList(inner.mine), schemaAsList(inner.theirs)}, v.at(tree.Path(a), tree.Path(b)).each(ofMine, ofTheirs)
		if !part.Unique { // edits may break the promise of unique keys
			f.list(place, f.rowsOf(part.Rows, part.Table), lists, values)
		}
		f.byKey(place, part.Key, f.rowsOf(part.Rows, part.Table), lists, values)
	}
}

// entries checks the entries of a list. Each entry is a single value in the other version.
func (f *follower) entries(p tree.Path, r v1alpha1.Row, of schemas, v states) {
	mine, theirs := r.Hub, r.Spoke
	if f.spoke {
		mine, theirs = r.Spoke, r.Hub
	}
	if mine.Named != nil || theirs.Named == nil {
		return // single values have nothing inside that only A has
	}
	a := places.Of(nil, mine)[0]
	parts := partsOf(r)
	for i, part := range parts {
		b := places.Of(nil, &v1alpha1.Place{Path: theirs.Named[part.Place]})[0]
		inner := of.at(a, b)
		if inner.mine == nil || inner.theirs == nil {
			continue
		}
		entry := func(v *tree.Value) *tree.Value { return wrap(asList(v), r.Entries.Value) }
		f.list(append(p[:len(p):len(p)], a...), nil, schemas{inner.mine, schemaOfWrapped(&structuralschema.Structural{Items: inner.theirs}, r.Entries.Value)},
			v.at(tree.Path(a), tree.Path(b)).each(func(v *tree.Value) *tree.Value { return partOf(v, parts, i) }, entry))
	}
}

// partOf returns the elements of a list that belong to a part: those that match it and no part
// before it.
func partOf(v *tree.Value, parts []v1alpha1.Part, part int) *tree.Value {
	out := tree.NewList()
	if v == nil || v.Kind != tree.List {
		return out
	}
	for _, item := range v.Items {
		if slices.IndexFunc(parts, func(p v1alpha1.Part) bool { return matches(p, item) }) == part {
			out.Items = append(out.Items, item)
		}
	}
	return out
}

func matches(p v1alpha1.Part, item *tree.Value) bool {
	if item.Kind != tree.Object {
		return false
	}
	for _, has := range p.Has {
		if at, _ := places.Parse(has); item.At(at) == nil || item.At(at).Kind == tree.Null {
			return false
		}
	}
	for path, want := range p.Match {
		at, _ := places.Parse(path)
		value, err := tree.Parse(want.JSON)
		if err != nil {
			return false
		}
		any := []*tree.Value{value}
		if value.Kind == tree.List {
			any = value.Items
		}
		if !slices.ContainsFunc(any, func(want *tree.Value) bool { return item.At(at) != nil && tree.Equal(want, item.At(at)) }) {
			return false
		}
	}
	return true
}

// asList returns a list, or a list of the single value.
func asList(v *tree.Value) *tree.Value {
	switch {
	case v == nil:
		return tree.NewList()
	case v.Kind == tree.List:
		return v
	}
	return tree.NewList(v)
}

// schemaAsList returns the schema of what one returns.
func schemaAsList(s *structuralschema.Structural) *structuralschema.Structural {
	if s == nil || s.Type == "array" {
		return s
	}
	return &structuralschema.Structural{Items: s}
}

// asMap returns a map, or a list of elements as a map by a key.
func asMap(v *tree.Value, by *v1alpha1.Keyed) *tree.Value {
	if v == nil || v.Kind != tree.List {
		return v
	}
	out := tree.NewObject()
	for _, item := range v.Items {
		if item.Kind != tree.Object {
			continue
		}
		if name, ok := places.KeyName(by.Key, item); ok && (out.Get(name) == nil || by.Doubled == v1alpha1.DoubledLast) {
			out.Set(name, item)
		}
	}
	return out
}

// ofElements returns the schema of the elements of a list or a map.
func ofElements(s *structuralschema.Structural) *structuralschema.Structural {
	if s.Type == "array" {
		return s.Items
	}
	return ofValues(s)
}

// wrap makes an object of each single value in a list or a map.
func wrap(v *tree.Value, field string) *tree.Value {
	if v == nil {
		return nil
	}
	object := func(v *tree.Value) *tree.Value {
		return tree.NewObject(tree.Member{Name: field, Value: v})
	}
	out := v.Clone()
	for i, item := range out.Items {
		out.Items[i] = object(item)
	}
	for i, m := range out.Members {
		out.Members[i].Value = object(m.Value)
	}
	return out
}

// schemaOfWrapped returns the schema of what wrap returns.
func schemaOfWrapped(s *structuralschema.Structural, field string) *structuralschema.Structural {
	object := func(s *structuralschema.Structural) *structuralschema.Structural {
		return &structuralschema.Structural{Properties: map[string]structuralschema.Structural{field: *s}}
	}
	out := *s
	if s.Items != nil {
		out.Items = object(s.Items)
	}
	if values := ofValues(s); values != nil {
		additional := *s.AdditionalProperties
		additional.Structural = object(values)
		out.AdditionalProperties = &additional
	}
	return &out
}
