package complement

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// A row may make the same value although someone has edited what it reads: for example by a
// template of several fields, or if several values become one. So an entry for a field of a row is
// valid only while everything that the row reads in the other version is the same.
//
// If some table drops a part of what the row reads, a trip through its version loses that part,
// which is no edit. The guard then has a second hash without what fades: it is valid, too, if
// nothing that fades is left in the view. A dropped field that has its default again can't be
// distinguished from an edited one, so it does not fade. Whether an object is empty never depends
// on what fades in it.

// reader hashes what rows read in a view, and what they make.
type reader struct {
	view, made *tree
	// root pairs the two objects.
	root *plan.Scope
	// side is that of the view.
	side plan.Side
	// fades says that some table drops something, and full that the current hash has what fades.
	fades, full bool
	// hollow has the objects of the view, and whether they are hollow.
	hollow map[int32]bool
	// seesFading says that the last guard reads something that fades, and fading whether a value
	// has something that fades.
	seesFading bool
	fading     map[int32]bool
	// isAbsence says that the current entry removes what is made.
	isAbsence bool
	// whole has the objects of the view, and whether they have everything in their schema's
	// default.
	whole map[int32]bool
	// reads and text are those of the last guard. both is its text if it has two hashes.
	reads, text, both []byte
}

// roots are the two values that a scope pairs: one of the view, and one that was made of it. They
// may be none.
type roots struct{ view, made int32 }

// guard returns the guard of an entry for a place, or nil if nothing is made there and nothing is
// read for it. made is the value at the place, or none. root is what the scope of the place pairs.
// An entry of an absence removes what is made. The guard is valid until the next call.
func (r *reader) guard(p place, made int32, root roots, isAbsence bool) []byte {
	lasting := r.guardHash(p, made, root, isAbsence)
	if !r.fades {
		return lasting
	}
	isNone := lasting == nil
	r.both = append(append(r.both[:0], '/'), lasting...)
	r.full, r.seesFading = true, false
	full := r.guardHash(p, made, root, isAbsence)
	r.full = false
	if full == nil || !isNone && bytes.Equal(full, r.both[1:]) {
		return full
	}
	r.both = slices.Insert(r.both, 0, full...)
	return r.both
}

// guardElement is guard for an element that is made of one of the view, or of none.
func (r *reader) guardElement(made, of int32) []byte {
	return r.guard(place{}, made, roots{view: of}, true)
}

// guardHash returns a guard with one hash.
func (r *reader) guardHash(p place, made int32, root roots, isAbsence bool) []byte {
	if p.isKept() && !isAbsence {
		return nil // what a constant makes there says nothing about the view
	}
	reads := r.reads[:0]
	r.isAbsence = isAbsence
	switch {
	case p.scope == nil:
		reads = appendPresence(appendHash(reads, r.hash(r.view, root.view)), r.isElementByDefault(root.view))
	case !p.scope.IsCode: // what code reads is not known
		reads = r.addNode(reads, p.scope, p.side, p.node, root, p.depth == 0)
	}
	if len(reads) > 0 && p.scope != nil && p.scope != r.root {
		reads = appendPresence(reads, root.view != none) // a default may make an element of nothing
	}
	if isAbsence && p.scope != nil {
		reads = r.addAround(reads, p, root)
	}
	h := absent // what a default makes of an object that lost the rest is no edit
	if isAbsence || !r.made.isInDefault(made) {
		h = r.hash(r.made, made)
	}
	if h == absent && len(reads) == 0 {
		return nil
	}
	r.reads = appendHash(reads, h)
	r.text = sum(r.reads).text(r.text[:0])
	return r.text
}

// isValid reports whether an entry with a guard is valid if its guard would be now, which must be
// the result of the last call of guard.
func (r *reader) isValid(guard, now []byte) bool {
	if bytes.Equal(guard, now) && (guard == nil) == (now == nil) {
		return true
	}
	full, lasting, two := bytes.Cut(guard, []byte{'/'})
	if _, last, both := bytes.Cut(now, []byte{'/'}); both {
		now = last
	}
	return two && len(full) > 0 && !r.seesFading && bytes.Equal(lasting, now)
}

