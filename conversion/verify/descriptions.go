package verify

import (
	"maps"
	"slices"
)

// Laws returns all laws, in the order of their names.
func Laws() []Law {
	return slices.Sorted(maps.Keys(descriptions()))
}

// Description returns the statement of a law, for people.
func (l Law) Description() string { return descriptions()[l] }

func descriptions() map[Law]string {
	return map[Law]string{
		RoundTrip: "an object that is converted there and back is unchanged",
		LiveWins:  "an edit in another version is still there after a conversion there and back",
		Kept:      "fields that an edit in another version does not affect are unchanged",
		Seen:      "an edit that a row can map is visible in the other version",
		Total:     "every object converts, even with values of the wrong type or a forged stash",
		Forged:    "a forged part of a stash changes nothing but the field that it names",
		Stable:    "the same input gives the same output, and repeated conversions do not grow an object",
		Coherent:  "a conversion between spokes equals the conversion through the hub",
		Native:    "an object has no stash if the other version can represent all of it",
		Guarded:   "a client that drops or forges a stash changes nothing",
	}
}
