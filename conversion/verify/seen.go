package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// checkSeen checks the third part of L2: a stash never overrides an edit. What the table alone can map
// of the edited view must be in the version that it is converted to, and must not come back only
// from the view's own stash.
//
// The edited view is converted twice, once as it is and once without stashes, and both results are
// converted back without stashes. If the second result has the edit, the first must have it, too,
// unless the edit only deleted what some version drops: a trip through that version does the same.
// One of the two versions is the hub. Between two spokes the hub's own stash takes part, and L5
// makes two such steps of a conversion between spokes.
func (s *Subject) checkSeen(c Case) *Counterexample {
	if !slices.Contains(c.Through, s.Table.Spec.Hub) {
		return nil
	}
	t := s.start(c)
	t.bare()
	view, to := c.Through[0], c.Through[1]
	if view != c.From {
		t.to(view)
	}
	before := t.value
	t.edit(c.Edits)
	if t.broken != "" {
		return t.counterexample(c, t.broken, nil)
	}
	before, edited := s.ordered(before, view, to), s.ordered(t.value, view, to)
	changed := t.differs(before, edited)
	plain := t.fork().bare()
	var shown []*tree.Value // the object in the other version: without the stash, and with it
	for _, t := range []*trip{plain, t} {
		if t.to(to); c.Served && t.broken == "" {
			t.receive()
		}
		shown = append(shown, t.value)
		t.bare().to(view)
		if t.broken != "" {
			return t.counterexample(c, t.broken, nil)
		}
	}
	plain.value, t.value = s.ordered(plain.value, view, to), s.ordered(t.value, view, to)
	excused := excuses{s, view, to, edited, changed, shown[0], shown[1]}
	unable, drops := plain.differs(edited, plain.value), s.dropped(view, s.Versions())
	isDrop := func(d tree.Difference) bool {
		return d.Left == nil && slices.ContainsFunc(drops, func(p places.Pattern) bool { return places.Covers(p, d.Path) })
	}
	diff := slices.DeleteFunc(t.differs(edited, t.value), func(d tree.Difference) bool {
		return !isEdited(d, changed) || isCovered(d.Path, unable) || isDrop(d) || excused.excuse(d)
	})
	if len(diff) > 0 {
		return t.counterexample(c, "a stash overrides what was edited: "+to+" does not show it", diff)
	}
	return nil
}

// bare removes Crosswalk's own annotations.
func (t *trip) bare() *trip {
	if t.broken == "" {
		t.value = withoutOurs(t.value)
		t.bytes = t.value.Append(nil)
	}
	return t
}

// isEdited reports whether a difference is at a place that an edit has changed, or has such a place
// inside at which the two views differ.
func isEdited(d tree.Difference, edits []tree.Difference) bool {
	return slices.ContainsFunc(edits, func(e tree.Difference) bool {
		inside, ok := places.Below(places.Pattern(d.Path), places.Pattern(e.Path))
		if !ok {
			return isCovered(d.Path, []tree.Difference{e})
		}
		return !tree.Equal(d.Left.At(tree.Path(inside)), d.Right.At(tree.Path(inside)))
	})
}

// isCovered reports whether one of the differences is at a path, above it or below it.
func isCovered(p tree.Path, diff []tree.Difference) bool {
	for _, d := range diff {
		short, long := places.Pattern(p), places.Pattern(d.Path)
		if len(short) > len(long) {
			short, long = long, short
		}
		if _, ok := places.Below(short, long); ok {
			return true
		}
	}
	return false
}
