package complement

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// A row may make the same again though someone has edited what it reads: a template of several
// fields, or several values that become one. So what is kept at a place of a row is valid only
// while all that the row reads in the other version is what it was.
//
// If some table drops a part of all this, a trip through its version loses that, and is no edit. So
// a guard has a second hash then, without what fades: it is valid, too, once the view has nothing
// of that. A dropped field that has its default again is not told from an edit, and does not fade.
// Whether an object is empty never depends on what fades in it.

// reader hashes what rows read in a view, and what they look at in what was made of it.
type reader struct {
	view, made *tree
	// root pairs the two objects.
	root *plan.Scope
	// side is that of the view.
	side plan.Side
	// fades says that some table drops something, and full that hashes are made with that.
	fades, full bool
	// known are the hashes of values as the other version sees them, and knownFull those with what fades.
	known, knownFull map[int32]hash
	// seesFading says that what the last guard reads has something that fades, and fading the same of a value.
	seesFading bool
	fading     map[int32]bool
	// isAbsence says that the guard at hand is of an entry that removes what is made.
	isAbsence bool
	// whole says of objects of the view whether all that their schema's default has is in them.
	whole map[int32]bool
	// reads and text are those of the guard that was made last, and both is its text if it has two hashes.
	reads, text, both []byte
}

// roots are what a scope pairs: a value of the view, and what was made of it. They may be none.
type roots struct{ view, made int32 }

// guard returns what an entry for a place, at which a value is made, or none, is valid with: nil if as
// long as nothing is made there. root is what the scope of the place pairs. An entry of an absence removes
// what is made. The guard is valid until the next one is made.
func (r *reader) guard(p place, made int32, root roots, isAbsence bool) []byte {
	lasting := r.once(p, made, root, isAbsence)
	if !r.fades {
		return lasting
	}
	isNone := lasting == nil
	r.both = append(append(r.both[:0], '/'), lasting...)
	r.full, r.seesFading = true, false
	full := r.once(p, made, root, isAbsence)
	r.full = false
	if full == nil || !isNone && bytes.Equal(full, r.both[1:]) {
		return full
	}
	r.both = slices.Insert(r.both, 0, full...)
	return r.both
}

// guardElement is guard for an element that is made of one of the view, or none.
func (r *reader) guardElement(made, of int32) []byte {
	return r.guard(place{}, made, roots{view: of}, true)
}

// once returns a guard with one hash.
func (r *reader) once(p place, made int32, root roots, isAbsence bool) []byte {
	reads := r.reads[:0]
	r.isAbsence = isAbsence
	switch {
	case p.scope == nil:
		reads = appendHash(reads, r.hash(r.view, root.view))
	case !p.scope.IsCode: // what code reads is not known
		reads = r.node(reads, p.scope, p.side, p.node, root, p.depth == 0)
	}
	if len(reads) > 0 && p.scope != nil && p.scope != r.root {
		reads = appendPresence(reads, root.view != none) // a default may make an element of which there is nothing
	}
	if isAbsence && p.scope != nil && p.row() != nil {
		reads = r.around(reads, p, root)
	}
	h := r.hash(r.made, made)
	if h == absent && len(reads) == 0 {
		return nil
	}
	r.reads = appendHash(reads, h)
	r.text = sum(r.reads).text(r.text[:0])
	return r.text
}

// isValid reports whether an entry with a guard is valid where it would have another one now, which was the
// last to be made.
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

// fadesIn reports whether a value of the view has something that fades.
func (r *reader) fadesIn(id int32) bool {
	fades, known := r.fading[id]
	if !known {
		t := r.view
		t.caller.Work(1)
		fades = t.nodes[id].schema != nil && t.nodes[id].schema.Fades
		t.each(id, func(child int32) bool {
			fades = fades || r.fadesIn(child)
			return !fades
		})
		if r.fading == nil {
			r.fading = map[int32]bool{}
		}
		r.fading[id] = fades
	}
	return fades
}

