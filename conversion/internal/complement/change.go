package complement

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// A value that is put into a tree is appended to its text. The text of a removed value stays there,
// and is not written.

// put sets a member of an object, or adds it.
func (t *tree) put(id int32, name, value []byte) int32 {
	child := t.child(id, name)
	if child == none {
		child = t.addMember(id, name)
		t.load(child, value)
		return child
	}
	t.set(child, value)
	return child
}

// putText is put for a text.
func (t *tree) putText(id int32, name, text []byte) {
	child := t.child(id, name)
	if child == none {
		child = t.addMember(id, name)
	} else {
		t.moved = true
	}
	start := len(t.src)
	t.src = jsontext.Quote(t.src, text)
	n := &t.nodes[child]
	n.text = jsontext.Span{Start: int32(start), End: int32(len(t.src))}
	n.kind, n.first, n.last, n.changed = scalar, none, none, false
	t.change(child)
}

// addMember adds a member without a value.
func (t *tree) addMember(id int32, name []byte) int32 {
	child := t.add(id, member(t.nodes[id].schema, name))
	start := len(t.src) + 1
	t.src = jsontext.Quote(t.src, name)
	n := &t.nodes[child]
	n.name = jsontext.Span{Start: int32(start), End: int32(len(t.src) - 1)}
	n.escaped = len(t.src)-1-start != len(name)
	if index := t.indexes[id]; index != nil {
		index[string(name)] = child
	}
	return child
}

// moveBehind moves the last member of an object behind another one.
func (t *tree) moveBehind(id, other int32) {
	p := &t.nodes[t.nodes[id].parent]
	if p.last != id || other == id || t.nodes[other].next == id {
		return
	}
	for before := p.first; ; before = t.nodes[before].next {
		if t.nodes[before].next == id {
			t.nodes[before].next, p.last = none, before
			break
		}
	}
	t.nodes[id].next, t.nodes[other].next = t.nodes[other].next, id
}

// set replaces the value of a node.
func (t *tree) set(id int32, value []byte) {
	t.moved = true
	t.load(id, value)
}

// load sets a node to the value of a text. What was in it is in no tree any more, so a change of it
// changes nothing.
func (t *tree) load(id int32, value []byte) {
	for child := t.nodes[id].first; child != none; child = t.nodes[child].next {
		t.nodes[child].parent = none
	}
	pos := len(t.src)
	t.src = append(t.src, value...)
	t.scan.Reset(t.src)
	at := len(t.nodes)
	t.read(none, pos, t.nodes[id].schema)
	n, read := &t.nodes[id], t.nodes[at]
	n.text, n.kind, n.first, n.last, n.changed = read.text, read.kind, read.first, read.last, false
	for child := n.first; child != none; child = t.nodes[child].next {
		t.nodes[child].parent = id
	}
	delete(t.indexes, id)
	t.change(id)
	t.prune(id)
}

// hold records that something is restored at a value, or in it.
func (t *tree) hold(id int32) {
	for ; id != none && !t.nodes[id].holds; id = t.nodes[id].parent {
		t.nodes[id].holds = true
	}
}

// isIn reports whether a value is still in the tree.
func (t *tree) isIn(id int32) bool {
	for ; id != 0; id = t.nodes[id].parent {
		if id == none || t.nodes[id].gone {
			return false
		}
	}
	return true
}

// complete adds what the API server adds to an object before it is converted: the defaults of
// absent fields. They are marked as implied. complete reports whether there are any. It adds at
// most room bytes, because an object from elsewhere may lack far more than the API server would
// accept.
func (t *tree) complete(id int32, room *int) (isMore bool) {
	if of := t.nodes[id].schema; of == nil || !of.Completes {
		return false
	}
	t.caller.Work(1)
	t.each(id, func(child int32) bool {
		isMore = t.complete(child, room) || isMore
		return *room >= 0
	})
	t.eachMissing(id, func(name string, m *schema.Schema) {
		if *room -= len(name) + len(m.Whole); *room < 0 {
			return
		}
		t.nodes[t.put(id, []byte(name), m.Whole)].implied = true
		isMore = true
	})
	return isMore
}

