package conversion

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// Stashed is a place of another version that an object's stashes hold.
type Stashed struct {
	// Owner is the version that shows the place.
	Owner string
	// Names lead to it; which elements of lists they go through is left out.
	Names []string
}

// StashedIn returns what the stashes of an object hold. One that is malformed holds
// nothing.
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
