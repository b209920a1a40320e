package engine

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// elements converts the elements that the field of a row has in f.
func (c *conversion) elements(f, g int32, r *plan.Row) {
	from := c.frames[f].side
	source, target := r.At[from][0], r.At[from.Other()][0]
	if r.Elements.Loose {
		c.looseElements(f, g, r)
		return
	}
	c.at(g, target).state = list
	for e := c.peek(f, source).first; e != none; e = c.frames[e].next {
		c.link(g, target, c.forward(e))
	}
}

// looseElements is elements for elements that need not have a counterpart.
func (c *conversion) looseElements(f, g int32, r *plan.Row) {
	from := c.frames[f].side
	to := from.Other()
	source, target := r.At[from][0], r.At[to][0]
	p := placement{r: r, to: to}
	if c.tooMany(f, r) {
		return
	}
	if of := choiceOf(r, to); of != nil && c.alternatives(f, of) != 1 {
		return // it is not known which element the value would be
	}
	if r.Forms[to] == plan.Dict && r.Forms[from] == plan.List {
		p.taken = map[string]bool{}
	}
	if r.Forms[to] != plan.One && r.Forms[from] != plan.One && r.Parts == nil {
		c.at(g, target).state = list
	}
	place := func(e int32) bool {
		h := c.forward(e)
		if !c.takePlace(&p, e, h) {
			c.frames[e].mate = none
			return false
		}
		return true
	}
	show := func(e int32) {
		c.link(g, target, c.frames[e].mate)
		c.at(g, target).state = list
	}
	switch {
	case r.Forms[from] == plan.Dict && r.Forms[to] == plan.List:
		for _, e := range c.byName(c.peek(f, source).first) {
			if place(e) {
				show(e)
			}
		}
	case r.TakesLast && p.taken != nil:
		var placed []int32
		for _, e := range slices.Backward(c.framesFrom(c.peek(f, source).first)) {
			if place(e) {
				placed = append(placed, e)
			}
		}
		for _, e := range slices.Backward(placed) {
			show(e)
		}
	default:
		for e := c.peek(f, source).first; e != none; e = c.frames[e].next {
			if place(e) {
				show(e)
			}
		}
	}
}

// tooMany reports whether a list in f has several elements, and the other side has room for one and
// represents none.
func (c *conversion) tooMany(f int32, r *plan.Row) bool {
	side := c.frames[f].side
	first := c.peek(f, r.At[side][0]).first
	return r.OnlyOne && r.Forms[side.Other()] == plan.One && first != none && c.frames[first].next != none
}

// framesFrom returns the frames of a list or map, beginning with the first one.
func (c *conversion) framesFrom(first int32) (all []int32) {
	for e := first; e != none; e = c.frames[e].next {
		all = append(all, e)
	}
	return all
}

// byName sorts the values of a map by their names, as the API server does.
func (c *conversion) byName(first int32) []int32 {
	type named struct {
		name []byte
		e    int32
	}
	var all []named
	for e := first; e != none; e = c.frames[e].next {
		name := c.frames[e].name
		all = append(all, named{unquote(name[1 : len(name)-1]), e})
	}
	slices.SortFunc(all, func(a, b named) int { return bytes.Compare(a.name, b.name) })
	sorted := make([]int32, len(all))
	for i := range all {
		sorted[i] = all[i].e
	}
	return sorted
}

// placement is what is known while the elements of a collection get their places on the other side.
type placement struct {
	r  *plan.Row
	to plan.Side
	// full says that the only place is taken.
	full bool
	// taken has the names that are taken in a map.
	taken map[string]bool
}

// takePlace reports whether the element e, of which the rows have made h, gets a place on the other
// side, and takes that place.
func (c *conversion) takePlace(p *placement, e, h int32) bool {
	r, from := p.r, p.to.Other()
	form := r.Forms[p.to]
	if p.full {
		return false
	}
	if r.Parts != nil {
		return c.takePlaceOfPart(p, e, h)
	}
	p.full = form == plan.One // only the first element gets it
	if !c.showsElement(r.Elements, e, h) {
		return false
	}
	root := c.peek(h, 0)
	switch {
	case form == plan.One:
		return root.state != raw || root.text[0] != 'n'
	case form == plan.Dict && r.Forms[from] == plan.List:
		quoted, ok := c.nameFor(e, r)
		if !ok {
			return false
		}
		name := string(unquote(quoted[1 : len(quoted)-1]))
		if p.taken[name] || r.Names != nil && !r.Names[name] {
			return false
		}
		p.taken[name] = true
		c.frames[h].name = quoted
	case form == plan.List && r.Forms[from] == plan.Dict:
		name := c.frames[e].name
		if root.state == raw || r.Names != nil && !r.Names[string(unquote(name[1:len(name)-1]))] {
			return false
		}
		if !c.setNames(h, r, name) {
			return false
		}
		c.frames[h].name = nil
	}
	return true
}

