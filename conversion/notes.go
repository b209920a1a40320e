package conversion

import "github.com/crosswalk-dev/crosswalk/conversion/internal/complement"

// Notes counts events of conversions for metrics and logs. A conversion adds to it and never
// resets it, so one Notes can collect a whole review.
type Notes struct {
	// Residuals is the number of entries written to the source version's own stash, for values
	// that the target version can't represent.
	Residuals int
	// IgnoredStashes is the number of stash annotations that were not used because they were
	// malformed or had an unknown format.
	IgnoredStashes int
	// LeftOut is the number of entries that did not fit the budget of annotations. The
	// annotation crosswalk.dev/incomplete lists them.
	LeftOut int
	// Unplaced is the number of entries of another table for which the present one has no place.
	// They stay in the annotation, and the object in their version lacks them.
	Unplaced int
}

func (n *Notes) add(of complement.Result) {
	n.Residuals += of.Kept
	n.IgnoredStashes += of.Ignored
	n.LeftOut += of.LeftOut
	n.Unplaced += of.Unplaced
}
