package engine

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// A parted list is read into the parts that its elements belong to. A row maps each part to a field
// of its own on the other side. The order of elements of different parts is lost, and so are
// elements that belong to no part: package complement keeps both.

// readParted reads a list with parts.
func (c *conversion) readParted(f, id int32, pos, depth int) (int, error) {
	fr := c.frames[f]
	scope, side := fr.scope, fr.side
	parts := scope.Nodes[side][id].Parts
	a := c.scan.Array(pos)
	for position := int32(0); ; position++ {
		ok, err := a.Next()
		if err != nil {
			return pos, err
		}
		if !ok {
			break
		}
		if a.End, err = c.scan.Value(a.Value, depth+1); err != nil {
			return pos, err
		}
		text := c.src[a.Value:a.End]
		part := parts.Find(text)
		if part < 0 {
			c.frames[c.addWhole(f, id, parts, text)].position = position
			continue
		}
		child := parts.All[part].Node
		e := c.newFrame(scope.Rows[parts.All[part].Row].Elements, side)
		c.frames[e].position = position
		c.link(f, child, e)
		c.at(f, child).state = list
		if _, err = c.readElement(e, a.Value, depth+1); err != nil {
			return pos, err
		}
	}
	s := c.at(f, id)
	s.state, s.text = parted, c.src[pos:a.End]
	return a.End, nil
}

// addWhole adds an element that belongs to no part.
func (c *conversion) addWhole(f, id int32, parts *plan.Parts, text []byte) int32 {
	e := c.newFrame(c.frames[f].scope.Rows[parts.All[0].Row].Elements, c.frames[f].side)
	s := c.at(e, 0)
	s.state, s.text = raw, text
	c.link(f, id, e)
	return e
}

// partedElements returns the elements of a list with parts, in their order.
func (c *conversion) partedElements(f, id int32) []int32 {
	var all []int32
	add := func(node int32) {
		for e := c.peek(f, node).first; e != none; e = c.frames[e].next {
			all = append(all, e)
		}
	}
	for _, child := range c.nodes(f)[id].Children {
		if c.peek(f, child).state == list {
			add(child)
		}
	}
	add(id)
	slices.SortStableFunc(all, func(a, b int32) int { return int(c.frames[a].position) - int(c.frames[b].position) })
	return all
}

func (c *conversion) emitParted(dst []byte, g, id int32) []byte {
	if c.nodes(g)[id].Parts.Choice != nil {
		e, _ := c.chosenElement(g, id)
		c.emitsFrom(len(dst), e)
		return c.emit(dst, e, 0)
	}
	dst = append(dst, '[')
	open := len(dst)
	for _, e := range c.partedElements(g, id) {
		dst = comma(dst, open)
		c.emitsFrom(len(dst), e)
		dst = c.emit(dst, e, 0)
	}
	return append(dst, ']')
}

// ofParted reports whether a row's place on a side is a part of a list.
func ofParted(r *plan.Row, side plan.Side) bool { return r.Parts != nil && r.Parts.Side == side }

// shows reports whether a node has elements that the other side has, too, or is empty because that
// one is. Elements of a default are not considered.
func (c *conversion) shows(f, id int32) bool {
	s := c.peek(f, id)
	switch {
	case s.state != list || c.isFilled(f, id):
		return false
	case !c.inParted(f, id) && (s.text == nil || s.first == none):
		return true
	}
	for e := s.first; e != none; e = c.frames[e].next {
		if c.frames[e].mate != none {
			return true
		}
	}
	return false
}

// inParted reports whether a place is a part of a list.
func (c *conversion) inParted(f, id int32) bool {
	n := &c.nodes(f)[id]
	return n.Parent != none && c.nodes(f)[n.Parent].Kind == plan.Parted
}

// isFilled reports whether a node of the target has elements only by a default: they are only read.
func (c *conversion) isFilled(f, id int32) bool {
	s, read := c.peek(f, id), c.peek(f, id)
	if c.inParted(f, id) {
		read = c.peek(f, c.nodes(f)[id].Parent)
	}
	return s.state == list && read.text != nil && s.first != none && c.frames[f].side != c.job.From
}

// takePlaceOfPart is places for a row that maps a part of a list.
func (c *conversion) takePlaceOfPart(p *placement, e, h int32) bool {
	r := p.r
	if p.to == r.Parts.Side {
		if root := &c.nodes(e)[0]; root.Kind == plan.Container && c.peek(e, 0).state == raw && len(c.frames[h].scope.Fixed) > 0 {
			return false // null, and a value that is no object, can't tell that it is of the part
		}
		c.writeFixed(h)
	}
	if !c.showsElement(r.Elements, e, h) {
		return false
	}
	if root := c.peek(h, 0); r.Forms[p.to] == plan.One && root.state == raw && root.text[0] == 'n' {
		return false
	}
	if !r.Parts.All[r.Part].Sure {
		back := h
		if p.to != r.Parts.Side {
			// It must be converted back into the part, or it would be lost. A copy is converted
			// back, because h has its counterparts already.
			c.settle(h)
			text := c.emit(nil, h, 0)
			there := c.newFrame(r.Elements, p.to)
			c.readText(there, 0, text)
			back = c.forward(there)
			c.writeFixed(back)
		}
		c.settle(back)
		if r.Parts.Find(c.emit(nil, back, 0)) != r.Part {
			return false
		}
	}
	p.full = r.Forms[p.to] == plan.One
	return true
}

// writeFixed writes the values that every element of a part has.
func (c *conversion) writeFixed(h int32) {
	fr := c.frames[h]
	for _, id := range fr.scope.Fixed {
		s := c.at(h, id)
		s.state, s.text = raw, c.nodes(h)[id].Fill
	}
}

// partOf returns the part of an element that the other side has.
func (c *conversion) partOf(f int32, n *plan.Node, e int32) int {
	return slices.IndexFunc(n.Parts.All, func(p plan.Part) bool {
		return c.frames[f].scope.Rows[p.Row].Elements == c.frames[e].scope
	})
}