// node adds what the row of a node reads, and what the rows of all places inside do.
func (r *reader) node(text []byte, scope *plan.Scope, side plan.Side, id int32, root roots, inside bool) []byte {
	n := &scope.Nodes[side][id]
	if n.Row != plan.None {
		text = r.row(text, scope, &scope.Rows[n.Row], root)
	}
	if n.Kind == plan.Container && n.Twin != plan.None {
		names := namesTo(scope, r.side, n.Twin)
		at := r.view.at(root.view, names)
		isObject := at != none && r.view.nodes[at].kind == object
		isHollow := isObject && r.isHollow(place{scope: scope, side: r.side, node: n.Twin}, at, root.view)
		text = appendPresence(appendPresence(text, isObject), isHollow)
		text = appendPresence(text, r.isByDefault(root.view, names))
	}
	if n.Parts != nil && n.Parts.Choice != nil {
		text = r.row(text, scope, &scope.Rows[n.Parts.Choice.Row], root) // what the value is
	}
	if inside {
		for _, child := range n.Children {
			text = r.node(text, scope, side, child, root, true)
		}
	}
	return text
}

// around adds whether the object that both versions have, and that is around a place, is there. What was
// absent in it is not absent in one that is made only for what is made at the place.
func (r *reader) around(text []byte, p place, root roots) []byte {
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

func (r *reader) row(text []byte, scope *plan.Scope, row *plan.Row, root roots) []byte {
	for i := range row.Reads[r.side] {
		text = r.expression(text, &row.Reads[r.side][i], root.view)
	}
	watches := row.Watches[r.side] && row.Which == nil && !r.isAbsence // an edit in an alternative chooses it
	for _, id := range row.At[r.side] {
		text = r.operand(text, scope, id, root.view, watches)
	}
	if row.Parts != nil && row.Parts.Choice != nil {
		text = r.alternatives(text, scope, row, &scope.Rows[row.Parts.Choice.Row], root.made)
	}
	return text
}

// alternatives adds which other alternatives of a value there are: the value is none of them.
func (r *reader) alternatives(text []byte, scope *plan.Scope, row, all *plan.Row, root int32) []byte {
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

// expression adds what an expression reads.
func (r *reader) expression(text []byte, read *expression.Read, root int32) []byte {
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

// isByDefault reports whether a default says what there is at a path of names from a value: its own, or
// that of an object around it, of which everything is there. Hashes do not tell that from nothing, and a
// row may not read all of it.
func (r *reader) isByDefault(id int32, names []string) bool {
	t := r.view
	at := t.at(id, names)
	if at == none || !r.full && t.fades(at) {
		return false
	}
	if t.defaults(at) != nil && t.hash(at) == absent {
		return true
	}
	for around := at; t.inObject(around); {
		around = t.nodes[around].parent
		if text := t.defaults(around); text != nil && r.hasAll(around, text) {
			var d tree
			d.parse(text, t.nodes[around].schema)
			if d.at(0, t.namesFrom(around, at)) != none {
				return true
			}
		}
	}
	return false
}

// hasAll reports whether an object of the view has all that its default has, but for what fades.
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

// operand adds what a row reads at one of its places, or only whether something is there.
func (r *reader) operand(text []byte, scope *plan.Scope, id, root int32, watches bool) []byte {
	nodes, names := scope.Nodes[r.side], namesTo(scope, r.side, id)
	at := r.view.at(root, names)
	around := nodes[id].Parent
	p := place{scope: scope, side: r.side, node: id}
	switch {
	case watches:
		return appendPresence(text, r.view.holds(at))
	case around == plan.None || nodes[around].Kind != plan.Parted:
		return appendHash(appendPresence(text, r.isByDefault(root, names)), r.seen(p, at, root))
	case nodes[around].Parts.Choice != nil:
		p.node = around
		word := r.view.at(root, namesTo(scope, r.side, nodes[around].Parts.Choice.Discriminator))
		return appendHash(appendHash(text, r.seen(p, at, root)), r.hash(r.view, word))
	}
	// Of a list that has parts, the elements of one.
	parts := nodes[around].Parts
	for _, e := range r.view.elements(at) {
		if part := parts.Find(r.view.current(e)); part >= 0 && parts.All[part].Node == id {
			text = appendHash(text, r.seen(rootOf(scope.Rows[parts.All[part].Row].Elements, r.side), e, e))
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
