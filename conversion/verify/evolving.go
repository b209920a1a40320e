package verify

import (
	"encoding/json"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// evolving compares the views of one stored object under two tables.
type evolving struct {
	s *Subject
	// object is what is stored, in the version stored, and owner the version of the
	// views.
	object        *tree.Value
	stored, owner string
	// before and after are the views under the earlier table and under this one;
	// live and liveNow are the same without the stashes of their version.
	before, live, after, liveNow *trip
	// drops and dropsStored are what either table drops of the two versions.
	drops, dropsStored []places.Pattern
	// untouched says that the table between owner and the hub is what it was, and
	// elsewhere that beside it the one between the hub and the stored version is not.
	untouched, elsewhere bool
	// unpruned is before of what was stored until the API server pruned what the schemas
	// of today lack, nil where that was nothing.
	unpruned *tree.Value
	// moved says that the hub, between the two, is not what it was.
	moved bool
	diff  []tree.Difference
}

func (s *Subject) evolving(c Case, t *trip) *evolving {
	e := &evolving{s: s, stored: c.Through[0], owner: c.Through[1]}
	same := func(version string) bool { return s.tableOf(version) == s.earlier.tableOf(version) }
	e.untouched = same(e.owner)
	e.elsewhere = e.untouched && !same(e.stored)
	// What the schemas of today lack, the API server prunes.
	e.object = coerce(t.value, s.schemas[e.stored])
	if !tree.Equal(e.object, t.value) {
		e.unpruned = t.fork().to(e.owner).value
	}
	view := func(s *Subject, bare bool, to string) *trip {
		out := t.fork()
		out.s, out.value, out.bytes = s, e.object, e.object.Append(nil)
		if bare {
			out.without(e.owner)
		}
		if c.Served {
			out.receive()
		}
		return out.to(to)
	}
	if e.elsewhere && e.between() {
		was, is := view(s.earlier, true, s.Table.Spec.Hub), view(s, true, s.Table.Spec.Hub)
		e.moved = !tree.Equal(withoutOurs(was.value), withoutOurs(is.value))
	}
	e.before, e.live = view(s.earlier, false, e.owner), view(s.earlier, true, e.owner)
	e.after, e.liveNow = view(s, false, e.owner), view(s, true, e.owner)
	dropped := func(of string) []places.Pattern {
		through := []string{c.From, e.stored, e.owner}
		return slices.Concat(s.earlier.dropped(of, slices.Clone(through)), s.dropped(of, slices.Clone(through)))
	}
	e.drops, e.dropsStored = dropped(e.owner), dropped(e.stored)
	return e
}

// tableOf is all that a table says between the hub and another version, whatever the
// hub is called.
func (s *Subject) tableOf(version string) string {
	rows := slices.DeleteFunc(slices.Clone(s.expanded.Spec.Versions), func(v v1alpha1.VersionTable) bool { return v.Name != version })
	schemas := map[bool]*apiextensionsv1.CustomResourceValidation{}
	for _, v := range s.CRD.Spec.Versions {
		if v.Name == version || v.Name == s.Table.Spec.Hub {
			schemas[v.Name == s.Table.Spec.Hub] = v.Schema
		}
	}
	text, err := json.Marshal([]any{rows, weave.Revised(s.Table), schemas[false], schemas[true]})
	if err != nil {
		// No file gets here, and no caller: what is in the CRD and the table are numbers,
		// texts and JSON, and NewSubject, in reading the schemas and compiling the table,
		// has refused a default, an enum or a value that is no JSON.
		panic(err)
	}
	return string(text)
}

// changes are where an object differs from the stored one, but for these places.
func (e *evolving) changes(t *trip, drops []places.Pattern) []tree.Difference {
	return e.s.differences(e.object, t.value, e.stored, drops)
}

// onlyNew reports whether changes are no more than what the stored object lacks. What has
// a default is there.
func (e *evolving) onlyNew(changes []tree.Difference) bool {
	return onlyNew(changes, e.s.comparable(e.object, e.stored, nil))
}

// lost is what the earlier table had kept and this one could show, but does not.
func (e *evolving) lost() []tree.Difference {
	same := func(t *trip) *tree.Value {
		return e.s.comparable(coerce(t.value, e.s.schemas[e.owner]), e.owner, e.drops)
	}
	liveNow := same(e.liveNow)
	if e.unpruned != nil {
		e.unpruned = e.s.comparable(coerce(e.unpruned, e.s.schemas[e.owner]), e.owner, e.drops)
	}
	before := same(e.before)
	e.place(nil, before, same(e.live), same(e.after), liveNow)
	return slices.DeleteFunc(e.diff, func(d tree.Difference) bool {
		// What would the stored object be if this had not been lost?
		kept := e.after.fork()
		kept.value = kept.value.Clone()
		if e.unpruned != nil && tree.Equal(e.unpruned.At(d.Path), d.Right) {
			return true // what else the earlier table shows comes of the pruning
		}
		if e.wasImplied(d.Path, d.Left) || e.twiceKept(d.Path) || e.aroundDropped(d) || e.aroundGone(d) || e.besideStored(d) || e.withinGone(d.Path) {
			return true
		}
		at, left := d.Path, d.Left
		if entry := e.guarded(d.Path); entry != nil && kindOf(before.At(entry)) == tree.Object {
			at, left = entry, before.At(entry) // one entry counts as a whole, or not at all
		}
		if !kept.value.Put(at, left.Clone()) {
			return true
		}
		kept.bytes = kept.value.Append(nil)
		if e.moved && e.guarded(d.Path) != nil || e.contested(kept) {
			return true
		}
		if kept.to(e.stored); kept.broken != "" {
			return true
		}
		// What only the earlier table dropped is to this one as live as anything.
		changes := e.changes(kept, e.s.dropped(e.stored, []string{e.owner, e.stored}))
		return len(changes) > 0 && (liveNow.At(d.Path) != nil || e.guardedIn(d.Path, liveNow) || !e.onlyNew(changes))
	})
}

// place compares one place.
func (e *evolving) place(p tree.Path, before, live, after, liveNow *tree.Value) {
	switch {
	case tree.Equal(before, live):
		// Nothing was kept: the table alone said what stood here.
	case tree.Equal(before, after):
	case e.before.value.At(p) == nil && e.live.value.At(p) == nil && tree.Equal(after, liveNow) && !tree.Equal(live, liveNow):
		// Rows make this of what is there: in what was kept there was nothing of it, but
		// that is not absent.
	case e.elsewhere && live != nil && liveNow == nil:
		// Rows of another version no longer make of what is stored what this was kept
		// in: to this version it is as if somebody had taken that away.
	case objects(before, live, after, liveNow) && before != nil && (after != nil || len(before.Members) > 0 || live != nil && liveNow == nil):
		for _, name := range memberNames(before, after) {
			e.place(p.Name(name), before.Get(name), live.Get(name), after.Get(name), liveNow.Get(name))
		}
	case before == nil && live != nil && onlyAdded(after, live, e.s.schemaAt(p, e.owner)):
		// That it was absent followed from what was kept of what was in it.
	case kindOf(before) == tree.List && live == nil && kindOf(liveNow) == tree.List:
		// Rows make this list now, and nothing says which of its elements are those of
		// the list that was kept.
	case e.elsewhere && !tree.Equal(live, liveNow) && kindOf(live) != tree.List:
		// Rows of another version make something else of what is stored: to this one it
		// is as if somebody had edited that, and what had been kept beside it goes.
	case kindOf(live) == tree.List && (e.between() || e.newHub() || e.unpruned != nil) && e.byContent(p) && !tree.Equal(e.live.value.At(p), e.liveNow.value.At(p)):
		// What tells elements without a key apart is what the hub has of them, and that
		// is not what it was, be it by what some table drops; or what is stored of them,
		// of which the API server has pruned something.
	case e.unpruned != nil && reordered(before, e.unpruned.At(p)) && lists(after, e.unpruned.At(p)) && continued(after, e.unpruned.At(p), within):
		// The earlier table has taken elements for others since they were pruned.
	case kindOf(live) == tree.List && e.newHub() && e.ordersParts(p) && sameElements(before, after):
		// What was kept is the order of a list of parts, and between this version and the
		// new hub, that has none, nothing says which element was in which.
	case kindOf(live) == tree.List && e.newHub() && e.isInPart(p):
		// Neither does anything say which of the elements stood alone, or was one of a part
		// without what it was of the part by.
	case kindOf(live) == tree.List && e.newHub() && e.byContent(p) && e.hubFillsIn(p):
		// The new hub has constants in elements that are known by their content.
	case (e.newHub() || e.unpruned != nil) && lists(before, live, after, liveNow) && twins(live) && e.byContent(p):
		e.placeElements(p, before, live, after, liveNow)
	case kindOf(live) != tree.List || tree.Equal(live, liveNow):
		e.differ(p, before, live, after)
	case reordered(before, live):
		// What was kept is the order of elements that other rows make now: nothing says
		// which is which.
	case lists(before, live, after, liveNow) && aligned(before, live, keyPlaces) && aligned(live, liveNow, e.keysOf(p)):
		e.placeElements(p, before, live, after, liveNow)
		// Else the elements are others than those that it was kept for: a row that tied
		// the list is gone, or makes other elements without a key of it.
	}
}

// placeElements compares the elements of lists of one length. What was one of so many equal
// ones is not compared if it is one of others now, or if another hub, or what the API server
// has pruned, told them apart.
func (e *evolving) placeElements(p tree.Path, before, live, after, liveNow *tree.Value) {
	for i := range before.Items {
		n := count(live, live.Items[i])
		if n > 1 && keyless(live) && (e.newHub() || e.unpruned != nil || n != count(liveNow, live.Items[i]) || others(live, liveNow)) {
			continue
		}
		e.place(p.Index(i), before.Items[i], live.Items[i], after.Items[i], liveNow.Items[i])
	}
}

// differ notes where a value is not what it was, but for what has a place there only
// now.
func (e *evolving) differ(p tree.Path, before, live, after *tree.Value) {
	for _, d := range tree.Diff(before, after) {
		if d.Left == nil && live.At(d.Path) == nil {
			continue
		}
		e.diff = append(e.diff, tree.Difference{Path: append(slices.Clip(p), d.Path...), Left: d.Left, Right: d.Right})
	}
}

// between reports whether the hub is neither the stored version nor the owner, by either
// table.
func (e *evolving) between() bool {
	return !slices.ContainsFunc([]string{e.s.Table.Spec.Hub, e.s.earlier.Table.Spec.Hub}, func(hub string) bool {
		return hub == e.stored || hub == e.owner
	})
}

// newHub reports whether the hub is another version, and neither that of before nor one
// like it.
func (e *evolving) newHub() bool {
	return e.s.Table.Spec.Hub != e.s.earlier.Table.Spec.Hub && !e.untouched
}
