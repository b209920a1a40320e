package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// After tells a subject which table, of which CRD, its objects were stored under
// before: L7 compares the two.
func (s *Subject) After(earlier *Subject) { s.earlier = earlier }

// evolved is L7: an object that was stored under an earlier table is converted by
// this one. The first of Through is the version that it is stored in, where it is
// also edited, still under the earlier table; the second is the version whose view
// of it is compared.
//
// Under either table the view is made twice, once of the object as it is and once
// without the stashes of that version. What only the stash says must still be there
// where nothing else is to be said, and where the stored object would, by the new
// table, be what it is.
func (s *Subject) evolved(c Case) *Counterexample {
	if s.earlier == nil {
		return nil
	}
	t := s.earlier.start(c)
	stored, owner := c.Through[0], c.Through[1]
	if stored != c.From {
		t.to(stored)
	}
	t.edit(c.Edits)
	if g, ok := s.earlier.converter.(guard); ok && t.broken == "" {
		// Every write is guarded: entries that no longer hold are gone.
		settled, err := g.Guard(nil, t.bytes, t.bytes, "")
		if err != nil {
			return t.counterexample(c, "the guard fails: "+err.Error(), nil)
		}
		t.bytes = settled
		if t.value, err = tree.Parse(settled); err != nil {
			t.broken = err.Error()
		}
	}
	if t.broken != "" {
		return t.counterexample(c, t.broken, nil)
	}
	object := t.value
	if !tree.Equal(object, coerce(object, s.schemas[stored])) {
		return nil // the API server prunes what the schemas of today lack
	}
	view := func(s *Subject, bare bool) *trip {
		out := t.fork()
		out.s, out.value, out.bytes = s, object, object.Append(nil)
		if bare {
			out.without(owner)
		}
		if c.Served {
			out.receive()
		}
		return out.to(owner)
	}
	before, live, after, liveNow := view(s.earlier, false), view(s.earlier, true), view(s, false), view(s, true)
	for _, v := range []*trip{before, live, after, liveNow} {
		if v.broken != "" {
			return v.counterexample(c, v.broken, nil)
		}
	}
	if !tree.Equal(before.value, coerce(before.value, s.schemas[owner])) {
		return nil
	}
	through := append(s.Versions(), s.earlier.Versions()...)
	drops := slices.Concat(s.earlier.dropped(owner, slices.Clone(through)), s.dropped(owner, slices.Clone(through)))
	e := evolving{s: s, owner: owner}
	same := func(t *trip) *tree.Value { return s.comparable(t.value, owner, drops) }
	e.place(nil, same(before), same(live), same(after), same(liveNow))
	lost := slices.Concat(s.earlier.dropped(stored, slices.Clone(through)), s.dropped(stored, slices.Clone(through)))
	changes := func(t *trip) []tree.Difference {
		diff := tree.Diff(s.comparable(object, stored, lost), s.comparable(t.value, stored, lost))
		return slices.DeleteFunc(diff, func(d tree.Difference) bool { return e.elsewhere(d.Path) })
	}
	var diff []tree.Difference
	for _, d := range e.diff {
		// What would the stored object be if this had not been lost?
		kept := after.fork()
		kept.value = kept.value.Clone()
		if e.unsure(d.Path, d.Left) || !kept.value.Put(d.Path, d.Left.Clone()) {
			continue
		}
		kept.bytes = kept.value.Append(nil)
		if kept.to(stored); kept.broken == "" && onlyNew(changes(kept), object) && (len(changes(kept)) == 0 || liveNow.value.At(d.Path) == nil) {
			diff = append(diff, d)
		}
	}
	if diff != nil {
		return after.counterexample(c, "under the new table the object has lost what it had kept", diff)
	}
	if len(drops) > 0 || len(lost) > 0 || s.watches() {
		// What is dropped takes more with it than its own place, and what appears
		// may be what a variant goes by.
		return nil
	}
	back := after.fork().to(stored)
	if back.broken != "" {
		return back.counterexample(c, back.broken, nil)
	}
	// What some version had kept and has a place in this one now comes to be seen
	// there.
	if diff := changes(back); len(diff) > 0 && (withoutOurs(object).Size() == object.Size() || !onlyNew(diff, object)) {
		return back.counterexample(c, "under the new table the stored object came back changed", diff)
	}
	again := back.fork().to(owner)
	if again.broken != "" {
		return again.counterexample(c, again.broken, nil)
	}
	if diff := tree.Diff(same(after), same(again)); diff != nil {
		return again.counterexample(c, "under the new table the object is another one the second time", diff)
	}
	return nil
}

// without takes the stashes of a version away.
func (t *trip) without(owner string) {
	t.value = t.value.Clone()
	if annotations := t.value.Get("metadata").Get("annotations"); annotations != nil && annotations.Kind == tree.Object {
		annotations.Set("stash.crosswalk.dev/"+owner, nil)
		annotations.Set("stash.crosswalk.dev/"+owner+".status", nil)
	}
	t.bytes = t.value.Append(nil)
}

// evolving compares a view under two tables.
type evolving struct {
	s     *Subject
	owner string
	diff  []tree.Difference
}

