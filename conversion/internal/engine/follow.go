package engine

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// An object that both versions have may hold nothing in one of them but what rows have from
// elsewhere in the other: then it is there because of them, and the other version, which has
// nothing to put into its own, need not have it. An empty one is shown only where someone wrote it.

// follow takes away the empty containers of the target that are only there because
// the source has them for what rows make in it.
func (c *conversion) follow(g int32) {
	nodes := c.nodes(g)
	for id := int32(len(nodes)) - 1; id > 0; id-- {
		n, s := &nodes[id], c.peek(g, id)
		if !n.Follows || s.state != object || s.first != none || s.kept != none || c.holdsAny(g, id) {
			continue
		}
		if c.isBeside(g, id) {
			c.clear(g, id)
		}
	}
	c.eachElement(g, c.follow)
}

// isBeside reports whether all that the twin of an empty container holds comes back without
// the container: rows may see whether it is there.
func (c *conversion) isBeside(g, id int32) bool {
	f, twin := c.frames[g].mate, c.nodes(g)[id].Twin
	if f == none {
		return false
	}
	s := c.peek(g, id)
	before := *s
	c.clear(g, id)
	beside := c.elsewhere(f, twin, twin)
	*s = before
	return beside
}

// holdsAny reports whether something is at one of the places in a container that the table does not drop.
func (c *conversion) holdsAny(f, id int32) bool {
	nodes := c.nodes(f)
	return slices.ContainsFunc(nodes[id].Children, func(child int32) bool {
		return nodes[child].Kind != plan.Drop && c.peek(f, child).present()
	})
}

// elsewhere reports whether a container holds something, and nothing but what rows map to places
// outside of the twin of the container around, and make again of what is there now.
func (c *conversion) elsewhere(f, id, around int32) bool {
	if s := c.peek(f, id); s.state != object || s.first != none || s.kept != none {
		return false
	}
	nodes, found := c.nodes(f), false
	for _, child := range nodes[id].Children {
		switch n := &nodes[child]; {
		case !c.peek(f, child).present(), c.isPruned(f, child):
			continue
		case n.Kind == plan.Container && !c.elsewhere(f, child, around),
			n.Kind != plan.Container && (n.Kind != plan.Operand || !c.comesBack(f, child, around)):
			return false
		}
		found = true
	}
	return found
}

// isPruned reports whether null stands at a place that cannot hold it: the API server removes it .
func (c *conversion) isPruned(f, id int32) bool {
	s := c.peek(f, id)
	return s.state == raw && s.text[0] == 'n' && !c.nodes(f)[id].Schema.Nullable
}

// comesBack reports whether a row makes what is at a place again of what is outside of
// the twin of a container around.
func (c *conversion) comesBack(f, id, around int32) bool {
	side, g := c.frames[f].side, c.frames[f].mate
	n := &c.nodes(f)[id]
	if n.Row == none || g == none {
		return false
	}
	r := &c.frames[f].scope.Rows[n.Row]
	others := r.At[side.Other()]
	if r.Watches[side] || len(others) == 0 || slices.ContainsFunc(others, func(other int32) bool { return c.isIn(g, other, c.nodes(f)[around].Twin) }) {
		return false
	}
	if c.peek(f, id).state == list {
		return c.shows(g, others[0])
	}
	mark := len(c.outs)
	defer func() { c.outs = c.outs[:mark] }()
	outs, ok := c.eval(g, r)
	operand := slices.Index(r.At[side], id)
	return ok && outs[operand] != nil && bytes.Equal(c.normText(outs[operand], n.Schema, nil), c.norm(f, id))
}

// isIn reports whether a place is a container or in it.
func (c *conversion) isIn(f, id, container int32) bool {
	nodes := c.nodes(f)
	for ; id != none; id = nodes[id].Parent {
		if id == container {
			return true
		}
	}
	return false
}
