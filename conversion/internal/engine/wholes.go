package engine

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// reviveInDefaults is revive for what a stash took away while the object around it was
// absent and stood for its default. If that default would say something else by now than
// what the other version has, somebody has written there, and what rows made stands.
func (c *conversion) reviveInDefaults(g int32) {
	fr := c.frames[g]
	slots := func() []slot { return c.slots[fr.base : int(fr.base)+len(fr.scope.Nodes[fr.side])] }
	for _, whole := range fr.scope.Wholes[fr.side] {
		n := &fr.scope.Nodes[fr.side][whole]
		if c.at(g, whole).state != absent || c.at(g, n.Parent).state != object || !c.holdsTaken(g, whole) {
			continue
		}
		before := slices.Clone(slots())
		c.readText(g, whole, n.Filled)
		agrees := c.agrees(g, whole)
		copy(slots(), before)
		if !agrees {
			c.standAgain(g, whole)
			c.settle(g)
		}
	}
	c.eachElement(g, c.reviveInDefaults)
}

// isTaken says whether a stash took away what a row had made at a place.
func (c *conversion) isTaken(g, id int32) bool {
	s := c.at(g, id)
	return s.state == gone && s.text != nil && c.nodes(g)[id].Kind == plan.Operand
}

// holdsTaken says whether a stash took something away in a container.
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

// agrees says whether rows make what is live of what a container holds.
func (c *conversion) agrees(g, whole int32) bool {
	scope, side := c.frames[g].scope, c.frames[g].side
	for i := range scope.Rows {
		r := &scope.Rows[i]
		in := func(id int32) bool { return c.isIn(g, id, whole) }
		if r.Kind != plan.Elements && !r.Watches[plan.Spoke] && !r.Watches[plan.Hub] && slices.ContainsFunc(r.At[side], in) && !c.gives(g, r) {
			return false
		}
	}
	return true
}

// gives says whether a row makes what is live of what is in g.
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
		if c.at(mate, id).state == list || !same && (text != nil || !c.isInDefault(mate, id)) {
			return false
		}
	}
	return true
}
