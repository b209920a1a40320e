package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
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
	edited := t.value
	if t.broken != "" {
		return t.counterexample(c, t.broken, nil)
	}
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
	var diff []tree.Difference
	unable := plain.differs(edited, plain.value)
	for _, d := range t.differs(edited, t.value) {
		if covered(d.Path, changed) && !covered(d.Path, unable) && !around(d, shown[1]) && !elsewhere(d.Path, edited, plain.value) &&
			!s.computedOfKept(d.Path, view, to, shown[0], shown[1]) {
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
func around(d tree.Difference, there *tree.Value) bool {
	if d.Left != nil || d.Right.Kind != tree.Object {
		return false
	}
	kept := there.At(d.Path)
	return len(d.Right.Members) > 0 || kept != nil && kept.Kind == tree.Object && len(kept.Members) > 0
}

// computedOfKept says whether an expression computes a place, and mentions something
// that only the stash has brought to the version that it reads. It sees all of that
// version. What somebody wrote in the view has changed nothing but what the row ties
// there, and that must be as it is without the stash; what else is there stays.
func (s *Subject) computedOfKept(at tree.Path, view, to string, plain, shown *tree.Value) bool {
	found := false
	places.EachRow(s.rows(view, to), nil, nil, func(r v1alpha1.Row, mine, theirs []places.Pattern) {
		if r.CEL == nil {
			return
		}
		expressions := r.CEL.ToSpoke
		if view == s.Table.Spec.Hub {
			mine, theirs, expressions = theirs, mine, r.CEL.ToHub
		}
		if !slices.ContainsFunc(mine, func(p places.Pattern) bool { return places.Covers(p, at) }) {
			return
		}
		brought := false
		for _, d := range tree.Diff(plain, shown) {
			if slices.ContainsFunc(theirs, func(p places.Pattern) bool { return ties(p, d) }) {
				return
			}
			brought = brought || places.Mentions(expressions, d.Path[len(d.Path)-1].Name)
		}
		found = found || brought
	})
	return found
}

// ties says whether a difference is, or holds, one at a place of a row.
func ties(p places.Pattern, d tree.Difference) bool {
	if places.Covers(p, d.Path) {
		return true
	}
	holds := func(v *tree.Value) bool {
		if v == nil {
			return false
		}
		without := v.Clone()
		places.Cut(without, p[len(d.Path):])
		return !tree.Equal(without, v)
	}
	return places.LeadsTo(d.Path, p) && (holds(d.Left) || holds(d.Right))
}

// elsewhere says whether a place is in an element that is not where it was without
// the stash: another one has its position, and it has that of another one.
func elsewhere(at tree.Path, edited, plain *tree.Value) bool {
	for n, step := range at {
		list, other := edited.At(at[:n]), plain.At(at[:n])
		if !step.IsIndex || list == nil || other == nil || other.Kind != tree.List || step.Index >= len(list.Items) || step.Index >= len(other.Items) {
			continue
		}
		mine := list.Items[step.Index]
		if within(other.Items[step.Index], mine) {
			continue
		}
		for _, e := range other.Items {
			if within(e, mine) {
				return true
			}
		}
	}
	return false
}

// within says whether an object has nothing that another one has not.
func within(less, more *tree.Value) bool {
	if less.Kind != tree.Object || more.Kind != tree.Object {
		return tree.Equal(less, more)
	}
	for _, m := range less.Members {
		if in := more.Get(m.Name); in == nil || !within(m.Value, in) {
			return false
		}
	}
	return true
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
