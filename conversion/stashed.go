package conversion

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// Stashed is a field of another version that a stash of an object has a value for.
type Stashed struct {
	// Annotation is the name of the stash.
	Annotation string
	// Owner is the version that has the field.
	Owner string
	// Names is the path of the field, without the positions in lists.
	Names []string
	// Path is the path of the field with the keys of list elements, such as
	// .spec.jobs[{"name":"x"}].command.
	Path string
	// Unplaced reports that an earlier table has kept the value, and that a conversion has found
	// no place for it. It stays in the stash, and the object in the version Owner lacks it.
	Unplaced bool
}

// StashedIn returns the fields that the stashes of an object have values for. A malformed stash
// has none.
func StashedIn(text []byte) []Stashed {
	if object.Check(text) != nil {
		return nil
	}
	return StashesOf(object.ReadHead(text).Ours)
}

// StashesOf is [StashedIn] for the annotations of an object.
func StashesOf(annotations map[string]string) []Stashed {
	var all []Stashed
	for _, name := range slices.Sorted(maps.Keys(annotations)) {
		owner, ok := stash.Owner([]byte(name))
		if !ok {
			continue
		}
		entries, _, _ := stash.Read(nil, []byte(annotations[name]))
		for _, e := range entries {
			s := Stashed{Annotation: name, Owner: string(owner), Path: string(stash.AppendPath(nil, e.At)), Unplaced: e.Unplaced != nil}
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
