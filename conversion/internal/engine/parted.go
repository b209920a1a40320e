package engine

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// A parted list is read into the parts that its elements belong to, each of which
// a row ties to a place of the other side. Where the elements stood among each
// other is an order of its own, and with it what no part can show.

// readParted reads a list with parts.
func (c *conversion) readParted(f, id int32, pos, depth int) (int, error) {
	fr := &c.frames[f]
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
		if _, err = c.readValue(e, 0, a.Value, depth+1); err != nil {
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

// partedElements are the elements of a list with parts, in their order.
func (c *conversion) partedElements(f, id int32) []int32 {
	var all []int32
	add := func(node int32) {
		for e := c.at(f, node).first; e != none; e = c.frames[e].next {
			all = append(all, e)
		}
	}
	for _, child := range c.nodes(f)[id].Children {
		if c.at(f, child).state == list {
			add(child)
		}
	}
	add(id)
	slices.SortStableFunc(all, func(a, b int32) int { return int(c.frames[a].position) - int(c.frames[b].position) })
	return all
}

func (c *conversion) emitParted(dst []byte, g, id int32) []byte {
	dst = append(dst, '[')
	open := len(dst)
	for _, e := range c.partedElements(g, id) {
		dst = c.emit(comma(dst, open), e, 0)
	}
	return append(dst, ']')
}

// ofParted says whether a row's place on a side is a part of a list.
func ofParted(r *plan.Row, side plan.Side) bool { return r.Parts != nil && r.Parts.Side == side }

// shows says whether a place holds elements that the other side has, too, or none
// because that has none: what a default fills in shows nothing.
func (c *conversion) shows(f, id int32) bool {
	s := c.at(f, id)
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

// inParted says whether a place is a part of a list.
func (c *conversion) inParted(f, id int32) bool {
	n := &c.nodes(f)[id]
	return n.Parent != none && c.nodes(f)[n.Parent].Kind == plan.Parted
}

// isFilled says whether a place of the target holds elements by a default alone: only
// that is read there.
func (c *conversion) isFilled(f, id int32) bool {
	s, read := c.at(f, id), c.at(f, id)
	if c.inParted(f, id) {
		read = c.at(f, c.nodes(f)[id].Parent)
	}
	return s.state == list && read.text != nil && s.first != none && c.frames[f].side != c.job.From
}

// showsFilled says whether the elements that a default alone gives a row's place are
// shown on the other side: of a part, those are not that would not come back into it.
func (c *conversion) showsFilled(f int32, r *plan.Row) bool {
	id := r.At[c.frames[f].side][0]
	return c.isFilled(f, id) && !c.tooMany(f, r) && (!c.inParted(f, id) || c.normPart(f, id, r) != nil)
}

// placesPart is places for a row that ties a part of a list.
func (c *conversion) placesPart(p *placing, e, h int32) bool {
	r := p.r
	if p.to == r.Parts.Side {
		if root := &c.nodes(e)[0]; root.Kind == plan.Container && c.at(e, 0).state == raw && len(c.frames[h].scope.Fixed) > 0 {
			return false // a null, or what is no object, has nothing by which it is of the part
		}
		c.fix(h)
	}
	if !c.stands(r.Elements, e, h) {
		return false
	}
	if root := c.at(h, 0); r.Forms[p.to] == plan.One && root.state == raw && root.text[0] == 'n' {
		return false
	}
	if !r.Parts.All[r.Part].Sure {
		back := h
		if p.to != r.Parts.Side {
			// It must come back into the part, or it would be lost. What it holds has
			// its counterparts already: a copy is taken back.
			c.settle(h)
			text := c.emit(nil, h, 0)
			there := c.newFrame(r.Elements, p.to)
			c.readText(there, 0, text)
			back = c.forward(there)
			c.fix(back)
		}
		c.settle(back)
		if r.Parts.Find(c.emit(nil, back, 0)) != r.Part {
			return false
		}
	}
	p.full = r.Forms[p.to] == plan.One
	return true
}

// fix writes what every element of a part holds.
func (c *conversion) fix(h int32) {
	fr := &c.frames[h]
	for _, id := range fr.scope.Fixed {
		s := c.at(h, id)
		s.state, s.text = raw, c.nodes(h)[id].Fill
	}
}

// checkParted keeps what the other side does not say of a list with parts.
func (c *conversion) checkParted(f, id int32, n *plan.Node) {
	s := c.at(f, id)
	switch {
	case s.state == raw:
		c.entry(f, id, nil, stash.Entry{Value: c.stashed(s)})
	case s.state == parted:
		all := c.partedElements(f, id)
		ordered, last := len(all) > 0, 0
		for _, e := range all {
			part := c.partOf(f, n, e)
			ordered = ordered && c.frames[e].mate != none && part >= last
			last = part
		}
		if !ordered {
			c.entry(f, id, nil, stash.Entry{Order: c.partedOrder(f, n, all)})
		}
	}
}

// partOf is the part of an element that the other side shows.
func (c *conversion) partOf(f int32, n *plan.Node, e int32) int {
	return slices.IndexFunc(n.Parts.All, func(p plan.Part) bool {
		return c.frames[f].scope.Rows[p.Row].Elements == c.frames[e].scope
	})
}

// partedOrder is where the elements of a list with parts stand.
func (c *conversion) partedOrder(f int32, n *plan.Node, all []int32) []stash.Item {
	items := []stash.Item{}
	for _, e := range all {
		if c.frames[e].mate == none {
			items = append(items, stash.Item{Value: c.canonical(c.at(e, 0).text, nil)})
			continue
		}
		p := &n.Parts.All[c.partOf(f, n, e)]
		items = append(items, stash.Item{Part: []byte(p.Name), Step: c.address(step{frame: f, node: p.Node, element: e})})
	}
	return items
}

// restoreParted gives a list with parts its order back, and what no part shows.
func (c *conversion) restoreParted(at spot, n *plan.Node, e *stash.Entry) {
	s := c.at(at.frame, at.node)
	switch {
	case e.Guard != nil || at.member != nil || s.state == raw || s.state != parted && !c.parentStands(at.frame, n.Parent):
	case e.Order != nil:
		c.restorePartedOrder(at.frame, at.node, n.Parts, e)
		// It stands, be it that entries take away all that rows have put into it.
		s = c.at(at.frame, at.node)
		s.state, s.made, s.restored = parted, false, true
	case (s.state != parted || !c.holdsAny(at.frame, at.node)) && e.Value != nil && e.Value[0] != '[':
		c.set(s, e.Value)
		s.made = false // entries have taken away all that rows had put into it
	}
}

// restorePartedOrder puts the elements where they stood, so far as they are still
// there. Those of one part stay in the order of the other side: new ones come
// behind those that they follow there.
func (c *conversion) restorePartedOrder(g, id int32, parts *plan.Parts, said *stash.Entry) {
	items := said.Order
	scope, side := c.frames[g].scope, c.frames[g].side
	known := make([]map[int32]bool, len(parts.All))
	places := make([]int, len(items)) // the part of each item, or -1
	for i, item := range items {
		places[i] = -1
		part := slices.IndexFunc(parts.All, func(p plan.Part) bool { return string(p.Name) == string(item.Part) })
		if item.Value != nil || part < 0 {
			continue
		}
		e := c.element(g, parts.All[part].Node, inPart(said.At, item.Part), item.Step)
		if e == none || known[part][e] {
			continue
		}
		if known[part] == nil {
			known[part] = map[int32]bool{}
		}
		known[part][e], places[i] = true, part
	}
	placings := make([]placing, len(parts.All))
	next := make([]int32, len(parts.All))
	for i, p := range parts.All {
		placings[i] = placing{r: &scope.Rows[p.Row], to: side.Other()}
		if next[i] = none; c.at(g, p.Node).state == list {
			next[i] = c.at(g, p.Node).first
		}
	}
	position := int32(0)
	put := func(e int32) {
		position++
		c.frames[e].position = position
	}
	// take puts the elements of a part up to the next known one, and those that
	// follow it.
	take := func(part int, all bool) {
		found := false
		for ; next[part] != none; next[part] = c.frames[next[part]].next {
			is := known[part][next[part]]
			if is && found && !all {
				return
			}
			found = found || is
			put(next[part])
			placings[part].full = placings[part].r.Forms[side.Other()] == plan.One
		}
	}
	for i, item := range items {
		switch {
		case places[i] >= 0:
			take(places[i], false)
		case item.Value != nil:
			// As in insertWhole, it may be the table that could not show it before.
			if part := parts.Find(item.Value); part < 0 || c.earlier || !c.wouldPlace(&placings[part], side, nil, item.Value) {
				put(c.addWhole(g, id, parts, item.Value))
			}
		}
	}
	for part := range parts.All {
		take(part, true)
	}
}
