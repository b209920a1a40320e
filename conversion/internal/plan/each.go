package plan

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

func (b *builder) eachRow(w *written, r *Row) bool {
	types := w.pair()
	forms, inner, ok := b.alike(w, types)
	if !ok || b.leadsInto(w) {
		return false
	}
	if forms[Spoke] == Dict && len(w.Each.Key) > 0 {
		b.problem(w, "remove key", "the values of a map are told apart by the names in the map")
	}
	b.collect(r, &collection{
		forms: forms, lists: b.inner(w), table: w.Each.Table, elements: inner, at: w.firstPaths(), w: w,
		keys: &listKeys{lists: types, names: w.Each.Key, unique: w.Each.Unique, w: w},
	})
	return true
}

// alike finds the elements of two lists or two maps.
func (b *builder) alike(w *written, types [2]*schema.Schema) (forms [2]Form, inner [2]*schema.Schema, ok bool) {
	// Where anything may stand, what each says of it is a list, or, beside a map, a
	// map.
	list := func(s *schema.Schema) bool { return s.Type == "array" || s.IsAny() }
	dict := func(s *schema.Schema) bool { return s.Values != nil || s.IsAny() }
	switch {
	case list(types[Spoke]) && list(types[Hub]):
		forms = [2]Form{List, List}
		for side := range types {
			inner[side] = types[side].Items
		}
	case dict(types[Spoke]) && dict(types[Hub]):
		forms = [2]Form{Dict, Dict}
		for side := range types {
			inner[side] = types[side].Values
		}
	default:
		b.problem(w, sayHow(types)+"name two lists or two maps", "%s ties the elements of two lists or the values of two maps: %s is of type %s in %s, %s is of type %s in %s",
			w.mapping.name, w.paths[Spoke][0], types[Spoke].Describe(), b.versions[Spoke], w.paths[Hub][0], types[Hub].Describe(), b.versions[Hub])
		return forms, inner, false
	}
	for side := range inner {
		if inner[side] == nil {
			inner[side] = schema.Any()
		}
	}
	return forms, inner, true
}

func (w *written) firstPaths() [2]path.Path {
	return [2]path.Path{w.paths[Spoke][0], w.paths[Hub][0]}
}