// place compares one place: before and after with stashes, and live and liveNow
// without.
func (e *evolving) place(p tree.Path, before, live, after, liveNow *tree.Value) {
	switch {
	case tree.Equal(before, after):
	case before == nil && live == nil:
		// What another version had kept has a place here now.
	case e.isMap(p) && liveNow != nil && !tree.Equal(live, liveNow):
		// A map that is there says what is in it.
	case !tree.Equal(live, liveNow) && !(aligned(before, live) && aligned(live, liveNow)):
		// Which of the elements are those that stand there without stashes?
	case tree.Equal(live, liveNow):
		e.differ(p, before, after)
	case tree.Equal(before, live):
		// Nothing was kept: the table alone said what stood here.
	case liveNow == nil && live != nil && live.Kind != tree.Object:
		// What was kept belongs to something that the table no longer ties.
	case objects(before, live, after, liveNow) && before != nil && (after != nil || len(before.Members) > 0):
		for _, name := range memberNames(before, after) {
			e.place(p.Name(name), before.Get(name), live.Get(name), after.Get(name), liveNow.Get(name))
		}
	case lists(before, live, after, liveNow):
		for i := range before.Items {
			e.place(p.Index(i), before.Items[i], live.Items[i], after.Items[i], liveNow.Items[i])
		}
	case liveNow == nil || !tree.Equal(after, liveNow):
		e.differ(p, before, after)
	}
}

func (e *evolving) differ(p tree.Path, before, after *tree.Value) {
	for _, d := range tree.Diff(before, after) {
		if e.wasImplied(append(slices.Clip(p), d.Path...), d.Left) {
			continue
		}
		e.diff = append(e.diff, tree.Difference{Path: append(slices.Clip(p), d.Path...), Left: d.Left, Right: d.Right})
	}
}

// wasImplied says whether a place held what the earlier table gave it as a constant:
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
			p, ok := parsePath(side.Path)
			constant, err := tree.Parse(r.Constant.JSON)
			ends := ok && len(p) <= len(at) && slices.Equal(p, at[len(at)-len(p):])
			implied = implied || ends && err == nil && tree.Equal(constant, before)
		}
	})
	return implied
}

// watches says whether the table has a variant.
func (s *Subject) watches() bool {
	found := false
	eachList(s.Table, func(rows *[]v1alpha1.Row) {
		found = found || slices.ContainsFunc(*rows, func(r v1alpha1.Row) bool { return r.Variant != nil })
	})
	return found
}

// isMap says whether a place is a map.
func (e *evolving) isMap(at tree.Path) bool {
	of := e.s.schemaAt(at, e.owner)
	return of != nil && of.Type == "object" && len(of.Properties) == 0
}

// unsure says whether a place is in an element, is a list, or had nothing, while the
// hub is another one. Rows between other versions say then what stands there, and
// what they say by themselves may be as good as what was kept. Elements that another
// version's rows no longer tell apart are beyond this law, too.
func (e *evolving) unsure(at tree.Path, before *tree.Value) bool {
	if e.elsewhere(at) {
		return true
	}
	return e.s.Table.Spec.Hub != e.s.earlier.Table.Spec.Hub &&
		(before == nil || before.Kind == tree.List || slices.ContainsFunc(at, func(step tree.Step) bool { return step.IsIndex }))
}

// elsewhere says whether a place is in an element that rows of a third version may
// have made another one.
func (e *evolving) elsewhere(at tree.Path) bool {
	return len(e.s.Versions()) > 2 && slices.ContainsFunc(at, func(step tree.Step) bool { return step.IsIndex })
}

// onlyNew says whether differences are no more than what an object lacked, be it
// elements of lists.
func onlyNew(diff []tree.Difference, object *tree.Value) bool {
	return !slices.ContainsFunc(diff, func(d tree.Difference) bool {
		if object.At(d.Path) == nil {
			return false
		}
		if kindOf(d.Left) != tree.List || kindOf(d.Right) != tree.List {
			return true
		}
		rest := d.Right.Items
		for _, item := range d.Left.Items {
			i := slices.IndexFunc(rest, func(other *tree.Value) bool { return tree.Equal(item, other) })
			if i < 0 {
				return true
			}
			rest = rest[i+1:]
		}
		return false
	})
}

// aligned says whether the elements of two lists, where they are lists, are the same
// ones.
func aligned(a, b *tree.Value) bool {
	if kindOf(a) != tree.List || kindOf(b) != tree.List {
		return true
	}
	if len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Items {
		for _, key := range []string{"name", "id", "port"} {
			if !tree.Equal(a.Items[i].Get(key), b.Items[i].Get(key)) {
				return false
			}
		}
	}
	return true
}

func kindOf(v *tree.Value) tree.Kind {
	if v == nil {
		return tree.Null
	}
	return v.Kind
}

// objects says whether all of the values that are there are objects.
func objects(values ...*tree.Value) bool {
	return !slices.ContainsFunc(values, func(v *tree.Value) bool { return v != nil && v.Kind != tree.Object })
}

// lists says whether all values are lists of one length.
func lists(values ...*tree.Value) bool {
	return !slices.ContainsFunc(values, func(v *tree.Value) bool {
		return v == nil || v.Kind != tree.List || values[0] == nil || len(v.Items) != len(values[0].Items)
	})
}

func memberNames(values ...*tree.Value) []string {
	var names []string
	for _, v := range values {
		if v == nil {
			continue
		}
		for _, m := range v.Members {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
