package verify

import (
	"cmp"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// ordered returns an object of a version, with its defaults, in which the elements of each list that is no list in
// the other version are ordered: those of several lists part by part, those of a map by their names. Only
// a stash has their order among each other.
func (s *Subject) ordered(v *tree.Value, version, other string) *tree.Value {
	v = withDefaults(v, s.schemas[version])
	for i := range s.expanded.Spec.Versions {
		table := &s.expanded.Spec.Versions[i]
		if table.Name != version && table.Name != other {
			continue
		}
		eachPlace(listedRows(table, "", table.Rows), version, v, func(r listed, at *tree.Value) {
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
						return len(parts) // no part has it
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

// sortBy sorts items by what of says of each, and keeps the order of those that are equal in that.
func sortBy[K cmp.Ordered](items []*tree.Value, of func(*tree.Value) K) {
	slices.SortStableFunc(items, func(a, b *tree.Value) int { return cmp.Compare(of(a), of(b)) })
}

// partsOf are the parts of a list that a row takes apart, nil where it does not.
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
