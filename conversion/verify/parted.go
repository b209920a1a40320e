package verify

import (
	"cmp"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// inParts is an object of a version, with its defaults, in which the elements of each
// list that the table takes apart for another version stand part by part. Where they
// stand among each other only a stash says, and without one they come back like this.
func (s *Subject) inParts(v *tree.Value, version, other string) *tree.Value {
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
			parts := partsOf(r.row)
			if parts == nil || mine.Named != nil || at.Kind != tree.List {
				return
			}
			of := func(item *tree.Value) int {
				part := slices.IndexFunc(parts, func(p v1alpha1.Part) bool { return matches(p, item) })
				if part < 0 {
					return len(parts) // no part has it
				}
				return part
			}
			slices.SortStableFunc(at.Items, func(a, b *tree.Value) int { return cmp.Compare(of(a), of(b)) })
		})
	}
	return v
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
