package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// seen is what L2 means by a stash never overriding what somebody wrote: what
// the table alone can carry of the edited view must be seen in the version that
// it is converted to, and not only come back from the view's own stash.
//
// The edited view goes there twice, once as it is and once without stashes, and
// both times comes back without. Where the second way brings back what was
// edited, the first must, too. One of the two versions is the hub: between spokes
// the hub's own stash has a say, and L5 makes two of these steps of each of those.
func (s *Subject) seen(c Case) *Counterexample {
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
	edited := t.value
	if t.broken != "" {
		return t.counterexample(c, t.broken, nil)
	}
	changed := t.differs(before, edited)
	plain := t.fork().bare()
	for _, t := range []*trip{t, plain} {
		if t.to(to); c.Served && t.broken == "" {
			t.receive()
		}
		t.bare().to(view)
		if t.broken != "" {
			return t.counterexample(c, t.broken, nil)
		}
	}
	var diff []tree.Difference
	unable := plain.differs(edited, plain.value)
	for _, d := range t.differs(edited, t.value) {
		if covered(d.Path, changed) && !covered(d.Path, unable) && !around(d) {
			diff = append(diff, d)
		}
	}
	if diff != nil {
		return t.counterexample(c, "a stash overrides what was edited: "+to+" does not show it", diff)
	}
	return nil
}

// around says whether a difference is no more than an object that the edit took
// away and that stands again around what only the other version has, with its
// defaults in it.
func around(d tree.Difference) bool {
	return d.Left == nil && d.Right.Kind == tree.Object && len(d.Right.Members) > 0
}

// bare takes Crosswalk's own annotations away.
func (t *trip) bare() *trip {
	if t.broken == "" {
		t.value = withoutOurs(t.value)
		t.bytes = t.value.Append(nil)
	}
	return t
}

// covered says whether one of the differences is at the path, above or below.
func covered(p tree.Path, diff []tree.Difference) bool {
	for _, d := range diff {
		short, long := pattern(p), pattern(d.Path)
		if len(short) > len(long) {
			short, long = long, short
		}
		if _, ok := below(short, long); ok {
			return true
		}
	}
	return false
}
