package v1alpha1

import "fmt"

// Inner are rows that a row has for the elements that it ties.
type Inner struct {
	// Mapping is what has them, as messages call it: each, or where http.
	Mapping string
	// Field is where they are in the row: .each, or .where[0].
	Field string
	// Rows allow to change them.
	Rows *[]Row
	// Table is the named table that is used too, empty where there is none.
	Table string
}

// Inner are the rows for elements that a row has.
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
	for i := range r.Where {
		p := &r.Where[i]
		all = append(all, Inner{"where " + p.Place, fmt.Sprintf(".where[%d]", i), &p.Rows, p.Table})
	}
	return all
}
