package complement

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// The address of an entry leads from the whole object to a place in what was made. An object on the
// way that is absent is made only if just this version has it, or if the other version has its
// counterpart.

// spot is the place of an entry in the view.
type spot struct {
	place
	// id is the value there, or none, and roots are what the scope of the place pairs.
	id int32
	roots
	// around is the object or map that has the place, and names lead from it to the place. All but
	// the last of names are objects that have to be made.
	around int32
	names  []stash.Step
	// inner are the steps from the node of the place to the place.
	inner []stash.Step
	// part is the alternative that the value is, or "".
	part string
	// element says that the place is an element, or a value of a map.
	element bool
}

// locate returns the place of an entry.
func (r *restorer) locate(steps []stash.Step) (spot, bool) {
	at := spot{place: rootOf(r.root, r.side), around: none}
	for i, s := range steps {
		if at.id != none {
			at = r.into(at)
		}
		ok := false
		switch {
		case s.Part != nil:
			ok = at.part == string(s.Part) || r.forces && at.part == "" // this table has no alternatives
		case s.Name != nil:
			at, ok = r.member(at, steps[:i+1], i == len(steps)-1)
		default:
			at, ok = r.element(at, steps[:i+1])
		}
		if !ok {
			return at, false
		}
	}
	return at, true
}

// into goes from a place with an element to the element.
func (r *restorer) into(at spot) spot {
	row, parts := at.elements(), at.parts()
	if (row == nil || row.Forms[r.side] != plan.One) && (parts == nil || parts.Choice == nil) {
		return at
	}
	e, found := find(r.made, r.t.nodes[at.id].text.Start, at.place)
	if !found {
		return at
	}
	part := at.alternative(r.t, at.made)
	if at = r.pairedBy(at, e); part != nil {
		at.part = part.Name
	}
	return at
}

// pairedBy returns the spot of an element.
func (r *restorer) pairedBy(at spot, e way.Element) spot {
	at.part = ""
	at.place, at.roots, at.inner = rootOf(e.Scope, r.side), roots{none, at.id}, nil
	if e.From >= 0 {
		at.view = r.sourceAt(int32(e.From))
	}
	return at
}

// member goes to a member of an object, or to a value of a map. steps are all steps from the whole
// object to it. last says that no more steps follow.
func (r *restorer) member(at spot, steps []stash.Step, last bool) (spot, bool) {
	name := steps[len(steps)-1].Name
	if at.id != none && (r.t.nodes[at.id].kind != object || r.t.nodes[at.id].goes) {
		return at, false
	}
	if at.id == none && !r.forces && !r.isOpen(at) || at.scope == r.root && isHead(at.place, name) {
		return at, false
	}
	child := r.t.child(at.id, name)
	if child != none && r.t.isMissing(child) {
		child = none
	}
	if at.id != none {
		at.around, at.names = at.id, nil
	}
	at.names = lastOf(steps, len(at.names)+1)
	row := at.elements()
	if row != nil && row.Forms[r.side] == plan.One { // the element is not made
		at.place, at.roots, at.inner, row = rootOf(row.Elements, r.side), roots{none, none}, nil, nil
	}
	at.id, at.element = child, row != nil
	switch {
	case row == nil:
		at.place = at.place.member(name)
		if at.inner = lastOf(steps, len(at.inner)+1); at.depth == 0 {
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

// lastOf returns the last n steps.
func lastOf(steps []stash.Step, n int) []stash.Step { return steps[len(steps)-n:] }

// isOpen reports whether an absent object may be made at a place: only this version has it, or the
// other version has its counterpart, or code writes its fields one by one, or it is metadata,
// labels or annotations.
func (r *restorer) isOpen(at spot) bool {
	if at.scope == r.root && at.depth == 0 && (at.node == plan.Metadata || at.place.at().Parent == plan.Metadata) {
		return true
	}
	switch at.owner() {
	case own:
		return at.place.isOpen()
	case computed:
		return hasFields(r.t.schemaOf(at.around, at.names))
	case shared:
		if at.view == none {
			return false
		}
		view := r.reads.view
		there := view.at(at.view, namesTo(at.scope, r.side.Other(), at.place.at().Twin))
		for _, s := range at.inner {
			there = view.child(there, s.Name)
		}
		return there != none && view.nodes[there].kind == object
	}
	return false
}

// element goes to an element of a list. steps are all steps from the whole object to it.
func (r *restorer) element(at spot, steps []stash.Step) (spot, bool) {
	if !r.isList(at) {
		return at, false
	}
	of := r.listAt(at)
	number, isGuess, found := of.find(steps[len(steps)-1], r.earlier)
	if !found {
		return at, false
	}
	e := of.elements[number]
	switch {
	case !isGuess && !r.t.nodes[e].known:
		r.t.nodes[e].known = true
		r.known = append(r.known, e)
	case !isGuess:
	case !r.guesses || r.t.nodes[e].known:
		r.isGuess = true
		return at, false
	}
	at.around, at.names, at.id, at.element = at.id, nil, e, true
	made, found := find(r.made, r.t.nodes[e].text.Start, at.place)
	if !found {
		made = way.Element{From: -1, Scope: elementScope(at.place, r.t, e)}
	}
	if made.Scope == nil {
		at.place, at.roots = at.within(), roots{none, e}
		at.inner = lastOf(steps, len(at.inner)+1)
		return at, true
	}
	return r.pairedBy(at, made), true
}

// isList reports whether there is a list at a place whose elements have entries: one whose elements
// rows map, or any list if another table has entries about it.
func (r *restorer) isList(at spot) bool {
	return at.id != none && r.t.nodes[at.id].kind == list && !r.t.nodes[at.id].goes && (r.forces || at.hasElements())
}

// listAt returns the index of a list.
func (r *restorer) listAt(at spot) *index {
	if x := r.lists[at.id]; x != nil {
		return x
	}
	of := addressedList{made: r.t, place: at.place, elements: r.t.elements(at.id), view: r.reads.view, fades: r.reads.fades}
	for _, e := range of.elements {
		r.t.caller.Work(1)
		scope, source := elementScope(at.place, r.t, e), none
		if made, found := find(r.made, r.t.nodes[e].text.Start, at.place); found {
			if scope = made.Scope; made.From >= 0 {
				source = r.sourceAt(int32(made.From))
			}
		}
		of.scopes, of.of = append(of.scopes, scope), append(of.of, source)
	}
	x := newIndex(of)
	r.lists[at.id] = x
	return x
}

// sourceAt returns the node of the source at an offset.
func (r *restorer) sourceAt(offset int32) int32 {
	return r.reads.view.nodeAt(offset)
}
