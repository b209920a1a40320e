package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
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
	if t.broken != "" {
		return t.counterexample(c, t.broken, nil)
	}
	before, edited := s.ordered(before, view, to), s.ordered(t.value, view, to)
	changed := t.differs(before, edited)
	plain := t.fork().bare()
	var shown []*tree.Value // in the other version: without the stash, and with it
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
	excused := excuses{s, view, to, edited, plain.value, shown[0], shown[1]}
	unable := plain.differs(edited, plain.value)
	diff := slices.DeleteFunc(t.differs(edited, t.value), func(d tree.Difference) bool {
		return !covered(d.Path, changed) || covered(d.Path, unable) || excused.excuse(d)
	})
	if len(diff) > 0 {
		return t.counterexample(c, "a stash overrides what was edited: "+to+" does not show it", diff)
	}
	return nil
}

// bare takes Crosswalk's own annotations away.
func (t *trip) bare() *trip {
	if t.broken == "" {
		t.value = withoutOurs(t.value)
		t.bytes = t.value.Append(nil)
	}
	return t
}

// covered reports whether one of the differences is at the path, above or below.
func covered(p tree.Path, diff []tree.Difference) bool {
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
