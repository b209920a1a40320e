package verify

import (
	"maps"
	"slices"
)

// Laws are all laws, in the order of their names.
func Laws() []Law {
	return slices.Sorted(maps.Keys(says()))
}

// Says is what a law says, for people.
func (l Law) Says() string { return says()[l] }

func says() map[Law]string {
	return map[Law]string{
		RoundTrip: "there and back again, an object is what it was",
		LiveWins:  "what is edited in another version comes back as it was edited",
		Kept:      "what an edit in another version does not touch stays",
		Seen:      "what a row can carry of an edit is seen in the other version",
		Total:     "whatever comes converts, values of the wrong type and forged stashes, too",
		Forged:    "what was forged of a stash changes nothing but the place that it names",
		Stable:    "the same bytes give the same bytes, and repeated trips grow nothing",
		Coherent:  "from spoke to spoke is from spoke to hub to spoke",
		Native:    "no stash where the other version holds everything",
		Guarded:   "whoever drops or forges a stash changes nothing",
	}
}
