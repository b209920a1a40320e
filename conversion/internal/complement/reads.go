package complement

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// A row may make the same again though somebody has edited what it reads: a template of several
// fields, or several values that become one. So what is kept at a place of a row is valid only while
// all that the row reads in the other version is what it was.

// reader hashes what rows read in a view, and what they look at in what was made of it.
type reader struct {
	view, made *tree
	// side is that of the view.
	side plan.Side
}

// roots are what a scope pairs: a value of the view, and what was made of it. They may be none.
type roots struct{ view, made int32 }

// of returns a text that is another one if a row reads something else for a place. root is what the
// scope of the place pairs.
func (r *reader) of(p place, root roots) (text []byte) {
	if p.depth > 0 {
		return r.node(nil, p.scope, p.side, p.node, root, false)
	}
	return r.node(nil, p.scope, p.side, p.node, root, true)
}

// node adds what the row of a node reads, and what the rows of all places inside do.
func (r *reader) node(text []byte, scope *plan.Scope, side plan.Side, id int32, root roots, inside bool) []byte {
	n := &scope.Nodes[side][id]
	if n.Row != plan.None {
		text = r.row(text, scope, &scope.Rows[n.Row], root)
	}
	if n.Kind == plan.Container && n.Twin != plan.None {
		at := r.view.at(root.view, namesTo(scope, r.side, n.Twin))
		text = appendPresence(text, at != none && r.view.nodes[at].kind == object)
	}
	if inside {
		for _, child := range n.Children {
			text = r.node(text, scope, side, child, root, true)
		}
	}
	return text
}

func (r *reader) row(text []byte, scope *plan.Scope, row *plan.Row, root roots) []byte {
	for i := range row.Reads[r.side] {
		text = r.expression(text, &row.Reads[r.side][i], root.view)
	}
	watches := row.Watches[r.side] && row.Which == nil
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
		return appendHash(text, r.view.hash(id))
	}
	r.view.each(id, func(e int32) bool {
		if r.view.nodes[e].kind != object {
			text = appendHash(text, r.view.hash(e))
			return true
		}
		for _, name := range read.Of {
			text = appendHash(text, r.view.hash(r.view.child(e, []byte(name))))
		}
		return true
	})
	return text
}

// operand adds what a row reads at one of its places, or only whether something is there.
func (r *reader) operand(text []byte, scope *plan.Scope, id, root int32, watches bool) []byte {
	nodes := scope.Nodes[r.side]
	at := r.view.at(root, namesTo(scope, r.side, id))
	around := nodes[id].Parent
	switch {
	case watches:
		return appendPresence(text, r.view.holds(at))
	case around == plan.None || nodes[around].Kind != plan.Parted:
		return appendHash(text, r.view.hash(at))
	case nodes[around].Parts.Choice != nil:
		word := r.view.at(root, namesTo(scope, r.side, nodes[around].Parts.Choice.Discriminator))
		return appendHash(appendHash(text, r.view.hash(at)), r.view.hash(word))
	}
	// Of a list that has parts, the elements of one.
	parts := nodes[around].Parts
	for _, e := range r.view.elements(at) {
		if part := parts.Find(r.view.value(e)); part >= 0 && parts.All[part].Node == id {
			text = appendHash(text, r.view.hash(e))
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
