package conversion

import "github.com/crosswalk-dev/crosswalk/conversion/internal/engine"

// Notes counts what an operator should see of a conversion. A conversion adds
// to it and never resets it, so one Notes can collect a whole review.
type Notes struct {
	// Residuals is the number of entries written to the source version's own
	// stash: what the target version could not hold.
	Residuals int
	// IgnoredStashes is the number of stash annotations that were malformed or
	// of an unknown format and therefore not used.
	IgnoredStashes int
	// LeftOut is the number of entries that did not fit the budget of
	// annotations and are named by the annotation crosswalk.dev/incomplete.
	LeftOut int
	// Unplaced is the number of entries of another table that there was no room to
	// try: they stay where they are, and the view of their version lacks them.
	Unplaced int
}

func (n *Notes) add(counts engine.Counts) {
	n.Residuals += counts.Residuals
	n.IgnoredStashes += counts.IgnoredStashes
	n.LeftOut += counts.LeftOut
}
