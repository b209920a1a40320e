package conversion

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// Stashed is a field of another version that a stash of an object has a value for.
type Stashed struct {
	// Owner is the version that has the field.
	Owner string
	// Names is the path of the field, without the positions in lists.
	Names []string
}

// StashedIn returns the fields that the stashes of an object have values for. A malformed stash
// has none.
func StashedIn(text []byte) []Stashed {
	if object.Check(text) != nil {
		return nil
	}
	ours := object.ReadHead(text).Ours
	var all []Stashed
	for _, name := range slices.Sorted(maps.Keys(ours)) {
		owner, ok := stash.Owner([]byte(name))
		if !ok {
			continue
		}
		entries, _, _ := stash.Read(nil, []byte(ours[name]))
		for _, e := range entries {
			s := Stashed{Owner: string(owner)}
			for _, step := range e.At {
				if step.Key == nil && step.Content == nil {
					s.Names = append(s.Names, string(step.Name))
				}
			}
			all = append(all, s)
		}
	}
	return all
}
