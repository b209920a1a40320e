package complement

import (
	"bytes"
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
	// known are the hashes of values as the other version sees them.
	known map[int32]hash
	// reads and text are those of the guard that was made last.
	reads, text []byte
}

// roots are what a scope pairs: a value of the view, and what was made of it. They may be none.
type roots struct{ view, made int32 }

// guard returns what an entry for a place, at which a value is made, or none, is valid with: nil if as
// long as nothing is made there. root is what the scope of the place pairs. It is valid until the next
// guard is made.
func (r *reader) guard(p place, made int32, root roots) []byte {
	return r.over(made, r.node(r.reads[:0], p.scope, p.side, p.node, root, p.depth == 0))
}

// guardElement is guard for an element that is made of one of the view, or none.
func (r *reader) guardElement(made, of int32) []byte {
	return r.over(made, appendHash(r.reads[:0], r.view.hash(of)))
}

// over returns the guard over what is made and over what a row reads.
func (r *reader) over(made int32, reads []byte) []byte {
	h := r.made.hash(made)
	if h == absent && len(reads) == 0 {
		return nil
	}
	r.reads = appendHash(reads, h)
	r.text = sum(r.reads).text(r.text[:0])
	return r.text
}

// node adds what the row of a node reads, and what the rows of all places inside do.
func (r *reader) node(text []byte, scope *plan.Scope, side plan.Side, id int32, root roots, inside bool) []byte {
	n := &scope.Nodes[side][id]
	if n.Row != plan.None {
		text = r.row(text, scope, &scope.Rows[n.Row], root)
	}
	if n.Kind == plan.Container && n.Twin != plan.None {
		at := r.view.at(root.view, namesTo(scope, r.side, n.Twin))
		isObject := at != none && r.view.nodes[at].kind == object
		text = appendPresence(appendPresence(text, isObject), isObject && r.view.isHollow(at))
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
		return appendHash(appendPresence(text, r.view.isByDefault(root, read.Path)), r.view.hash(id))
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
	nodes, names := scope.Nodes[r.side], namesTo(scope, r.side, id)
	at := r.view.at(root, names)
	around := nodes[id].Parent
	p := place{scope: scope, side: r.side, node: id}
	switch {
	case watches:
		return appendPresence(text, r.view.holds(at))
	case around == plan.None || nodes[around].Kind != plan.Parted:
		return appendHash(appendPresence(text, r.view.isByDefault(root, names)), r.seen(p, at, root))
	case nodes[around].Parts.Choice != nil:
		p.node = around
		word := r.view.at(root, namesTo(scope, r.side, nodes[around].Parts.Choice.Discriminator))
		return appendHash(appendHash(text, r.seen(p, at, root)), r.view.hash(word))
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

// seen returns the hash of a value without what the version of the view alone has in it: no row reads
// that. root is the value that the scope of the place pairs.
func (r *reader) seen(p place, id, root int32) hash {
	if h := r.view.hash(id); id == none || !r.view.holds(id) || h == absent {
		return h
	}
	if h, ok := r.known[id]; ok {
		return h
	}
	h := r.see(p, id, root)
	if r.known == nil {
		r.known = map[int32]hash{}
	}
	r.known[id] = h
	return h
}

func (r *reader) see(p place, id, root int32) hash {
	t := r.view
	t.caller.Work(1)
	row, isObject := p.elements(), t.nodes[id].kind == object
	one := p.alternative(t, root)
	switch {
	case one != nil:
		return r.seen(rootOf(p.scope.Rows[one.Row].Elements, p.side), id, id)
	case row != nil && row.Forms[p.side] == plan.One:
		return r.see(rootOf(row.Elements, p.side), id, id)
	case row != nil && (isObject || t.nodes[id].kind == list):
		var text []byte
		for _, e := range t.sorted(id) {
			if isObject {
				text = append(append(text, t.name(e)...), 0)
			}
			text = appendHash(text, r.seen(rootOf(row.Elements, p.side), e, e))
		}
		return sum(append(text, byte(t.nodes[id].kind)))
	case isObject && (p.at().Kind == plan.Container || p.depth > 0):
		var text []byte
		for _, m := range t.sorted(id) {
			name := t.name(m)
			q := p.member(name)
			if o := q.owner(); o == own || o == dropped || o == fixed || t.missing(m) {
				continue
			}
			if h := r.seen(q, m, root); h != absent {
				text = appendHash(append(append(text, name...), 0), h)
			}
		}
		return sum(append(text, '{'))
	}
	return t.hash(id)
}

// sorted returns what is in a value: members in the order of their names.
func (t *tree) sorted(id int32) []int32 {
	all := t.elements(id)
	if t.nodes[id].kind == object {
		slices.SortFunc(all, func(a, b int32) int { return bytes.Compare(t.name(a), t.name(b)) })
	}
	return all
}

// isHollow reports whether an object holds nothing that its hash is made of.
func (t *tree) isHollow(id int32) bool { return t.hashInside(id) == hollow }

var hollow = sum([]byte{'{'})

func appendHash(text []byte, h hash) []byte { return append(text, h[:]...) }

func appendPresence(text []byte, present bool) []byte {
	if present {
		return append(text, '+')
	}
	return append(text, '-')
}
