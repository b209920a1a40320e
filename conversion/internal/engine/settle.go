package engine

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// filled is the state of a container with something in it.
func filled(n *plan.Node) state {
	if n.Kind == plan.Parted {
		return parted
	}
	return object
}

// settle makes a container of whatever has something inside. What a row wrote
// wins over a value of another type that stood there. What a stash gave back
// makes no container that both versions have: if rows no longer make it,
// somebody removed it, and what it held goes with it.
func (c *conversion) settle(g int32) {
	nodes := c.nodes(g)
	for id := range nodes {
		s := c.peek(g, int32(id))
		if !s.made {
			continue
		}
		if s.kept == none || nodes[id].Twin != none {
			if s.state = absent; s.text != nil {
				s.state = raw
			}
			if s.restored = s.state == raw && s.textRestored; s.away && s.state == absent {
				s.state = gone
			}
		}
		s.made = false
	}
	if c.hold(g, false) {
		c.hold(g, true) // beside what is live, whatever their order
	}
	c.eachElement(g, c.settle)
}

// hold makes containers of what has something inside that is live, or that a stash
// gave back. It reports whether there is something of the latter.
func (c *conversion) hold(g int32, restored bool) (more bool) {
	nodes := c.nodes(g)
	for id := len(nodes) - 1; id > 0; id-- {
		s := c.peek(g, int32(id))
		if !s.present() {
			continue
		}
		p, container := c.at(g, nodes[id].Parent), filled(&nodes[nodes[id].Parent])
		switch {
		case s.restored != restored:
			more = more || s.restored
		case p.state != container && restored && nodes[nodes[id].Parent].Twin != none:
			c.empty(g, int32(id))
		case p.state != container:
			if p.state != raw {
				p.text = nil
			}
			p.state, p.made, p.restored = container, true, restored
			if container == object {
				p.first, p.last = none, none
			}
		case !restored:
			p.restored = false
		}
	}
	return more
}

// fill writes defaults and constants where nothing stands.
func (c *conversion) fill(g int32) {
	fr := c.frames[g]
	nodes := fr.scope.Nodes[fr.side]
	for _, id := range fr.scope.Fills[fr.side] {
		n := &nodes[id]
		if c.peek(g, id).state != absent || n.Parent == none || c.peek(g, n.Parent).state != object {
			continue
		}
		if n.FromAround && c.isInLone(g, id) {
			continue // what another table kept says all that was there
		}
		if n.FillsValue && (fr.mate == none || c.peek(fr.mate, n.Twin).state != raw) {
			continue
		}
		if n.Kind == plan.Container && c.isDenied(g, id) {
			c.at(g, id).state = object // what else its default says is filled in by itself
			continue
		}
		if n.Kind == plan.Container || n.Kind == plan.Parted || c.form(g, n) != plan.NoForm {
			// It is read as it will be on the way back, elements and all, so that a
			// guard over it holds there.
			c.readPart(g, id, n.Filled)
			continue
		}
		s := c.at(g, id)
		s.state, s.text = raw, n.Filled
	}
	c.eachCollection(g, func(id int32) {
		if c.isFilled(g, id) {
			return // a default says all that is in its elements
		}
		for e := c.peek(g, id).first; e != none; e = c.frames[e].next {
			c.fill(e)
		}
	})
	c.choose(g)
}

// isDenied reports whether a stash knows that something was not there which the default of
// a container would put into it.
func (c *conversion) isDenied(g, id int32) bool {
	nodes := c.nodes(g)
	return slices.ContainsFunc(nodes[id].Children, func(child int32) bool {
		n := &nodes[child]
		return n.FromAround && c.peek(g, child).state == gone || n.ForConstant && (c.peek(g, child).state == gone || c.isDenied(g, child))
	})
}

// eachElement visits the frames of all lists and maps of g.
func (c *conversion) eachElement(g int32, visit func(int32)) {
	c.eachCollection(g, func(id int32) {
		for e := c.peek(g, id).first; e != none; e = c.frames[e].next {
			c.caller.Work(c.workOf(e))
			visit(e)
		}
	})
}

// eachCollection visits the places of g that hold elements.
func (c *conversion) eachCollection(g int32, visit func(id int32)) {
	scope, side := c.frames[g].scope, c.frames[g].side
	for i := range scope.Rows {
		if r := &scope.Rows[i]; r.Kind == plan.Elements && c.peek(g, r.At[side][0]).state == list {
			visit(r.At[side][0])
		}
	}
}
