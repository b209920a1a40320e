package engine

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// checkLoose checks elements that need not have a counterpart. Those that have
// none are kept as a whole: the values of a map by their names, the elements of
// a list in an entry that also says where they stood.
func (c *conversion) checkLoose(f, id int32, r *plan.Row) {
	side := c.frames[f].side
	isMap := r.Forms[side] == plan.Dict
	toMap := r.Forms[side.Other()] == plan.Dict
	ordered := true
	var last []byte
	for e := c.peek(f, id).first; e != none; e = c.frames[e].next {
		if h := c.frames[e].mate; h == none {
			ordered = false
		} else if toMap {
			name := c.frames[h].name
			text := unquote(name[1 : len(name)-1])
			ordered = ordered && (last == nil || string(last) < string(text))
			last = text
		}
		c.caller.Work(c.workOf(e))
		c.path = append(c.path, step{frame: f, node: id, element: e})
		switch {
		case c.frames[e].mate != none:
			c.check(e)
		case isMap:
			c.entry(e, 0, nil, stash.Entry{Value: c.canonical(c.peek(e, 0).text, nil)})
		}
		c.path = c.path[:len(c.path)-1]
	}
	if g := c.frames[f].mate; ofParted(r, side) && c.isFilled(g, r.At[side.Other()][0]) {
		// No element of the part is shown, but a default, which is none of its elements.
		c.entry(f, id, nil, stash.Entry{Guard: c.rowGuard(g, r), Row: []byte(r.Mark)})
	}
	if !isMap && !ordered && !ofParted(r, side) {
		c.entry(f, id, nil, stash.Entry{Order: c.order(f, id, r)})
	}
}

// order is where the elements of a list stood: of those with a counterpart as
// much as it takes to find the place of the others, or, where the other side is
// a map, all.
func (c *conversion) order(f, id int32, r *plan.Row) []stash.Item {
	var items []stash.Item
	toMap := r.Forms[c.frames[f].side.Other()] == plan.Dict
	way, before := c.way(), none
	for e := c.peek(f, id).first; e != none; e = c.frames[e].next {
		switch h := c.frames[e].mate; {
		case h == none:
			if before != none {
				items = append(items, stash.Item{Step: c.address(way, step{frame: f, node: id, element: before})})
				before = none
			}
			items = append(items, stash.Item{Value: c.canonical(c.peek(e, 0).text, nil)})
		case toMap:
			name := c.frames[h].name
			items = append(items, stash.Item{Step: stash.Step{Name: unquote(name[1 : len(name)-1])}})
		default:
			before = e
		}
	}
	return items
}

// restoreOrder puts the elements of a list back where they stood, so far as they
// are still there, and those among them that the other side cannot show. New
// elements follow the known ones.
func (c *conversion) restoreOrder(g, id int32, r *plan.Row, said *stash.Entry) {
	items := said.Order
	side := c.frames[g].side
	fromMap := r.Forms[side.Other()] == plan.Dict
	live := c.linked(c.peek(g, id).first)
	known := map[string]int32{} // the elements of a map by their names
	if fromMap {
		for _, e := range live {
			name := c.frames[c.frames[e].mate].name
			known[string(unquote(name[1:len(name)-1]))] = e
		}
	}
	shown := map[string]bool{} // the names that the map had
	for _, item := range items {
		if item.Step.Name != nil {
			shown[string(item.Step.Name)] = true
		}
	}
	behind := map[int32][][]byte{} // the whole elements behind each
	used := map[int32]bool{}
	var sorted []int32
	after := none
	for _, item := range items {
		if item.Value != nil {
			// What had a name that the map did not show has been given up for what
			// has it now.
			name, ok := c.nameOf(g, r, item.Value)
			if _, live := known[name]; !ok || !live || shown[name] {
				behind[after] = append(behind[after], item.Value)
			}
			continue
		}
		e := none
		if !fromMap {
			e = c.element(g, id, said.At, item.Step)
		} else if named, ok := known[string(item.Step.Name)]; ok {
			e = named
		}
		if e == none || used[e] {
			continue
		}
		used[e], after = true, e
		sorted = append(sorted, e)
	}
	if !fromMap {
		sorted = live // the order of the other side is the order
	}
	for _, e := range live {
		if fromMap && !used[e] {
			sorted = append(sorted, e)
		}
	}
	s := c.at(g, id)
	s.first, s.last = none, none
	p := placing{r: r, to: side.Other(), taken: map[string]bool{}}
	if r.LastCounts {
		for name := range known {
			p.taken[name] = true
		}
	}
	if r.Forms[p.to] != plan.One {
		c.insertWhole(g, id, &p, behind[none]) // what stands first is what is shown
	}
	for _, e := range sorted {
		c.frames[e].next = none
		c.link(g, id, e)
		p.full = r.Forms[p.to] == plan.One
		if fromMap {
			name := c.frames[c.frames[e].mate].name
			p.taken[string(unquote(name[1:len(name)-1]))] = !r.LastCounts
		}
		c.insertWhole(g, id, &p, behind[e])
	}
}

// nameOf is the name that a whole element of a list has in the other side's map.
func (c *conversion) nameOf(g int32, r *plan.Row, value []byte) (string, bool) {
	side := c.frames[g].side
	if r.Elements.Named[side] == nil || value[0] != '{' {
		return "", false
	}
	e := c.newFrame(r.Elements, side)
	c.readText(e, 0, value)
	name, ok := c.nameFor(e, r)
	if !ok {
		return "", false
	}
	return string(unquote(name[1 : len(name)-1])), true
}

// insertWhole adds elements that the other side cannot show. One that it could
// show is none of those: somebody has taken it away, or made it up; or it is the
// table that could not show it before.
func (c *conversion) insertWhole(g, id int32, p *placing, values [][]byte) {
	for _, value := range values {
		if !c.earlier && c.wouldPlace(p, p.to.Other(), nil, value) {
			continue
		}
		e := c.newFrame(p.r.Elements, p.to.Other())
		s := c.at(e, 0)
		s.state, s.text = raw, value
		c.link(g, id, e)
	}
}