// nameFor returns the name, in quotes, that an element of a list has in a map.
func (c *conversion) nameFor(e int32, r *plan.Row) ([]byte, bool) {
	nodes := r.Elements.Named[c.frames[e].side]
	keys := make([][]byte, len(nodes))
	for i, id := range nodes {
		switch key := c.peek(e, id); key.state {
		case raw:
			keys[i] = key.text
		case absent:
		default:
			return nil, false
		}
	}
	return r.Naming.Name(keys)
}

// setNames sets the keys of an element of a list by the name, in quotes, that it has in a map.
func (c *conversion) setNames(e int32, r *plan.Row, name []byte) bool {
	nodes := r.Elements.Named[c.frames[e].side]
	keys := make([][]byte, len(nodes))
	if !r.Naming.Keys(name, keys) {
		return false
	}
	for i, id := range nodes {
		if keys[i] != nil {
			key := c.at(e, id)
			key.state, key.text = raw, keys[i]
		}
	}
	return true
}

// showsElement reports whether the rows have made of e an element that the API server keeps, and that
// shows that e is present.
func (c *conversion) showsElement(scope *plan.Scope, e, h int32) bool {
	if !c.peek(e, 0).present() {
		return false
	}
	nodes := []int32{0}
	if scope.Root != none {
		nodes = scope.Rows[scope.Root].At[c.frames[h].side]
	}
	there := false
	for _, id := range nodes {
		s := c.peek(h, id)
		if s.state == raw && !c.nodes(h)[id].Schema.Holds(s.text) {
			return false
		}
		there = there || s.present() // some parts may be missing
	}
	if !there && c.peek(h, nodes[0]).state == absent && nodes[0] != 0 && c.saysByAbsence(e, &scope.Rows[scope.Root], c.frames[h].side) {
		// An object does not tell what the other version's element is if it is empty.
		root := c.at(h, 0)
		root.state, root.first, root.last = object, none, none
		return true
	}
	if !there {
		return false
	}
	if scope.Root == none {
		return true
	}
	r := &scope.Rows[scope.Root]
	return r.Kind != plan.Compute && !r.Watches[plan.Spoke] && !r.Watches[plan.Hub] || c.leadsBack(e, h, r) == none
}

// maxLaps is the number of conversions in leadsBack: expressions may make larger values every time,
// without an end.
const maxLaps = 8

// leadsBack converts an element back and forth, by expressions that need not be exact opposites,
// until it stays the same. It returns the frame of which the next version would have nothing, or
// none. If the element disappeared on the way back, or on the way after that, what is kept for it
// would be lost.
func (c *conversion) leadsBack(e, h int32, r *plan.Row) (stuck int32) {
	before, at := e, h
	for range maxLaps {
		c.settle(at)
		mate := c.frames[at].mate
		next := c.forward(at)
		c.frames[at].mate = mate
		shown, same := false, true
		for _, id := range r.At[c.frames[next].side] {
			s, was := c.peek(next, id), c.peek(before, id)
			if s.state == raw && !c.nodes(next)[id].Schema.Holds(s.text) {
				return at
			}
			shown = shown || s.present() // some parts may be missing
			same = same && s.state == was.state && (s.state != raw || bytes.Equal(c.canonical(s.text, nil), c.canonical(was.text, nil)))
		}
		switch {
		case !shown:
			return at
		case same:
			return none
		}
		before, at = at, next
	}
	return none
}

// saysByAbsence reports whether a row makes nothing of what is in f because its default represents
// that by absence on side.
func (c *conversion) saysByAbsence(f int32, r *plan.Row, side plan.Side) bool {
	if r.Default[side] == nil {
		return false
	}
	mark := len(c.outs)
	defer func() {
		clear(c.outs[mark:])
		c.outs = c.outs[:mark]
	}()
	outs, ok := c.eval(f, r)
	return ok && outs[0] == nil
}

// evalLoose is eval for a row of loose elements whose field has a raw value in f. It returns what
// the other side has once the value is read.
func (c *conversion) evalLoose(f int32, r *plan.Row, text []byte) (out []byte, ok bool) {
	scope, from := c.frames[f].scope, c.frames[f].side
	to := from.Other()
	if text[0] == 'n' {
		// A part of a list is present or empty. It is never null.
		return text, !ofParted(r, to) && scope.Nodes[to][r.At[to][0]].Schema.Holds(text)
	}
	if of := choiceOf(r, to); of != nil && c.alternatives(f, of) != 1 {
		return nil, false
	}
	e := c.newFrame(scope, from)
	h := c.newFrame(scope, to)
	c.readText(e, r.At[from][0], text)
	if c.peek(e, r.At[from][0]).state != list {
		return nil, false
	}
	c.elements(e, h, r)
	target := c.peek(h, r.At[to][0])
	if target.state != list {
		return nil, c.peek(e, r.At[from][0]).first == none
	}
	for x := target.first; x != none; x = c.frames[x].next {
		c.settle(x)
	}
	return c.emit(nil, h, r.At[to][0]), true
}
