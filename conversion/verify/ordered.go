package verify

import (
	"cmp"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// ordered returns an object with its defaults, in which the elements of some lists are sorted,
// because only a stash has their order: lists that are several lists in the other version, part by
// part, and lists that are maps there, by name.
func (s *Subject) ordered(v *tree.Value, version, other string) *tree.Value {
	v = withDefaults(v, s.schemas[version])
	for i := range s.expanded.Spec.Versions {
		table := &s.expanded.Spec.Versions[i]
		if table.Name != version && table.Name != other {
			continue
		}
		eachPlace(listedRows(table, "", table.Rows), version, v, func(r listedRow, at *tree.Value) {
			mine := r.row.Hub
			if version == table.Name {
				mine = r.row.Spoke
			}
			if mine.Named != nil || at.Kind != tree.List {
				return
			}
			if parts := partsOf(r.row); parts != nil {
				sortBy(at.Items, func(item *tree.Value) int {
					part := slices.IndexFunc(parts, func(p v1alpha1.Part) bool { return matches(p, item) })
					if part < 0 {
						return len(parts) // it belongs to no part
					}
					return part
				})
			}
			if by := r.row.Keyed; by != nil {
				sortBy(at.Items, func(item *tree.Value) string {
					name, _ := places.KeyName(by.Key, item)
					return name
				})
			}
		})
	}
	return v
}

// sortBy sorts items by a key. It keeps the order of items with the same key.
func sortBy[K cmp.Ordered](items []*tree.Value, of func(*tree.Value) K) {
	slices.SortStableFunc(items, func(a, b *tree.Value) int { return cmp.Compare(of(a), of(b)) })
}

// partsOf returns the parts of a list that a row splits, or nil.
func partsOf(r v1alpha1.Row) []v1alpha1.Part {
	if r.Entries == nil {
		return r.Where
	}
	named := r.Spoke.Named
	if named == nil {
		named = r.Hub.Named
	}
	var parts []v1alpha1.Part
	for _, name := range slices.Sorted(maps.Keys(named)) {
		match := map[string]v1alpha1.Value{tree.Names(r.Entries.Name).String(): {JSON: tree.NewString(name).Append(nil)}}
		parts = append(parts, v1alpha1.Part{Place: name, Match: match})
	}
	return parts
}