// imply marks the values that were made of defaults that the source lacks. bare is what is made
// without those. If the two have lists of different lengths there, nothing is marked.
func (t *tree) imply(id int32, bare *tree, in int32) {
	t.caller.Work(1)
	switch n, m := &t.nodes[id], &bare.nodes[in]; {
	case n.kind != m.kind:
	case n.kind == object:
		for _, child := range t.elements(id) {
			switch had := bare.child(in, t.name(child)); {
			case had != none:
				t.imply(child, bare, had)
			case t.isDefault(child):
				t.change(child)
				t.nodes[child].implied = true
			}
		}
	case n.kind == list:
		all, had := t.elements(id), bare.elements(in)
		for i := range all {
			if len(all) == len(had) {
				t.imply(all[i], bare, had[i])
			}
		}
	}
}

// eachMissing calls visit for the members with a default that an object lacks.
func (t *tree) eachMissing(id int32, visit func(name string, m *schema.Schema)) {
	of := t.nodes[id].schema
	if of == nil || t.nodes[id].kind != object {
		return
	}
	for _, name := range of.Defaulted {
		if child := t.child(id, []byte(name)); child == none || t.isMissing(child) {
			visit(name, of.Members[name])
		}
	}
}

// prune removes members that the schema does not allow, as the API server would.
func (t *tree) prune(id int32) {
	t.each(id, func(m int32) bool {
		if t.nodes[id].kind == object && prunes(t.nodes[id].schema, t.name(m)) {
			t.remove(m)
		} else {
			t.prune(m)
		}
		return true
	})
}

// removeFading removes what fades from a value.
func (t *tree) removeFading(id int32) {
	t.each(id, func(child int32) bool {
		if t.fades(child) {
			t.remove(child)
		} else {
			t.removeFading(child)
		}
		return true
	})
}

// prunes reports whether the API server removes a member of an object of a schema.
func prunes(of *schema.Schema, name []byte) bool {
	return of != nil && !of.Open && of.Inner(name) == nil
}

// hasPlace reports whether the API server keeps a value at a path of names in an object.
func (t *tree) hasPlace(id int32, names []stash.Step) bool {
	of := t.nodes[id].schema
	for _, s := range names {
		if prunes(of, s.Name) {
			return false
		}
		of = member(of, s.Name)
	}
	return true
}

// schemaOf returns the schema at a path of names from an object.
func (t *tree) schemaOf(id int32, names []stash.Step) *schema.Schema {
	of := t.nodes[id].schema
	for _, s := range names {
		of = member(of, s.Name)
	}
	return of
}

// remove removes a value from the object or list around it.
func (t *tree) remove(id int32) {
	t.nodes[id].gone = true
	t.change(id)
}

// removeEmpty removes labels, annotations or metadata that are empty.
func (t *tree) removeEmpty(id int32) {
	if id == none {
		return
	}
	isEmpty := true
	t.each(id, func(int32) bool { isEmpty = false; return false })
	around := t.nodes[id].parent
	if !isEmpty || around == none {
		return
	}
	name := string(t.name(id))
	switch {
	case around == 0 && name == "metadata":
		t.remove(id)
	case t.nodes[around].parent == 0 && string(t.name(around)) == "metadata" && (name == "annotations" || name == "labels"):
		t.remove(id)
		t.removeEmpty(around)
	}
}

// change records that a value is no longer as it was read.
func (t *tree) change(id int32) {
	t.forget(id)
	t.nodes[id].implied = false
	for p := t.nodes[id].parent; p != none; p = t.nodes[p].parent {
		t.nodes[p].changed, t.nodes[p].implied = true, false
		t.forget(p)
	}
}

// forget forgets the hashes of a value.
func (t *tree) forget(id int32) {
	delete(t.hashes, id)
	delete(t.fullHashes, id)
}

// order sets the elements of a list, in their order. They may be fewer or more than before. A value
// that is no list has none: a forged entry may have put it there.
func (t *tree) order(id int32, elements []int32) {
	n := &t.nodes[id]
	if n.kind != list {
		return
	}
	n.first, n.last = none, none
	for _, e := range elements {
		t.nodes[e].parent, t.nodes[e].next = id, none
		if n.last == none {
			n.first = e
		} else {
			t.nodes[n.last].next = e
		}
		n.last = e
	}
	n.changed = true
	t.change(id)
}

// element adds a value that is in no list yet.
func (t *tree) element(value []byte, of *schema.Schema) int32 {
	pos := len(t.src)
	t.src = append(t.src, value...)
	t.scan.Reset(t.src)
	id, _ := t.read(none, pos, of)
	t.prune(id)
	return id
}