// hash returns the hash of a value, with what fades or without.
func (r *reader) hash(t *tree, id int32) hash {
	switch {
	case id == none:
		return absent
	case r.full:
		r.seesFading = r.seesFading || t == r.view && r.fadesIn(id)
		return t.fullHash(id)
	case t.fades(id):
		return absent
	}
	return t.hash(id)
}

// addNode adds what the row of a node reads, and what the rows of the nodes inside read.
func (r *reader) addNode(text []byte, scope *plan.Scope, side plan.Side, id int32, root roots, inside bool) []byte {
	n := &scope.Nodes[side][id]
	if n.Row != plan.None {
		text = r.addRow(text, scope, &scope.Rows[n.Row], root)
	}
	if n.Kind == plan.Container && n.Twin != plan.None {
		names := namesTo(scope, r.side, n.Twin)
		at := r.view.at(root.view, names)
		isObject := at != none && r.view.nodes[at].kind == object
		isHollow := isObject && r.isHollow(place{scope: scope, side: r.side, node: n.Twin}, at)
		text = appendPresence(appendPresence(text, isObject), isHollow)
		text = appendPresence(text, r.isByDefault(root.view, names))
	}
	if n.Parts != nil && n.Parts.Choice != nil {
		text = r.addRow(text, scope, &scope.Rows[n.Parts.Choice.Row], root) // what the value is
	}
	if inside {
		for _, child := range n.Children {
			text = r.addNode(text, scope, side, child, root, true)
		}
	}
	return text
}

// addAround adds whether the object around a place that both versions have is present. A field that
// was absent in an existing object is not absent in an object that is made only for the field.
func (r *reader) addAround(text []byte, p place, root roots) []byte {
	nodes := p.scope.Nodes[p.side]
	id := nodes[p.node].Parent
	for id > 0 && nodes[id].Twin == plan.None {
		id = nodes[id].Parent
	}
	if id <= 0 || p.scope == r.root && (id == plan.Metadata || nodes[id].Parent == plan.Metadata) {
		return text // stashes make it
	}
	at := r.view.at(root.view, namesTo(p.scope, r.side, nodes[id].Twin))
	return appendPresence(text, at != none && r.view.nodes[at].kind == object)
}

func (r *reader) addRow(text []byte, scope *plan.Scope, row *plan.Row, root roots) []byte {
	for i := range row.Reads[r.side] {
		text = r.addExpression(text, &row.Reads[r.side][i], root.view)
	}
	watches := row.Watches[r.side] && row.Which == nil && !r.isAbsence // an edit in an alternative chooses it
	for _, id := range row.At[r.side] {
		text = r.addOperand(text, scope, id, root.view, watches)
	}
	if row.Parts != nil && row.Parts.Choice != nil {
		text = r.addAlternatives(text, scope, row, &scope.Rows[row.Parts.Choice.Row], root.made)
	}
	return text
}

// addAlternatives adds which other alternatives of a value are present: then the value is none of
// them.
func (r *reader) addAlternatives(text []byte, scope *plan.Scope, row, all *plan.Row, root int32) []byte {
	side := r.side.Other()
	if !all.Watches[side] {
		return text
	}
	for _, id := range all.At[side] {
		if !slices.Contains(row.At[side], id) {
			text = appendPresence(text, r.made.holds(r.made.at(root, namesTo(scope, side, id))))
		}
	}
	return text
}

