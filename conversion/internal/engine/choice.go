package engine

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// A value may be one of several alternatives, each of which a row maps to a field of its own on the
// other side. A discriminator beside the value tells which one it is, so the value is read after
// everything around it.

// readAlike reads a value that every alternative maps in the same way, before the discriminator is
// known. Otherwise a value in a value in a value would be read again and again.
func (c *conversion) readAlike(f, id int32, pos, depth int) (int, error) {
	fr := c.frames[f]
	e := c.newFrame(fr.scope.Rows[fr.scope.Nodes[fr.side][id].Parts.All[0].Row].Elements, fr.side)
	end, err := c.readElement(e, pos, depth)
	if err != nil {
		return pos, err
	}
	s := c.at(f, id)
	s.state, s.text, s.first = raw, c.src[pos:end], e
	return end, nil
}

// choose reads the values of a frame as the alternatives that their discriminators name.
func (c *conversion) choose(f int32) {
	scope, side := c.frames[f].scope, c.frames[f].side
	for _, parts := range scope.Choices {
		if parts.Side != side {
			continue
		}
		s := c.peek(f, parts.Choice.Value)
		if s.state != raw || s.text[0] == 'n' {
			continue
		}
		e, text := s.first, s.text
		s.first = none
		part := parts.Chosen(c.norm(f, parts.Choice.Discriminator))
		if part < 0 {
			continue
		}
		if e == none {
			e = c.newFrame(scope.Rows[parts.All[part].Row].Elements, side)
			c.frames[e].from = c.offset(text)
			c.readText(e, 0, text)
		}
		child := parts.All[part].Node
		c.link(f, child, e)
		s = c.at(f, child)
		s.state, s.text = list, text
		c.at(f, parts.Choice.Value).state = parted
	}
}

// choiceOf returns the choice of the value that a row maps on a side, or nil.
func choiceOf(r *plan.Row, side plan.Side) *plan.Choice {
	if !ofParted(r, side) {
		return nil
	}
	return r.Parts.Choice
}

// chosenElement returns the element that a value is read as, and its part, or none.
func (c *conversion) chosenElement(f, id int32) (e int32, part int) {
	parts := c.nodes(f)[id].Parts
	for i := range parts.All {
		if s := c.peek(f, parts.All[i].Node); s.state == list {
			return s.first, i
		}
	}
	return none, -1
}

// alternatives returns how many alternatives are present.
func (c *conversion) alternatives(f int32, of *plan.Choice) (n int) {
	for _, id := range c.frames[f].scope.Rows[of.Row].At[c.frames[f].side] {
		if c.marker(f, id) != nil {
			n++
		}
	}
	return n
}

// unchoose makes a value raw again if converting the target back would not give it: it is kept
// whole then.
func (c *conversion) unchoose(f int32) {
	scope, side, g := c.frames[f].scope, c.frames[f].side, c.frames[f].mate
	for _, parts := range scope.Choices {
		id := parts.Choice.Value
		if parts.Side != side || c.peek(f, id).state != parted {
			continue
		}
		e, part := c.chosenElement(f, id)
		if e == none {
			continue
		}
		there := c.peek(g, scope.Rows[parts.All[part].Row].At[side.Other()][0])
		if there.state == list && c.frames[e].mate != none && there.first == c.frames[e].mate && c.alternatives(g, parts.Choice) == 1 {
			continue
		}
		c.clear(f, parts.All[part].Node)
		c.at(f, id).state = raw
	}
}
