package complement

import (
	"bytes"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// What a version has kept is put back into what the conversion has made of the other version by
// itself. All entries are located, and their guards checked, before the first is written.

// Fate is what becomes of an entry.
type Fate uint8

const (
	// Placed says that the place has again what it had.
	Placed Fate = iota
	// Edited says that something else is made there now, or that its row reads something else.
	Edited
	// Gone says that there is no such place any more.
	Gone
)

// restorer puts entries into a view.
type restorer struct {
	t    *tree
	side plan.Side
	root *plan.Scope
	// reads hashes what rows read in the source of the view, and made are the view's elements.
	reads reader
	made  []way.Element
	lists map[int32]*elementsOf
	tried map[spotKey]bool
	// forces says that the entries are put at their places whatever is there: a proof judges them.
	forces bool
	// writes put back values, and orders do so for lists, the innermost of which come last.
	writes, orders []func()
}

// spotKey tells spots apart.
type spotKey struct {
	id    int32
	name  string
	order bool
}

// elementsOf are the elements of a list with their addresses.
type elementsOf struct {
	elements []int32
	steps    []stash.Step
	numbers  map[string]int
}

// spot is where an entry belongs.
type spot struct {
	place
	// id is what is made there, or none, and view what the source has for the value that the
	// scope of the place pairs.
	id, view int32
	// around is the object or the map that has the place, and names lead from it to the place: all
	// but the last to objects that are to be made.
	around int32
	names  [][]byte
	// inner are the names that lead from the node of the place to it.
	inner [][]byte
	// element says that the place is that of an element, or of a value of a map.
	element bool
}

// restore puts entries back, and those that are forced even where their guards do not hold. It
// returns what has become of each of the former.
func (r *restorer) restore(entries, forced []stash.Entry) []Fate {
	fates := make([]Fate, len(entries))
	for i := range entries {
		r.t.caller.Work(1)
		fates[i] = r.entry(&entries[i])
	}
	r.forces = true
	for i := range forced {
		r.t.caller.Work(1)
		r.entry(&forced[i])
	}
	r.write()
	return fates
}

// write makes all changes that were prepared.
func (r *restorer) write() {
	for _, write := range r.writes {
		write()
	}
	for i := len(r.orders) - 1; i >= 0; i-- {
		r.orders[i]()
	}
	r.writes, r.orders = nil, nil
}

// entry prepares what an entry says.
func (r *restorer) entry(e *stash.Entry) Fate {
	at, found := r.locate(e.At)
	if !found {
		return Gone
	}
	key := spotKey{id: at.id, order: e.Order != nil}
	if at.id == none {
		key.id, key.name = at.around, string(bytes.Join(at.names, []byte{0}))
	}
	if r.tried[key] && !r.forces {
		return Gone // one entry for one place
	}
	r.tried[key] = true
	if e.Order != nil {
		return r.order(at, e)
	}
	if guard := r.guard(at, e); !r.forces && (!bytes.Equal(guard, e.Guard) || (guard == nil) != (e.Guard == nil)) {
		return Edited
	}
	switch {
	case !r.takes(at, e.Value):
		return Gone
	case at.id == none && e.Value == nil:
	case at.id == none:
		r.writes = append(r.writes, func() { r.put(at, e.Value) })
	case e.Value == nil:
		r.writes = append(r.writes, func() { r.t.remove(at.id) })
	default:
		r.writes = append(r.writes, func() { r.t.set(at.id, e.Value) })
	}
	return Placed
}

// guard returns the guard that an entry must have.
func (r *restorer) guard(at spot, e *stash.Entry) []byte {
	switch {
	case at.element && at.id == none:
		return nil
	case at.element && e.Value == nil:
		return guardOf(r.t, at.id, appendHash(nil, r.reads.view.hash(at.view)))
	}
	return guardOf(r.t, at.id, r.reads.of(at.place, at.view))
}

// put makes the objects around a place, and the value in it.
func (r *restorer) put(at spot, value []byte) {
	around := at.around
	for i, name := range at.names {
		child := r.t.child(around, name)
		switch {
		case i == len(at.names)-1:
			r.t.put(around, name, value)
		case child != none && r.t.nodes[child].kind == object:
			around = child
		default:
			around = r.t.put(around, name, []byte("{}"))
		}
	}
}

// takes reports whether a value may be put at a place: in metadata, only what the API server takes.
func (r *restorer) takes(at spot, value []byte) bool {
	if at.scope != r.root || at.node == 0 {
		return true
	}
	nodes := at.scope.Nodes[r.side]
	around := at.node
	if at.depth == 0 {
		around = nodes[at.node].Parent
	}
	inMetadata := around == plan.Metadata || around != plan.None && nodes[around].Parent == plan.Metadata
	if !inMetadata || at.node == plan.Metadata {
		return at.node != plan.Metadata
	}
	if kind := nodes[at.node].Kind; kind != plan.Operand && kind != plan.Keep {
		return false // it is the same in both versions
	}
	return value == nil || value[0] == '"' && schema.IsMetadata(nodes[around].Name, nodes[at.node].Name, value)
}

// locate finds the place of an entry.
func (r *restorer) locate(steps []stash.Step) (spot, bool) {
	at := spot{place: rootOf(r.root, r.side), around: none}
	for i, s := range steps {
		if at.id != none {
			at = r.into(at)
		}
		ok := false
		if s.Name != nil {
			at, ok = r.member(at, s.Name, i == len(steps)-1)
		} else {
			at, ok = r.element(at, s)
		}
		if !ok {
			return at, false
		}
	}
	return at, true
}

// into leads from a place that holds an element to the element.
func (r *restorer) into(at spot) spot {
	row, parts := at.elements(), at.parts()
	if (row == nil || row.Forms[r.side] != plan.One) && (parts == nil || parts.Choice == nil) {
		return at
	}
	e, found := find(r.made, r.t.nodes[at.id].text.Start, at.place)
	if !found {
		return at
	}
	return r.pairedBy(at, e)
}

// pairedBy returns the spot of an element.
func (r *restorer) pairedBy(at spot, e way.Element) spot {
	at.place, at.view, at.inner = rootOf(e.Scope, r.side), none, nil
	if e.From >= 0 {
		at.view = r.sourceAt(int32(e.From))
	}
	return at
}

// member leads to a member of an object, or to a value of a map.
func (r *restorer) member(at spot, name []byte, last bool) (spot, bool) {
	if at.id != none && r.t.nodes[at.id].kind != object {
		return at, false
	}
	if at.id == none && !r.forces && !r.isOpen(at) {
		return at, false
	}
	child := r.t.child(at.id, name)
	if child != none && r.t.missing(child) {
		child = none
	}
	if at.id != none {
		at.around, at.names = at.id, nil
	}
	at.names = append(at.names[:len(at.names):len(at.names)], name)
	row := at.elements()
	at.id, at.element = child, row != nil
	switch {
	case row == nil:
		at.place = at.place.member(name)
		if at.inner = append(at.inner[:len(at.inner):len(at.inner)], name); at.depth == 0 {
			at.inner = nil
		}
	case child == none:
		return at, last
	default:
		e, found := find(r.made, r.t.nodes[child].text.Start, at.place)
		if !found {
			e = way.Element{From: -1, Scope: row.Elements}
		}
		at = r.pairedBy(at, e)
	}
	return at, true
}

// isOpen reports whether a missing object may be made at a place: only this version has it, or the
// other version has its counterpart, or it is metadata, labels or annotations.
func (r *restorer) isOpen(at spot) bool {
	if at.scope == r.root && at.depth == 0 && (at.node == plan.Metadata || at.place.at().Parent == plan.Metadata) {
		return true
	}
	switch at.owner() {
	case own:
		return at.depth > 0 || at.place.at().Kind == plan.Container
	case shared:
		if at.view == none {
			return false
		}
		view := r.reads.view
		there := view.at(at.view, namesTo(at.scope, r.side.Other(), at.place.at().Twin))
		for _, name := range at.inner {
			there = view.child(there, name)
		}
		return there != none && view.nodes[there].kind == object
	}
	return false
}

// element leads to an element of a list.
func (r *restorer) element(at spot, s stash.Step) (spot, bool) {
	if !r.isList(at) {
		return at, false
	}
	of := r.listAt(at)
	number, found := of.numbers[stepText(canonical(s))]
	if only := s.Content != nil && len(s.Content) == 0; only && r.forces && len(of.elements) == 1 {
		number, found = 0, true // by another table it was the only one
	}
	if !found {
		return at, false
	}
	e := of.elements[number]
	at.around, at.names, at.id, at.element = at.id, nil, e, true
	made, found := find(r.made, r.t.nodes[e].text.Start, at.place)
	if !found {
		made = way.Element{From: -1, Scope: elementScope(at.place, r.t, e)}
	}
	if made.Scope == nil {
		at.depth++
		at.inner = append(at.inner[:len(at.inner):len(at.inner)], nil)
		return at, true
	}
	return r.pairedBy(at, made), true
}

// isList reports whether there is a list at a place with elements of their own: one that rows look
// into, or any of which another table says something.
func (r *restorer) isList(at spot) bool {
	return at.id != none && r.t.nodes[at.id].kind == list && (r.forces || at.elements() != nil || at.parts() != nil)
}

// listAt returns the elements of a list.
func (r *restorer) listAt(at spot) *elementsOf {
	if of := r.lists[at.id]; of != nil {
		return of
	}
	of := &elementsOf{elements: r.t.elements(at.id), numbers: map[string]int{}}
	scopes := make([]*plan.Scope, len(of.elements))
	for i, e := range of.elements {
		if made, found := find(r.made, r.t.nodes[e].text.Start, at.place); found {
			scopes[i] = made.Scope
		} else {
			scopes[i] = elementScope(at.place, r.t, e)
		}
	}
	of.steps = addresses(r.t, at.place, of.elements, scopes)
	for i, s := range of.steps {
		of.numbers[stepText(s)] = i
	}
	r.lists[at.id] = of
	return of
}

// order prepares the order of a list.
func (r *restorer) order(at spot, e *stash.Entry) Fate {
	if at.id != none {
		at = r.into(at)
	}
	if !r.isList(at) {
		return Gone
	}
	of := r.listAt(at)
	r.orders = append(r.orders, func() {
		var live []int32
		var steps []stash.Step
		for i, element := range of.elements {
			if !r.t.nodes[element].gone {
				live, steps = append(live, element), append(steps, of.steps[i])
			}
		}
		r.t.order(at.id, arrange(r.t, at.place, live, steps, e.Order))
	})
	return Placed
}

// sourceAt returns the node of the source that is at an offset.
func (r *restorer) sourceAt(offset int32) int32 {
	o := origins{source: r.reads.view}
	return o.nodeOfSource(offset)
}