// addExpression adds what an expression reads.
func (r *reader) addExpression(text []byte, read *expression.Read, root int32) []byte {
	if read.Outside {
		root = 0
	}
	id := r.view.at(root, read.Path)
	switch {
	case read.Presence:
		return appendPresence(text, r.view.holds(id) && (!read.Object || r.view.nodes[id].kind == object))
	case len(read.Of) == 0 || id == none || r.view.nodes[id].kind != list:
		return appendHash(appendPresence(text, r.isByDefault(root, read.Path)), r.hash(r.view, id))
	}
	r.view.each(id, func(e int32) bool {
		if r.view.nodes[e].kind != object {
			text = appendHash(text, r.hash(r.view, e))
			return true
		}
		for _, name := range read.Of {
			text = appendHash(text, r.hash(r.view, r.view.child(e, []byte(name))))
		}
		return true
	})
	return text
}

// isByDefault reports whether a default gives the value at a path of names from a value: its own
// default, or that of an object around it that has everything in its default. The hash of such a
// value is that of absence, and a row may not read the whole object.
func (r *reader) isByDefault(id int32, names []string) bool {
	t := r.view
	at := t.at(id, names)
	if at == none || !r.full && t.fades(at) {
		return false
	}
	if t.defaultOf(at) != nil && t.hash(at) == absent {
		return true
	}
	for around := at; t.inObject(around); {
		around = t.nodes[around].parent
		if text := t.defaultOf(around); text != nil && r.hasAll(around, text) {
			var d tree
			d.parse(text, t.nodes[around].schema)
			if d.at(0, t.namesFrom(around, at)) != none {
				return true
			}
		}
	}
	return false
}

// isElementByDefault is isByDefault for what an element is made of. A default gives all elements of a
// list, or none.
func (r *reader) isElementByDefault(id int32) bool {
	for id != none && !r.view.inObject(id) {
		id = r.view.nodes[id].parent
	}
	return id != none && r.isByDefault(id, nil)
}

// hasAll reports whether an object of the view has everything in its default, apart from what
// fades.
func (r *reader) hasAll(id int32, text []byte) bool {
	has, known := r.whole[id]
	if !known {
		var d tree
		d.parse(text, r.view.nodes[id].schema)
		d.removeFading(0)
		has = extends(r.view, id, &d, 0)
		if r.whole == nil {
			r.whole = map[int32]bool{}
		}
		r.whole[id] = has
	}
	return has
}

// addOperand adds what a row reads in one of its fields, or only whether the field is present.
func (r *reader) addOperand(text []byte, scope *plan.Scope, id, root int32, watches bool) []byte {
	nodes, names := scope.Nodes[r.side], namesTo(scope, r.side, id)
	at := r.view.at(root, names)
	if watches {
		return appendPresence(text, r.view.holds(at))
	}
	byDefault := r.isByDefault(root, names)
	text = appendPresence(text, byDefault)
	around := nodes[id].Parent
	p := place{scope: scope, side: r.side, node: id}
	switch {
	case around == plan.None || nodes[around].Kind != plan.Parted:
		return appendHash(text, r.hash(r.view, at))
	case nodes[around].Parts.Choice != nil:
		p.node = around
		word := namesTo(scope, r.side, nodes[around].Parts.Choice.Discriminator)
		text = appendPresence(appendHash(text, r.hash(r.view, r.view.at(root, word))), r.isByDefault(root, word))
		// What another alternative has is not about this one, unless a default chose it: then the value may
		// have been none of them, or several.
		if is := p.alternative(r.view, root); is != nil && is.Node != id && !byDefault {
			return appendPresence(text, at != none && !r.view.isMissing(at))
		}
		return appendHash(text, r.hash(r.view, at))
	}
	// Of a list with parts, the elements of one part.
	parts := nodes[around].Parts
	for _, e := range r.view.elements(at) {
		if part := parts.Find(r.view.current(e)); part >= 0 && parts.All[part].Node == id {
			text = appendHash(text, r.hash(r.view, e))
		}
	}
	return append(text, ';')
}

func appendHash(text []byte, h hash) []byte { return append(text, h[:]...) }

func appendPresence(text []byte, present bool) []byte {
	if present {
		return append(text, '+')
	}
	return append(text, '-')
}
