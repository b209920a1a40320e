package places

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// Alternative is one alternative of a variant with rows for its value.
type Alternative struct {
	Name  string
	Rows  []v1alpha1.Row
	Table string
	// Spoke and Hub are the field of the alternative, and the field of the value.
	Spoke, Hub *v1alpha1.Place
}

// Chooses reports whether a row is a variant with rows for its value.
func Chooses(r v1alpha1.Row) bool {
	v := r.Variant
	return v != nil && (len(v.Rows)+len(v.Alternatives)+len(v.Elsewhere) > 0 || v.Table != "")
}

// Union reports whether a place is the side of a variant with the union.
func Union(p *v1alpha1.Place) bool {
	return p.Named == nil || len(p.Named) == 2 && p.Named["type"] != "" && p.Named["value"] != ""
}

// Alternatives returns the alternatives that use the value of a variant.
func Alternatives(r v1alpha1.Row) []Alternative {
	if !Chooses(r) {
		return nil
	}
	union, all := r.Hub, r.Spoke
	if !Union(union) {
		union, all = all, union
	}
	var out []Alternative
	for _, name := range slices.Sorted(maps.Keys(all.Named)) {
		if slices.Contains(r.Variant.Elsewhere, name) {
			continue
		}
		a := Alternative{Name: name, Rows: r.Variant.Rows, Table: r.Variant.Table}
		for _, own := range r.Variant.Alternatives {
			if own.Name == name {
				a.Rows, a.Table = own.Rows, own.Table
			}
		}
		mine, value := &v1alpha1.Place{Path: all.Named[name]}, &v1alpha1.Place{Path: union.Named["value"]}
		if a.Spoke, a.Hub = mine, value; union == r.Spoke {
			a.Spoke, a.Hub = value, mine
		}
		out = append(out, a)
	}
	return out
}
