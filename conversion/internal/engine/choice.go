package engine

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// A value may be one of several alternatives, each of which a row maps to a place of its own on the
// other side. Which it is a discriminator beside it says, so the value is read once all that is
// around it has been.

// readAlike reads a value that is made alike whichever alternative it is, so that nobody
// need know yet: a value in a value in a value would be read again and again.
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

// choose reads the values of a frame as what their discriminators say.
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

// choice returns what says which alternative the value is that a row maps on a side, nil if it maps
// none.
func choice(r *plan.Row, side plan.Side) *plan.Choice {
	if !ofParted(r, side) {
		return nil
	}
	return r.Parts.Choice
}

// chosen returns the element that a value is read as, and its part; none if there is none.
func (c *conversion) chosen(f, id int32) (e int32, part int) {
	parts := c.nodes(f)[id].Parts
	for i := range parts.All {
		if s := c.peek(f, parts.All[i].Node); s.state == list {
			return s.first, i
		}
	}
	return none, -1
}

// alternatives counts those that are there.
func (c *conversion) alternatives(f int32, of *plan.Choice) (n int) {
	for _, id := range c.frames[f].scope.Rows[of.Row].At[c.frames[f].side] {
		if c.seen(f, id) != nil {
			n++
		}
	}
	return n
}

// unchoose makes values raw again that do not come back from what the target has by
// now: they are kept as a whole.
func (c *conversion) unchoose(f int32) {
	scope, side, g := c.frames[f].scope, c.frames[f].side, c.frames[f].mate
	for _, parts := range scope.Choices {
		id := parts.Choice.Value
		if parts.Side != side || c.peek(f, id).state != parted {
			continue
		}
		e, part := c.chosen(f, id)
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
