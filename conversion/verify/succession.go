package verify

import (
	"slices"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// L7: the view of a version has what an earlier table kept for that version, or its stash still has
// it, unplaced and unchanged.

// lossy returns the entries of the stored object that are lost: the view had their content under
// the earlier table, and under this one it does not have it, nor does its stash.
//
// There are two exceptions. If only rows of another version have changed, and they make something
// else of the stored object, that looks like an edit to the table of this version. And the API
// server prunes what the schema lacks now.
func (e *evolution) lossy() []tree.Difference {
	if e.elsewhere && (e.moved || !tree.Equal(withoutOurs(e.live.value), withoutOurs(e.liveNow.value))) {
		return nil
	}
	staying := map[string]bool{}
	for _, entry := range entriesIn(e.after.value, e.owner) {
		staying[entryText(entry)] = true
	}
	var lossy []tree.Difference
	entries := entriesIn(e.object, e.owner)
	for _, entry := range entries {
		if isFilled(entry, entries) {
			continue
		}
		steps, at := entry.Get("at").Items, placeOf(entry.Get("at"))
		isDropped := slices.ContainsFunc(e.drops, func(p places.Pattern) bool { return places.Covers(p, at) })
		if !isDropped && shows(e.before.value, steps, entry) && !e.stillShows(steps, entry, at) && !staying[entryText(entry)] {
			lossy = append(lossy, tree.Difference{Path: at, Left: entry, Right: e.after.value.At(at)})
		}
	}
	return lossy
}

// isFilled reports whether an entry has an empty list, and another entry has its elements.
func isFilled(entry *tree.Value, entries []*tree.Value) bool {
	value := entry.Get("value")
	return value != nil && value.Kind == tree.List && len(value.Items) == 0 && slices.ContainsFunc(entries, func(other *tree.Value) bool {
		return other.Get("order") != nil && tree.Equal(other.Get("at"), entry.Get("at"))
	})
}

// stillShows reports whether the view has what is left of an entry for a field. Nothing is left of
// an absence that is a default now.
func (e *evolution) stillShows(steps []*tree.Value, entry *tree.Value, at tree.Path) bool {
	isOrder := entry.Get("order") != nil
	if isOrder && len(at) == len(steps) {
		isReordered := ownElements(entry) == 0 && reordered(e.before.value.At(at), e.after.value.At(at))
		hasAll := added(at, e.before, e.after) == 0 // a default may have some of them now
		if isReordered || !hasAll && min(ownElements(entry), added(at, e.before, e.live)) > added(at, e.after, e.liveNow) {
			return false
		}
	}
	isAbsence := entry.Get("value") == nil && !isOrder
	return isAbsence && !e.isLive(at) || shows(e.after.value, steps, e.pruned(entry, at))
}

// ownElements returns how many elements an order has itself. They are restored even if their
// neighbours have other addresses now.
func ownElements(order *tree.Value) (n int) {
	for _, item := range order.Get("order").Items {
		if item.Get("value") != nil {
			n++
		}
	}
	return n
}

// added returns how many elements a list of a view has that it does not have in another view, for
// example without the stash.
func added(at tree.Path, view, live *trip) (n int) {
	list, without := view.value.At(at), live.value.At(at)
	if kindOf(list) != tree.List {
		return 0
	}
	var rest []*tree.Value
	if kindOf(without) == tree.List {
		rest = slices.Clone(without.Items)
	}
	for _, item := range list.Items {
		i := slices.IndexFunc(rest, func(other *tree.Value) bool { return tree.Equal(item, other) })
		if i < 0 {
			n++
			continue
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return n
}

// reordered reports whether a list has the elements of another one in another order.
func reordered(a, b *tree.Value) bool {
	if kindOf(a) != tree.List || kindOf(b) != tree.List || len(a.Items) != len(b.Items) || tree.Equal(a, b) {
		return false
	}
	rest := slices.Clone(b.Items)
	for _, item := range a.Items {
		i := slices.IndexFunc(rest, func(other *tree.Value) bool { return tree.Equal(item, other) })
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return true
}

// idle returns the entries that are still in the stash although the view could have them:
// without stashes, the view with such an entry converts back to the stored object with no more
// changes than without it, apart from new fields; to lose a value is more than to change it.
// There is one exception: entries in elements of lists or values of maps, which another table
// may make of other elements.
func (e *evolution) idle() []tree.Difference {
	var idle []tree.Difference
	back := func(view *tree.Value) (changes []tree.Difference, ok bool) {
		t := e.after.fork()
		t.value = coerce(withoutOurs(view), e.s.schemas[e.owner])
		t.bytes = t.value.Append(nil)
		t.to(e.stored)
		return e.changes(t, nil), t.broken == ""
	}
	without, ok := back(e.after.value)
	if !ok {
		return nil
	}
	isMore := func(d tree.Difference) bool {
		return d.Left != nil && !slices.ContainsFunc(without, func(w tree.Difference) bool {
			losesMore := len(w.Path) == len(d.Path) && w.Right != nil && d.Right == nil
			return places.Covers(places.Pattern(w.Path), d.Path) && !losesMore
		})
	}
	for _, entry := range entriesIn(e.after.value, e.owner) {
		at := placeOf(entry.Get("at"))
		if entry.Get("order") != nil || len(at) < len(entry.Get("at").Items) || e.isInElement(at) || e.isLive(at) {
			continue
		}
		shown := e.after.value.Clone()
		if !shown.Put(at, entry.Get("value")) {
			continue
		}
		shown = coerce(shown, e.s.schemas[e.owner])
		if value := shown.At(at); !hasContent(value, entry) {
			continue // there is no place for it
		}
		if with, ok := back(shown); ok && !slices.ContainsFunc(with, isMore) {
			idle = append(idle, tree.Difference{Path: at, Left: entry, Right: e.after.value.At(at)})
		}
	}
	return idle
}

// isLive reports whether there is a value at a place that is not a default.
func (e *evolution) isLive(at tree.Path) bool {
	is := e.after.value.At(at)
	without := e.after.value.Clone()
	places.Cut(without, places.Pattern(at))
	return is != nil && !tree.Equal(is, withDefaults(without, e.s.schemas[e.owner]).At(at))
}

// isInElement reports whether a place is in an element of a list, or in a value of a map.
func (e *evolution) isInElement(at tree.Path) bool {
	for i, step := range at {
		of := e.s.schemaAt(at[:i], e.owner)
		if step.IsIndex || of != nil && of.AdditionalProperties != nil {
			return true
		}
	}
	return false
}

// pruned returns an entry without what the API server prunes of its content.
func (e *evolution) pruned(entry *tree.Value, at tree.Path) *tree.Value {
	of := e.s.schemaAt(at, e.owner)
	if of == nil {
		return entry
	}
	left := func(v *tree.Value, of *structuralschema.Structural) *tree.Value {
		x := v.Any()
		pruning.Prune(x, of, false)
		return tree.FromAny(x)
	}
	entry = entry.Clone()
	if value := entry.Get("value"); value != nil {
		entry.Set("value", left(value, of))
	}
	if order := entry.Get("order"); order != nil {
		for _, item := range order.Items {
			if value := item.Get("value"); value != nil {
				item.Set("value", left(value, of.Items))
			}
		}
	}
	return entry
}

// shows reports whether a value has the content of an entry at the place that steps lead to. It may
// be in any element of a list on the way.
func shows(v *tree.Value, steps []*tree.Value, entry *tree.Value) bool {
	if len(steps) == 0 {
		return hasContent(v, entry)
	}
	step, rest := steps[0], steps[1:]
	inside := func(of *tree.Value) bool { return shows(of, rest, entry) }
	switch {
	case step.Kind == tree.String:
		return inside(v.Get(step.Text))
	case step.Get("part") != nil:
		return inside(v)
	case kindOf(v) == tree.List:
		return slices.ContainsFunc(v.Items, inside)
	case kindOf(v) == tree.Object:
		return slices.ContainsFunc(v.Members, func(m tree.Member) bool { return inside(m.Value) })
	}
	return inside(nil)
}

// hasContent reports whether a value is the content of an entry.
func hasContent(v, entry *tree.Value) bool {
	value, order := entry.Get("value"), entry.Get("order")
	switch {
	case order != nil:
		return kindOf(v) == tree.List && !slices.ContainsFunc(order.Items, func(item *tree.Value) bool {
			of := item.Get("value")
			return of != nil && !slices.ContainsFunc(v.Items, func(element *tree.Value) bool { return contains(element, of) })
		})
	case value == nil:
		return v == nil
	}
	return contains(v, value)
}

// contains reports whether a value is another one, apart from members that defaults may have added.
func contains(v, part *tree.Value) bool {
	switch {
	case kindOf(v) != part.Kind:
		return false
	case part.Kind == tree.Object:
		return !slices.ContainsFunc(part.Members, func(m tree.Member) bool { return v.Get(m.Name) == nil || !contains(v.Get(m.Name), m.Value) })
	case part.Kind == tree.List:
		return slices.EqualFunc(v.Items, part.Items, contains)
	}
	return tree.Equal(v, part)
}

// entriesIn returns the entries that an object has for a version.
func entriesIn(object *tree.Value, of string) []*tree.Value {
	var all []*tree.Value
	for _, name := range []string{of, of + ".status"} {
		stash := object.Get("metadata").Get("annotations").Get("stash.crosswalk.dev/" + name)
		if stash == nil {
			continue
		}
		if v, err := tree.Parse([]byte(stash.Text)); err == nil && v.Get("entries") != nil {
			all = append(all, v.Get("entries").Items...)
		}
	}
	return all
}

// entryText returns an entry without the mark of its table, and without the version that could not
// place it.
func entryText(entry *tree.Value) string {
	bare := entry.Clone()
	bare.Set("table", nil)
	bare.Set("unplaced", nil)
	return string(bare.Append(nil))
}
