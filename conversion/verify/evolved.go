package verify

import (
	"context"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// After sets the table and the CRD under which objects were stored before, or nil. L7 compares what
// the two tables make of an object.
func (s *Subject) After(earlier *Subject) { s.earlier = earlier }

// Earlier returns the Subject of After, or nil.
func (s *Subject) Earlier() *Subject { return s.earlier }

// checkEvolved checks L7: an object that was stored under an earlier table is converted by this one. The
// first of Through is the stored version. Edits are made there, under the earlier table. The second
// is the version of the views that are compared.
//
// Each table makes two views: of the stored object, and of the stored object without the stashes of
// the view's version. What only the stash gives must still be there if the new table still makes
// the same of the stored object. On the way back the stored object must be the same, except for
// fields that can be placed only now.
func (s *Subject) checkEvolved(c Case) *Counterexample {
	if s.earlier == nil {
		return nil
	}
	t := s.earlier.storing(c)
	if t.broken != "" {
		return t.counterexample(c, t.broken, nil)
	}
	e := s.evolving(c, t)
	for _, v := range []*trip{e.before, e.live, e.after, e.liveNow} {
		if v.broken != "" {
			return v.counterexample(c, v.broken, nil)
		}
	}
	if diff := e.idle(); len(diff) > 0 {
		return e.after.counterexample(c, "under the new table the stash has what could be shown", diff)
	}
	if diff := e.lossy(); len(diff) > 0 {
		return e.after.counterexample(c, "under the new table the object has lost what it had kept", diff)
	}
	back := e.after.fork().to(e.stored)
	if back.broken != "" {
		return back.counterexample(c, back.broken, nil)
	}
	// What the stash of some version had, and this version can represent, is in the object now.
	if diff := e.changes(back, e.dropsStored); len(diff) > 0 && (withoutOurs(e.object).Size() == e.object.Size() || !e.onlyNew(diff)) {
		return back.counterexample(c, "under the new table the stored object came back changed", diff)
	}
	again := back.fork().to(e.owner)
	if again.broken != "" {
		return again.counterexample(c, again.broken, nil)
	}
	// A null that the schema does not allow is nothing that the API server sends.
	first, second := coerce(e.after.value, s.schemas[e.owner]), coerce(again.value, s.schemas[e.owner])
	if diff := s.differences(first, second, e.owner, e.drops); diff != nil {
		return again.counterexample(c, "under the new table the object is another one the second time", diff)
	}
	return nil
}

// storing converts an object to the version that it is stored in. Every write goes through the
// guard, which removes entries that are no longer valid.
func (s *Subject) storing(c Case) *trip {
	t := s.start(c)
	if stored := c.Through[0]; stored != c.From {
		t.to(stored)
	}
	t.edit(c.Edits)
	g, ok := s.converter.(guard)
	if !ok || t.broken != "" {
		return t
	}
	settled, err := g.Guard(context.Background(), nil, t.bytes, t.bytes, "")
	if err != nil {
		t.broken = "the guard fails: " + err.Error()
		return t
	}
	t.bytes = settled
	if t.value, err = tree.Parse(settled); err != nil {
		t.broken = err.Error()
	}
	return t
}

// removeStashes removes the stashes of a version.
func (t *trip) removeStashes(owner string) {
	t.value = t.value.Clone()
	if annotations := t.value.Get("metadata").Get("annotations"); annotations != nil && annotations.Kind == tree.Object {
		annotations.Set("stash.crosswalk.dev/"+owner, nil)
		annotations.Set("stash.crosswalk.dev/"+owner+".status", nil)
	}
	t.bytes = t.value.Append(nil)
}

// onlyNew reports whether differences only add what an object lacked. They may add elements to
// lists.
func onlyNew(diff []tree.Difference, object *tree.Value) bool {
	return !slices.ContainsFunc(diff, func(d tree.Difference) bool {
		if object.At(d.Path) == nil {
			return false
		}
		return !hasAllElements(d.Left, d.Right, hasAllOf)
	})
}

// hasAllElements reports whether a list has all elements of another one, or elements that are like them,
// in the same order.
func hasAllElements(list, more *tree.Value, like func(item, other *tree.Value) bool) bool {
	if kindOf(list) != tree.List || kindOf(more) != tree.List {
		return false
	}
	rest := more.Items
	for _, item := range list.Items {
		i := slices.IndexFunc(rest, func(other *tree.Value) bool { return like(item, other) })
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}
