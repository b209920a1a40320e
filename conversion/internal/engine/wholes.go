package engine

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// reviveInDefaults is revive for what a stash took away while the object around it was
// absent and stood for its default, and for what the default puts into an object that
// stands for no more than what a stash gave back. If that default would say something
// else by now than what the other version has, somebody has written there, and what rows
// made stands, or the object with nothing in it if that says what the other version has.
func (c *conversion) reviveInDefaults(g int32) {
	fr := c.frames[g]
	for _, whole := range fr.scope.Wholes[fr.side] {
		n := &fr.scope.Nodes[fr.side][whole]
		s, around := c.peek(g, whole), c.peek(g, n.Parent)
		if s.state != absent || around.state != object {
			continue
		}
		taken := c.holdsTaken(g, whole)
		if !taken && (n.Twin != none || !around.restored) {
			continue
		}
		switch {
		case c.agreesAs(g, whole, n.Filled):
		case taken:
			c.standAgain(g, whole)
			c.settle(g)
		case c.agreesAs(g, whole, []byte("{}")):
			c.standEmpty(g, whole)
		}
	}
	c.eachElement(g, c.reviveInDefaults)
}

// isTaken reports whether a stash took away what a row had made at a place.
func (c *conversion) isTaken(g, id int32) bool {
	s := c.peek(g, id)
	return s.state == gone && s.text != nil && c.nodes(g)[id].Kind == plan.Operand
}

// holdsTaken reports whether a stash took something away in a container.
func (c *conversion) holdsTaken(g, id int32) bool {
	return slices.ContainsFunc(c.nodes(g)[id].Children, func(child int32) bool {
		return c.isTaken(g, child) || c.holdsTaken(g, child)
	})
}

// standAgain puts that back.
func (c *conversion) standAgain(g, id int32) {
	for _, child := range c.nodes(g)[id].Children {
		if c.isTaken(g, child) {
			c.at(g, child).state = raw
		}
		c.standAgain(g, child)
	}
}

// agreesAs reports whether rows make what is live of what a container holds if that is text.
func (c *conversion) agreesAs(g, whole int32, text []byte) bool {
	before := c.save(g)
	c.readText(g, whole, text)
	defer c.reset(g, before)
	scope, side := c.frames[g].scope, c.frames[g].side
	for i := range scope.Rows {
		r := &scope.Rows[i]
		in := func(id int32) bool { return c.isIn(g, id, whole) }
		switch {
		case r.Watches[plan.Spoke] || r.Watches[plan.Hub] || !slices.ContainsFunc(r.At[side], in):
		case r.Kind == plan.Elements && !c.givesElements(g, whole, text, r), r.Kind != plan.Elements && !c.gives(g, r):
			return false
		}
	}
	return true
}

// givesElements is gives for elements in a container that holds text.
func (c *conversion) givesElements(g, whole int32, text []byte, r *plan.Row) bool {
	scope, side, mate := c.frames[g].scope, c.frames[g].side, c.frames[g].mate
	id := r.At[side.Other()][0]
	read, made := c.newFrame(scope, side), c.newFrame(scope, side.Other())
	c.readText(read, whole, text)
	if c.peek(read, r.At[side][0]).state == list {
		c.elements(read, made, r)
	}
	c.settle(made)
	return slices.EqualFunc(c.shownElements(made, id, r), c.shownElements(mate, id, r), bytes.Equal)
}

// shownElements are the elements at a place, with their names in a map, in canonical form.
func (c *conversion) shownElements(f, id int32, r *plan.Row) (all [][]byte) {
	if c.peek(f, id).state != list {
		return nil
	}
	for e := c.peek(f, id).first; e != none; e = c.frames[e].next {
		of := c.nodes(e)[0].Schema
		all = append(all, append(slices.Clone(c.frames[e].name), c.texts().Canonical(nil, c.emit(nil, e, 0), of)...))
	}
	if r.Forms[c.frames[f].side] == plan.Dict {
		slices.SortFunc(all, bytes.Compare)
	}
	return all
}

// gives reports whether a row makes what is live of what is in g.
func (c *conversion) gives(g int32, r *plan.Row) bool {
	mate, other := c.frames[g].mate, c.frames[g].side.Other()
	mark := len(c.outs)
	defer func() {
		clear(c.outs[mark:])
		c.outs = c.outs[:mark]
	}()
	outs, ok := c.eval(g, r)
	for i, id := range r.At[other] {
		var text []byte
		if ok {
			text = outs[i]
		}
		same := bytes.Equal(c.normText(text, c.nodes(mate)[id].Schema, c.implied(mate, id)), c.norm(mate, id))
		if c.peek(mate, id).state == list || !same && (text != nil || !c.isInDefault(mate, id)) {
			return false
		}
	}
	return true
}
