package engine

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/graft"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// Landing is an entry that another table wrote, with the way to where it has come to be.
type Landing struct {
	stash.Entry
	// Around is how many of the objects around a place where nothing stood were not there
	// either, from the innermost: the other version does not have them, and no entry says
	// of one that it was there, or what was in it.
	Around int
	// Stands says that what stands there is what the entry says, or what it has put there itself.
	Stands bool
}

// landed are the entries of another table with the ways on which what they are about
// has come to be in the target: elements, which another table told apart by what is no
// more to be seen in them, are where they stand in their lists. An entry for which there
// is no such way is none of them.
func (c *conversion) landed(g int32) []Landing {
	leads := map[int32]lead{g: {from: none}}
	c.leadsFrom(g, leads)
	var all []Landing
	opens := false
	named := map[slotAt]map[string]int{} // many orders may be of one list
	for i, at := range c.spots {
		if _, known := leads[at.frame]; at.frame == none || !known {
			continue
		}
		e := c.incoming[i]
		e.At = c.names(wayTo(at.frame, leads), at.frame, at.node)
		if at.member != nil {
			e.At = append(e.At, stash.Step{Name: at.member})
		}
		found := false
		if at.in != nil {
			e.At, found = at.in.AppendFound(e.At)
		}
		if !found {
			if slices.ContainsFunc(at.rest, func(s stash.Step) bool { return s.Name == nil }) {
				continue
			}
			e.At = append(e.At, at.rest...)
		}
		if len(e.At) > 0 {
			e.Order = c.placedItems(landedItems(e.Order, at.items), at, named)
			l := Landing{Entry: e, Stands: at.filled || c.standsAt(at, &e)}
			if mayOpen(l) {
				opens, l.Around = true, c.around(at)
			}
			all = append(all, l)
		}
	}
	if !opens {
		return all
	}
	said := map[trail]bool{}
	for _, e := range all {
		to := trail(0)
		for _, s := range e.At {
			to = to.on(s)
			said[to] = said[to] || e.Value != nil || e.Order != nil
		}
	}
	for i := range all {
		all[i].Around = open(all[i], said)
	}
	return all
}

// standsAt reports whether the value of an entry stands at its place. That of an object or a list
// does not say all of it: other entries may be about what is in it.
func (c *conversion) standsAt(at earlierSpot, e *stash.Entry) bool {
	if len(at.rest) > 0 || at.member != nil || e.Value == nil || e.Value[0] == '{' || e.Value[0] == '[' {
		return false
	}
	s := c.peek(at.frame, at.node)
	return s.state == raw && bytes.Equal(s.text, e.Value)
}

// mayOpen reports whether an entry may open what is around its place.
func mayOpen(e Landing) bool { return e.Guard != nil && e.Value == nil && e.Order == nil }

// landedItems are the items of an order, with those elements by where they stand that
// have been found.
func landedItems(order []stash.Item, found []*graft.Tree) []stash.Item {
	order = slices.Clone(order)
	for i, in := range found {
		if last, ok := in.FoundLast(); ok {
			order[i].Step = last
		}
	}
	return order
}

// placedItems are the items of an order, with those elements by where they stand that
// the other version has in a map. named keeps what is found out of each list.
func (c *conversion) placedItems(order []stash.Item, at earlierSpot, named map[slotAt]map[string]int) []stash.Item {
	n := &c.nodes(at.frame)[at.node]
	if len(order) == 0 || len(at.rest) > 0 || at.member != nil || c.peek(at.frame, at.node).state != list || c.form(at.frame, n) != plan.List {
		return order
	}
	if c.frames[at.frame].scope.Rows[n.Row].Forms[c.frames[at.frame].side.Other()] != plan.Dict {
		return order
	}
	list := slotAt{at.frame, at.node}
	if named[list] == nil {
		named[list] = c.positionsByName(list)
	}
	for i, item := range order {
		if position, ok := named[list][string(item.Step.Name)]; ok && item.Step.Name != nil {
			order[i].Step = stash.Step{Nth: position}
		}
	}
	return order
}

// positionsByName says where the elements of a list stand that the other version has in a
// map, by their names there.
func (c *conversion) positionsByName(list slotAt) map[string]int {
	positions := map[string]int{}
	for i, e := range c.linked(c.peek(list.frame, list.node).first) {
		if mate := c.frames[e].mate; mate != none && c.frames[mate].name != nil {
			name := c.frames[mate].name
			positions[string(unquote(name[1:len(name)-1]))] = i
		}
	}
	return positions
}

// open is how many of the objects around a place where nothing stood none of the entries
// is about that say that something did.
func open(e Landing, said map[trail]bool) (n int) {
	if !mayOpen(e) {
		return 0
	}
	to, top := trail(0), len(e.At)-e.Around
	for i, s := range e.At[:len(e.At)-1] {
		if to = to.on(s); i >= top-1 && !said[to] {
			n++
		} else {
			n = 0
		}
	}
	return n
}

// around counts the objects around a place that the other side does not have.
func (c *conversion) around(at earlierSpot) (n int) {
	if len(at.rest) > 0 || at.member != nil {
		return 0
	}
	nodes, mate := c.nodes(at.frame), c.frames[at.frame].mate
	for id := at.node; id != 0; n++ {
		if id = nodes[id].Parent; id <= 0 || nodes[id].Kind != plan.Container {
			break
		}
		if twin := nodes[id].Twin; twin != none && mate != none && c.peek(mate, twin).present() {
			break
		}
	}
	return n
}

// lead is what leads to a frame from the one that it is in, which is none for the first.
type lead struct {
	from int32
	at   []stash.Step
}

// wayTo is the whole way to a frame.
func wayTo(g int32, leads map[int32]lead) []stash.Step {
	if g == none {
		return nil
	}
	l := leads[g]
	return append(wayTo(l.from, leads), l.at...)
}

// leadsFrom notes what leads to the frames in one.
func (c *conversion) leadsFrom(g int32, leads map[int32]lead) {
	to := func(inner int32, at ...stash.Step) {
		leads[inner] = lead{g, at}
		c.leadsFrom(inner, leads)
	}
	scope, side := c.frames[g].scope, c.frames[g].side
	seen := map[int32]bool{}
	for i := range scope.Rows {
		r := &scope.Rows[i]
		if r.Kind != plan.Elements {
			continue
		}
		id := r.At[side][0]
		var elements []int32
		switch form := c.form(g, &c.nodes(g)[id]); {
		case choice(r, side) != nil:
			if c.peek(g, id).state == list {
				to(c.peek(g, id).first, c.names(nil, g, r.Parts.Choice.Value)...)
			}
		case ofParted(r, side):
			if id = c.nodes(g)[id].Parent; c.peek(g, id).state == parted && !seen[id] {
				seen[id], elements = true, c.partedElements(g, id)
			}
		case c.peek(g, id).state != list:
		case form == plan.One:
			to(c.peek(g, id).first, c.names(nil, g, id)...)
		default:
			elements = c.linked(c.peek(g, id).first)
		}
		for n, e := range elements {
			step := stash.Step{Nth: n}
			if name := c.frames[e].name; name != nil {
				step = stash.Step{Name: unquote(name[1 : len(name)-1])}
			}
			to(e, append(c.names(nil, g, id), step)...)
		}
	}
}
