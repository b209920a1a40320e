package complement

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// The changes that entries make are made in the order of the entries: those of this table come first.
// What an entry of another table has must leave what those before it have restored as it is, in it and
// around it. Otherwise it has no place. The orders of lists come after that, because they are those of
// the lists that are restored. What had no place is tried again then: a list may now be the same.

// write is a change of a view: of a node, or of the value at a path of names from it.
type write struct {
	author
	id    int32
	names []stash.Step
	// value is nil to remove the node.
	value []byte
	// at is the place of the value.
	at place
	// merges says that only the members of the value are added. fills says that the object gets the
	// defaults of its schema, because other entries have the rest of it, one by one.
	merges, fills bool
}

// arrangement is a change of the elements of a list: of a node, or of the one at a path of names from it.
type arrangement struct {
	author
	id       int32
	names    []stash.Step
	elements []int32
}

// author says which entry makes a change, and whether another table has written that.
type author struct {
	entry   int
	earlier bool
}

// write makes all changes that were prepared. It returns the numbers of the entries of other tables for
// which there is no room beside those that came first.
func (r *restorer) write() (refused []int) {
	again := r.apply(r.writes)
	for _, o := range slices.Backward(r.orders) {
		for _, s := range o.names {
			o.id = r.t.child(o.id, s.Name)
		}
		if o.earlier && !r.knowsList(o) {
			refused = append(refused, o.entry)
		} else if o.id != none {
			r.t.order(o.id, o.elements)
		}
	}
	for _, w := range r.apply(again) {
		refused = append(refused, w.entry)
	}
	r.t.filled = int32(len(r.t.src))
	for _, f := range r.around {
		r.fill(f)
	}
	r.writes, r.orders, r.around = nil, nil, nil
	return refused
}

// apply makes changes, and returns those of other tables for which there is no room.
func (r *restorer) apply(writes []write) (refused []write) {
	for _, w := range writes {
		if w.earlier && !r.hasRoom(&w) {
			refused = append(refused, w)
			continue
		}
		r.t.hold(w.id)
		switch {
		case len(w.names) > 0:
			r.put(w)
		case w.value == nil && r.t.defaultOf(w.id) != nil:
			r.t.set(w.id, r.t.nodes[w.id].schema.Whole)
			r.t.nodes[w.id].implied = true
		case w.value == nil:
			r.t.remove(w.id)
			r.t.removeEmpty(r.t.nodes[w.id].parent)
		case w.merges:
			r.merge(w.id, w.value, true)
		default:
			if r.t.set(w.id, w.value); w.fills {
				r.around = append(r.around, filling{w.id, w.at})
			}
		}
	}
	return refused
}

// hasRoom reports whether a write of another table's entry leaves what was restored before as it is. If
// there is an object, the members of another one are added to it.
func (r *restorer) hasRoom(w *write) bool {
	if !r.t.isIn(w.id) {
		return false
	}
	at, names := w.id, w.names
	for ; len(names) > 0 && r.t.nodes[at].kind == object; names = names[1:] {
		child := r.t.child(at, names[0].Name)
		if child == none || r.t.isMissing(child) {
			return true
		}
		at = child
	}
	if len(w.names) == 0 && !r.t.nodes[at].holds {
		return true
	}
	isObject := len(names) == 0 && len(w.value) > 0 && w.value[0] == '{' && r.t.nodes[at].kind == object
	if !isObject || !r.merge(at, w.value, false) {
		return false
	}
	w.id, w.names, w.merges = at, nil, true
	return true
}

// knowsList reports whether a list is still there, with no element that an arrangement does not have:
// another entry has restored such a one.
func (r *restorer) knowsList(o arrangement) bool {
	if !r.t.isIn(o.id) {
		return false
	}
	known := map[int32]bool{}
	for _, e := range o.elements {
		known[e] = true
	}
	return !slices.ContainsFunc(r.t.elements(o.id), func(e int32) bool { return !known[e] })
}

// put makes the objects on the path of a write, and sets the value. A value that is no object has no
// members: a forged entry may have put it there.
func (r *restorer) put(w write) {
	if r.t.nodes[w.id].kind != object {
		return
	}
	around, last := w.id, len(w.names)-1
	for i, s := range w.names[:last] {
		child := r.t.child(around, s.Name)
		if child == none || r.t.nodes[child].kind != object {
			child = r.t.put(around, s.Name, []byte("{}"))
			r.around = append(r.around, filling{child, w.at.around(last - i)})
		}
		around = child
	}
	if id := r.t.put(around, w.names[last].Name, w.value); w.fills {
		r.around = append(r.around, filling{id, w.at})
	}
}

// merge adds to an object the members of a value that the object lacks. It reports whether all
// other members are equal. Without writes, it changes nothing.
func (r *restorer) merge(id int32, value []byte, writes bool) bool {
	var v tree
	v.caller = r.t.caller
	v.parse(value, nil)
	fits := true
	v.each(0, func(m int32) bool {
		name := v.name(m)
		switch child := r.t.child(id, name); {
		case child == none || r.t.isMissing(child):
			if writes {
				r.t.put(id, name, v.value(m))
			}
		case v.nodes[m].kind == object && r.t.nodes[child].kind == object:
			fits = r.merge(child, v.value(m), writes)
		default:
			fits = same(&v, m, r.t, child)
		}
		return fits
	})
	return fits
}
