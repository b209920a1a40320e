package engine

import (
	"bytes"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// adopt is restore for entries that another table wrote. What they belong to may
// have a row today, or none, or be part of something else, and what it takes to
// show that nobody has edited it may be elsewhere. So an entry counts where it
// would by its guard, where by the rows of today it gives what is live, and else
// where nothing stands. Whether still more holds takes more than one step to find
// out: see Converter.renewed.
func (c *conversion) adopt(g int32) {
	c.findLone(g)
	for i := range c.incoming {
		e := &c.incoming[i]
		c.counts.Steps += len(e.At) + len(e.Order)
		at := c.locateEarlier(g, e.At)
		if last := len(e.At) - 1; e.Order != nil && e.At[last].Part != nil && (at.frame == none || len(at.rest) > 0) {
			at = c.locateEarlier(g, e.At[:last]) // it was of a value as one alternative
		}
		c.spots = append(c.spots, at)
	}
	spots := c.spots
	grafts := graftsAt{}
	tied := map[slotAt][]int{} // entries by their frames and rows
	var rows []slotAt
	for i := range c.incoming {
		at, e := spots[i], &c.incoming[i]
		if at.frame == none {
			continue
		}
		if len(at.rest) > 0 || e.Order != nil && c.peek(at.frame, at.node).state == raw {
			to := grafts.at(at.frame, at.node)
			c.spots[i].in = to.Look(at.rest)
			c.spots[i].items = to.LookForItems(at.rest, e.Order)
		}
		wasAbsent := len(at.rest) == 0 && c.peek(at.frame, at.node).state == absent
		if len(at.rest) == 0 {
			if c.restoreEntry(at.spot, e); c.used(at.spot, e) {
				c.spots[i].filled = wasAbsent && c.peek(at.frame, at.node).state == parted && !c.holdsAny(at.frame, at.node)
				continue
			}
			if n := &c.nodes(at.frame)[at.node]; at.member == nil && e.Order == nil && n.Kind == plan.Operand && n.Row != none {
				row := slotAt{at.frame, n.Row}
				if tied[row] == nil {
					rows = append(rows, row)
				}
				tied[row] = append(tied[row], i)
				continue
			}
		}
		c.fillIn(grafts, at, e)
		c.spots[i].filled = wasAbsent && e.Order != nil && c.peek(at.frame, at.node).state == raw
	}
	for _, row := range rows {
		if !c.fits(row, tied[row], spots) {
			for _, i := range tied[row] {
				c.fillIn(grafts, spots[i], &c.incoming[i])
			}
		}
	}
	c.graft(grafts)
}

// findLone finds the containers that stand for a default, and of which rows make nothing:
// if they come to stand, it is by what another table kept.
func (c *conversion) findLone(g int32) {
	scope, side := c.frames[g].scope, c.frames[g].side
	for _, whole := range scope.Wholes[side] {
		if c.peek(g, whole).state == absent {
			if c.lone == nil {
				c.lone = map[slotAt]struct{}{}
			}
			c.lone[slotAt{g, whole}] = struct{}{}
		}
	}
	c.eachElement(g, c.findLone)
}

// isInLone reports whether the innermost container around a place that stands for a default
// is one of those.
func (c *conversion) isInLone(g, id int32) bool {
	if len(c.lone) == 0 {
		return false
	}
	nodes := c.nodes(g)
	for id = nodes[id].Parent; id != none && nodes[id].Schema.Default == nil; {
		id = nodes[id].Parent
	}
	_, lone := c.lone[slotAt{g, id}]
	return lone
}

// fits reports whether what entries say of the places of one row gives what is live,
// and then it stands.
func (c *conversion) fits(row slotAt, entries []int, spots []earlierSpot) bool {
	g := row.frame
	fr := c.frames[g]
	mate, other := fr.mate, fr.side.Other()
	r := &fr.scope.Rows[row.node]
	if r.Kind == plan.Elements || r.Watches[fr.side] || r.Watches[other] || mate == none {
		return false
	}
	for _, entry := range entries {
		if value := c.incoming[entry].Value; value != nil && !c.canFill(g, spots[entry].node, value) {
			return false
		}
	}
	before := c.save(g)
	for _, entry := range entries {
		s := c.at(g, spots[entry].node)
		c.set(s, c.incoming[entry].Value)
		s.restored = false
	}
	c.settle(g) // what is gone may have been all that its container held
	if !c.gives(g, r) {
		c.reset(g, before)
		return false
	}
	return true
}

// isInDefault reports whether a place is in a container that only its version has and that
// holds no more than its default: it would be there if the place were absent, too.
func (c *conversion) isInDefault(f, id int32) bool { return c.defaultAround(f, id) != none }

// defaultAround is that container, none where there is none.
func (c *conversion) defaultAround(f, id int32) int32 {
	nodes := c.nodes(f)
	for id = nodes[id].Parent; id != none && nodes[id].Twin == none; id = nodes[id].Parent {
		if nodes[id].Schema.Default != nil && c.isDefault(f, id) {
			return id
		}
	}
	return none
}

// used reports whether a place is what an entry says.
func (c *conversion) used(at spot, e *stash.Entry) bool {
	at = c.about(at, e)
	s := c.peek(at.frame, at.node)
	switch {
	case at.member != nil:
		_, done := c.restored[place{at.frame, at.node, string(at.member)}]
		return done
	case e.Value == nil:
		return s.state == gone || e.Order != nil && (s.state == list || s.state == parted)
	}
	return s.state == raw && bytes.Equal(s.text, e.Value)
}
