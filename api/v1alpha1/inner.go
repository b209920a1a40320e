package v1alpha1

import (
	"fmt"
	"maps"
	"slices"
)

// Inner are the rows for the elements that a row maps.
type Inner struct {
	// Mapping is the mapping with these rows, as messages name it: each, or where http.
	Mapping string
	// Field is their path in the row: .each, or .where[0].
	Field string
	// Rows points to the rows, so that they can be changed.
	Rows *[]Row
	// Table is the named table that is used as well, or "".
	Table string
}

// Inner returns the rows for elements of a row.
func (r *Row) Inner() []Inner {
	var all []Inner
	if e := r.Each; e != nil {
		all = append(all, Inner{"each", ".each", &e.Rows, e.Table})
	}
	if s := r.Single; s != nil {
		all = append(all, Inner{"single", ".single", &s.Rows, s.Table})
	}
	if k := r.Keyed; k != nil {
		all = append(all, Inner{"keyed", ".keyed", &k.Rows, k.Table})
	}
	if v := r.Variant; v != nil {
		if len(v.Rows) > 0 || v.Table != "" {
			all = append(all, Inner{"variant", ".variant", &v.Rows, v.Table})
		}
		for i := range v.Alternatives {
			a := &v.Alternatives[i]
			all = append(all, Inner{"variant " + a.Name, fmt.Sprintf(".variant.alternatives[%d]", i), &a.Rows, a.Table})
		}
	}
	for i := range r.Where {
		p := &r.Where[i]
		all = append(all, Inner{"where " + p.Place, fmt.Sprintf(".where[%d]", i), &p.Rows, p.Table})
	}
	return all
}

// EachValue visits the values in a row, except those of its rows for elements, with the names
// that messages use. visit may change them.
func (r *Row) EachValue(visit func(what string, v *Value)) {
	one := func(what string, v *Value) {
		if v != nil {
			visit(what, v)
		}
	}
	all := func(what func(key string) string, values map[string]Value) {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			v := values[key]
			visit(what(key), &v)
			values[key] = v
		}
	}
	one("constant", r.Constant)
	if r.Default != nil {
		one("default spoke", r.Default.Spoke)
		one("default hub", r.Default.Hub)
	}
	if r.Boolean != nil {
		one("boolean true", r.Boolean.True)
		one("boolean false", r.Boolean.False)
	}
	for _, p := range r.Where {
		all(func(key string) string { return "match " + key }, p.Match)
	}
	all(func(string) string { return "values" }, r.Values)
	all(func(string) string { return "inverse" }, r.Inverse)
}
