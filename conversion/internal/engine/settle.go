package engine

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// stateWithContent returns the state of a node that has something inside.
func stateWithContent(n *plan.Node) state {
	if n.Kind == plan.Parted {
		return parted
	}
	return object
}

// settle makes a container of every node with something inside. What a row has written replaces a
// value of another type.
func (c *conversion) settle(g int32) {
	nodes := c.nodes(g)
	for id := range nodes {
		s := c.peek(g, int32(id))
		if !s.made {
			continue
		}
		if s.state = absent; s.text != nil {
			s.state = raw
		}
		s.made = false
	}
	for id := len(nodes) - 1; id > 0; id-- {
		if !c.peek(g, int32(id)).present() {
			continue
		}
		p, container := c.at(g, nodes[id].Parent), stateWithContent(&nodes[nodes[id].Parent])
		if p.state == container {
			continue
		}
		if p.state != raw {
			p.text = nil
		}
		p.state, p.made = container, true
		if container == object {
			p.first, p.last = none, none
		}
	}
	c.eachElement(g, c.settle)
}

// fill writes defaults and constants into absent fields.
func (c *conversion) fill(g int32) {
	fr := c.frames[g]
	nodes := fr.scope.Nodes[fr.side]
	for _, id := range fr.scope.Fills[fr.side] {
		n := &nodes[id]
		if c.peek(g, id).state != absent || n.Parent == none || c.peek(g, n.Parent).state != object {
			continue
		}
		if n.FillsValue && (fr.mate == none || c.peek(fr.mate, n.Twin).state != raw) {
			continue
		}
		if n.Kind == plan.Container || n.Kind == plan.Parted || c.form(g, n) != plan.NoForm {
			// It is read as it will be read on the way back, with its elements, so that its guard
			// stays valid.
			c.readPart(g, id, n.Filled)
			continue
		}
		s := c.at(g, id)
		s.state, s.text = raw, n.Filled
	}
	c.eachCollection(g, func(id int32) {
		if c.isFilled(g, id) {
			return // a default has all that is in its elements
		}
		for e := c.peek(g, id).first; e != none; e = c.frames[e].next {
			c.fill(e)
		}
	})
	c.choose(g)
}

// eachElement calls visit for the frames of all lists and maps of g.
func (c *conversion) eachElement(g int32, visit func(int32)) {
	c.eachCollection(g, func(id int32) {
		for e := c.peek(g, id).first; e != none; e = c.frames[e].next {
			c.caller.Work(c.workOf(e))
			visit(e)
		}
	})
}

// eachCollection calls visit for the nodes of g that have elements.
func (c *conversion) eachCollection(g int32, visit func(id int32)) {
	scope, side := c.frames[g].scope, c.frames[g].side
	for i := range scope.Rows {
		if r := &scope.Rows[i]; r.Kind == plan.Elements && c.peek(g, r.At[side][0]).state == list {
			visit(r.At[side][0])
		}
	}
}
