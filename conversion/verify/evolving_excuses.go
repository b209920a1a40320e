package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// What follows is what an earlier table showed, that this one need not.

// aroundDropped reports whether an object was there for nothing but what is dropped.
func (e *evolving) aroundDropped(d tree.Difference) bool {
	return kindOf(d.Left) == tree.Object && d.Right == nil && e.s.barren(d.Left, d.Path, e.owner, e.drops) &&
		slices.ContainsFunc(e.drops, func(p places.Pattern) bool { return places.LeadsTo(d.Path, p) })
}

// aroundGone reports whether an object with no more than its defaults was there for nothing but what rows made of the
// object around it, or in it, that is no more at its place: no entry says that it was there.
func (e *evolving) aroundGone(d tree.Difference) bool {
	return kindOf(d.Left) == tree.Object && d.Right == nil && e.s.barren(d.Left, d.Path, e.owner, nil) &&
		kindOf(e.live.value.At(d.Path)) == tree.Object && !e.says(d.Path)
}

// besideStored reports whether an empty object stands for nothing but the one that is stored
// there. That there was none, the hub had kept beside what that holds; if nothing ties
// what it holds any more, the hub has the same object, and nothing says so.
func (e *evolving) besideStored(d tree.Difference) bool {
	hub := e.s.Table.Spec.Hub
	return d.Left == nil && kindOf(d.Right) == tree.Object && len(d.Right.Members) == 0 && e.between() &&
		kindOf(e.object.At(d.Path)) == tree.Object && slices.ContainsFunc(e.entries(hub), func(entry *tree.Value) bool {
		return entry.Get("value") == nil && entry.Get("guard") != nil && slices.Equal(placeOf(entry.Get("at")), d.Path)
	})
}

// withinGone reports whether a place is in an object that the stored version has, too, and
// that is gone there: what was kept in it was only still to be seen as long as rows made
// that object from elsewhere.
func (e *evolving) withinGone(at tree.Path) bool {
	for n := 1; n < len(at); n++ {
		around := at[:n]
		if at[n-1].IsIndex {
			return false
		}
		of := e.s.schemaAt(around, e.stored)
		if of != nil && of.Type == "object" && e.object.At(around) == nil && e.after.value.At(around) == nil && e.liveNow.value.At(around) != nil {
			return true
		}
	}
	return false
}

// contested reports whether a view would be seen in the hub, or in a version that has
// kept something, too, as something else than what is there, or where that has kept that
// nothing stood. What is there in a hub that has kept it may get no elements either.
func (e *evolving) contested(kept *trip) bool {
	return slices.ContainsFunc(e.s.Versions(), func(version string) bool {
		if version == e.owner || version != e.s.Table.Spec.Hub && !e.hasKept(version) {
			return false
		}
		seen, there := e.after.fork().to(version), kept.fork().to(version)
		diff := e.s.differences(seen.value, there.value, version, nil)
		changed := func(d tree.Difference) bool {
			return e.denies(version, d.Path) || version == e.s.Table.Spec.Hub && e.hasKept(version) && seen.value.At(d.Path) != nil
		}
		return there.broken != "" || !onlyNew(diff, seen.value) || slices.ContainsFunc(diff, changed)
	})
}

// twiceKept reports whether a place is in an element that was kept itself, by the hub
// that there was, while its own version kept the place: a stash of its own says only
// where in the element that is.
func (e *evolving) twiceKept(at tree.Path) bool {
	inElement := func(step tree.Step) bool { return step.IsIndex }
	if e.s.Table.Spec.Hub == e.s.earlier.Table.Spec.Hub || !slices.ContainsFunc(at, inElement) {
		return false
	}
	shown := e.after.fork()
	shown.version, shown.value = e.stored, withoutOurs(e.object)
	shown.bytes = shown.value.Append(nil)
	view := shown.to(e.owner).value
	for i, step := range at {
		if step.IsIndex && view.At(at[:i]) == nil {
			return true
		}
	}
	return false
}

// wasImplied reports whether a place held what the earlier table gave it as a constant:
// that was not kept, be it that what it stood in was.
func (e *evolving) wasImplied(at tree.Path, before *tree.Value) bool {
	implied := false
	eachList(expanded(e.s.earlier.Table), func(rows *[]v1alpha1.Row) {
		for _, r := range *rows {
			side := r.Spoke
			if r.Hub != nil {
				side = r.Hub
			}
			if before == nil || r.Constant == nil || side == nil {
				continue
			}
			p, ok := places.Parse(side.Path)
			constant, err := tree.Parse(r.Constant.JSON)
			ends := ok && len(p) <= len(at) && slices.Equal(p, at[len(at)-len(p):])
			implied = implied || ends && err == nil && tree.Equal(constant, before)
		}
	})
	return implied
}
