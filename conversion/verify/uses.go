package verify

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// Uses counts how often the fields of rows had values. A row whose fields never had a value is not
// tested.
type Uses struct {
	table  *v1alpha1.Crosswalk
	counts map[RowRef]int
}

// RowUse is a row, and how often one of its fields had a value.
type RowUse struct {
	RowRef
	Times int
}

func newUses(table *v1alpha1.Crosswalk) Uses { return Uses{table: table, counts: map[RowRef]int{}} }

// see looks at the object of a case.
func (u *Uses) see(c Case) {
	if c.Law != Native {
		return // every object makes one such case
	}
	v, err := tree.Parse(c.Object)
	if err != nil {
		return
	}
	for i := range u.table.Spec.Versions {
		table := &u.table.Spec.Versions[i]
		if c.From == table.Name || c.From == u.table.Spec.Hub {
			eachPlace(listedRows(table, "", table.Rows), c.From, v, func(r listedRow, _ *tree.Value) { u.counts[r.ref]++ })
		}
	}
}

// eachPlace calls do for the values of rows in an object of a version, and for those of the rows
// for their parts and elements.
func eachPlace(rows []listedRow, version string, v *tree.Value, do func(r listedRow, at *tree.Value)) {
	for _, r := range rows {
		for _, p := range r.in(version) {
			at := v.At(tree.Path(p))
			if at == nil {
				continue
			}
			do(r, at)
			eachPlace(r.parts(), version, at, do)
			for _, element := range elementsOf(r.row, at) {
				eachPlace(r.elements(), version, element, do)
			}
		}
	}
}

// elementsOf returns the elements of a list, the values of a map, or the single element.
func elementsOf(r v1alpha1.Row, v *tree.Value) []*tree.Value {
	switch {
	case r.Variant != nil:
		return []*tree.Value{v}
	case v.Kind == tree.List:
		return v.Items
	case v.Kind == tree.Object && r.Single == nil && r.Where == nil:
		var out []*tree.Value
		for _, m := range v.Members {
			out = append(out, m.Value)
		}
		return out
	}
	return []*tree.Value{v}
}

// All returns the rows of the table in their order: those of each version with the rows within
// them, and then those of its named tables.
func (u *Uses) All() []RowUse {
	var out []RowUse
	var add func([]listedRow)
	add = func(rows []listedRow) {
		for _, l := range rows {
			out = append(out, RowUse{l.ref, u.counts[l.ref]})
			add(l.own())
		}
	}
	for i := range u.table.Spec.Versions {
		table := &u.table.Spec.Versions[i]
		add(listedRows(table, "", table.Rows))
		for _, name := range slices.Sorted(maps.Keys(table.Tables)) {
			add(listedRows(table, "table "+name+" ", table.Tables[name]))
		}
	}
	return out
}
