package engine

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// An object that both versions have may contain only fields that rows map to other objects. It is
// present because of them, and the other version, which has nothing to put into its own object,
// need not have it. An empty object is written only if someone wrote it.

// removeFollowers removes the empty containers of the target that are present only because the source has
// them for fields that rows map elsewhere.
func (c *conversion) removeFollowers(g int32) {
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
	c.eachElement(g, c.removeFollowers)
}

// isBeside reports whether everything in the twin of an empty container is converted back without
// the container. Rows may read whether it is present.
func (c *conversion) isBeside(g, id int32) bool {
	f, twin := c.frames[g].mate, c.nodes(g)[id].Twin
	if f == none {
		return false
	}
	s := c.peek(g, id)
	before := *s
	c.clear(g, id)
	beside := c.isMappedElsewhere(f, twin, twin)
	*s = before
	return beside
}

// holdsAny reports whether a container has a value that the table does not drop.
func (c *conversion) holdsAny(f, id int32) bool {
	nodes := c.nodes(f)
	return slices.ContainsFunc(nodes[id].Children, func(child int32) bool {
		return nodes[child].Kind != plan.Drop && c.peek(f, child).present()
	})
}

// isMappedElsewhere reports whether a container is not empty, and all its values are mapped outside the
// twin of the container around, and converted back. Values that only its version has and that a third
// version may drop do not count: the twin would be gone with them.
func (c *conversion) isMappedElsewhere(f, id, around int32) bool {
	if s := c.peek(f, id); s.state != object || s.first != none || s.kept != none {
		return false
	}
	nodes, found := c.nodes(f), false
	for _, child := range nodes[id].Children {
		switch n := &nodes[child]; {
		case !c.peek(f, child).present(), c.isPruned(f, child), n.Kind == plan.Keep && n.Schema.Fades:
			continue
		case n.Kind == plan.Container && !c.isMappedElsewhere(f, child, around),
			n.Kind != plan.Container && (n.Kind != plan.Operand || !c.comesBack(f, child, around)):
			return false
		}
		found = true
	}
	return found
}

// isPruned reports whether a value is a null that the schema does not allow: the API server removes
// it.
func (c *conversion) isPruned(f, id int32) bool {
	s := c.peek(f, id)
	return s.state == raw && s.text[0] == 'n' && !c.nodes(f)[id].Schema.Nullable
}

// comesBack reports whether a row converts a value back from a field outside the twin of a
// container around.
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

// isIn reports whether a node is a container or inside it.
func (c *conversion) isIn(f, id, container int32) bool {
	nodes := c.nodes(f)
	for ; id != none; id = nodes[id].Parent {
		if id == container {
			return true
		}
	}
	return false
}
