package verify

import (
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// seen is what L2 means by a stash never overriding what somebody wrote: what
// the table alone can carry of the edited view must be seen in the version that
// it is converted to, and not only come back from the view's own stash.
//
// The edited view goes there twice, once as it is and once without stashes, and
// both times comes back without. Where the second way brings back what was
// edited, the first must, too.
func (s *Subject) seen(c Case) *Counterexample {
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
		if covered(d.Path, changed) && !covered(d.Path, unable) && !s.around(d, view, to) {
			diff = append(diff, d)
		}
	}
	if diff != nil {
		return t.counterexample(c, "a stash overrides what was edited: "+to+" does not show it", diff)
	}
	return nil
}

// around says whether a difference is no more than an object that the edit took
// away and that stands again around something else: what only the other version
// has, its defaults in it, or what the hub between two spokes has.
func (s *Subject) around(d tree.Difference, view, to string) bool {
	if d.Left != nil || d.Right.Kind != tree.Object {
		return false
	}
	return len(d.Right.Members) > 0 || view != s.Table.Spec.Hub && to != s.Table.Spec.Hub
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
