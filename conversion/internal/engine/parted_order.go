package engine

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/graft"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// checkParted keeps what the other side does not say of a list with parts.
func (c *conversion) checkParted(f, id int32, n *plan.Node) {
	s := c.peek(f, id)
	switch {
	case n.Parts.Choice != nil:
		c.checkChoice(f, id, n.Parts.Choice)
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
	way, items := c.way(), []stash.Item{}
	for _, e := range all {
		if c.frames[e].mate == none {
			items = append(items, stash.Item{Value: c.canonical(c.peek(e, 0).text, nil)})
			continue
		}
		p := &n.Parts.All[c.partOf(f, n, e)]
		items = append(items, stash.Item{Part: []byte(p.Name), Step: c.address(way, step{frame: f, node: p.Node, element: e})})
	}
	return items
}

// restoreParted gives a list with parts its order back, and what no part shows.
func (c *conversion) restoreParted(at spot, n *plan.Node, e *stash.Entry) {
	s := c.at(at.frame, at.node)
	switch {
	case n.Parts.Choice != nil:
		c.restoreChoice(at, n, e)
	case e.Guard != nil || at.member != nil || s.state == raw || s.state != parted && !c.parentStands(at.frame, n.Parent):
	case e.Order != nil:
		c.restorePartedOrder(at.frame, at.node, n.Parts, e)
		// It stands, be it that entries take away all that rows have put into it.
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
		if next[i] = none; c.peek(g, p.Node).state == list {
			next[i] = c.peek(g, p.Node).first
		}
	}
	holds := c.newKeys(g, id, parts, known)
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
			if holds(item.Value) {
				continue // it has been given up for what has its key now
			}
			if part := parts.Find(item.Value); part < 0 || c.earlier || !c.wouldPlace(&placings[part], side, nil, item.Value) {
				put(c.addWhole(g, id, parts, item.Value))
			}
		}
	}
	for part := range parts.All {
		take(part, true)
	}
}

// newKeys reports whether an element that no part had before has the key of a whole one,
// where the schema has no two elements with one key in the list.
func (c *conversion) newKeys(g, id int32, parts *plan.Parts, known []map[int32]bool) (holds func(element []byte) bool) {
	of := c.nodes(g)[id].Schema
	var names [][]string
	for _, name := range of.Keys {
		names = append(names, []string{name})
	}
	keys := map[string]bool{}
	for part, p := range parts.All {
		if names == nil || c.peek(g, p.Node).state != list {
			continue
		}
		for _, e := range c.linked(c.peek(g, p.Node).first) {
			if !known[part][e] {
				keys[string(graft.KeyIn(c.emit(nil, e, 0), names, of.Items))] = true
			}
		}
	}
	return func(element []byte) bool {
		key := graft.KeyIn(element, names, of.Items)
		return key != nil && keys[string(key)]
	}
}
