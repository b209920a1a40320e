package engine

import (
	"bytes"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/graft"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// adopt is restore for entries that another table wrote. What they belong to may
// have a row today, or none, or be part of something else, and what it takes to
// show that nobody has edited it may be elsewhere. So an entry counts where it
// would by its guard, where by the rows of today it gives what is live, and else
// where nothing stands. Whether still more holds takes more than one step to find
// out: see Converter.renewed.
func (c *conversion) adopt(g int32) {
	spots := make([]earlierSpot, len(c.incoming))
	for i := range c.incoming {
		spots[i] = c.locateEarlier(g, c.incoming[i].At)
	}
	grafts := graftsAt{}
	tied := map[slotAt][]int{} // entries by their frames and rows
	var rows []slotAt
	for i := range c.incoming {
		at, e := spots[i], &c.incoming[i]
		if at.frame == none {
			continue
		}
		if len(at.rest) == 0 {
			if c.restoreEntry(at.spot, e); c.used(at.spot, e) {
				continue
			}
			if n := &c.nodes(at.frame)[at.node]; at.member == nil && n.Kind == plan.Operand && n.Row != none {
				row := slotAt{at.frame, n.Row}
				if tied[row] == nil {
					rows = append(rows, row)
				}
				tied[row] = append(tied[row], i)
				continue
			}
		}
		c.fillIn(grafts, at, e)
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

// fits says whether what entries say of the places of one row gives what is live,
// and then it stands.
func (c *conversion) fits(row slotAt, entries []int, spots []earlierSpot) bool {
	g := row.frame
	fr := &c.frames[g]
	mate, other := fr.mate, fr.side.Other()
	r := &fr.scope.Rows[row.node]
	if r.Kind == plan.Elements || r.Watches[plan.Spoke] || r.Watches[plan.Hub] || mate == none {
		return false
	}
	before := make([]slot, len(entries))
	for i, entry := range entries {
		before[i] = *c.at(g, spots[entry].node)
		if value := c.incoming[entry].Value; value != nil && !c.canFill(g, spots[entry].node, value) {
			return false
		}
	}
	for _, entry := range entries {
		s := c.at(g, spots[entry].node)
		c.set(s, c.incoming[entry].Value)
		s.restored = false
	}
	mark := len(c.outs)
	outs, ok := c.eval(g, r)
	same := true
	for i, id := range r.At[other] {
		var text []byte
		if ok {
			text = outs[i]
		}
		same = same && c.at(mate, id).state != list && bytes.Equal(c.normText(text, c.nodes(mate)[id].Schema, c.implied(mate, id)), c.norm(mate, id))
	}
	clear(c.outs[mark:])
	c.outs = c.outs[:mark]
	if !same {
		for i, entry := range entries {
			*c.at(g, spots[entry].node) = before[i]
		}
	}
	return same
}

// earlierSpot is a spot, or the way on from one that the plan looks no further
// into.
type earlierSpot struct {
	spot
	rest []stash.Step
}

// locateEarlier is locate for an entry that another table wrote.
func (c *conversion) locateEarlier(g int32, at []stash.Step) earlierSpot {
	nowhere := earlierSpot{spot: spot{frame: none}}
	node := int32(0)
	for i, s := range at {
		fr := &c.frames[g]
		n := &fr.scope.Nodes[fr.side][node]
		switch {
		case n.Kind == plan.Parted:
			if node = fr.scope.Child(fr.side, node, s.Part); s.Part == nil || node == none || i == len(at)-1 {
				return nowhere
			}
		case n.Kind == plan.Operand && c.at(g, node).state == list:
			e := c.earlierElement(g, node, s)
			if e == none && i == len(at)-1 && s.Name != nil && c.form(g, n) == plan.Dict {
				return earlierSpot{spot: spot{g, node, s.Name}}
			}
			if e == none {
				return nowhere
			}
			g, node = e, 0
		case n.Kind == plan.Container && s.Name != nil:
			child := fr.scope.Child(fr.side, node, s.Name)
			switch {
			case child != none:
				node = child
			case len(s.Name) == 0 && n.Schema.Values == nil:
				// It is what stood alone.
			case i == len(at)-1 && n.KeepUnknown:
				return earlierSpot{spot: spot{g, node, s.Name}}
			default:
				return earlierSpot{spot{g, node, nil}, at[i:]}
			}
		case n.Kind == plan.Operand || n.Kind == plan.Keep:
			return earlierSpot{spot{g, node, nil}, at[i:]}
		default:
			return nowhere
		}
	}
	return earlierSpot{spot: spot{frame: g, node: node}}
}

// earlierElement finds an element by what another table told elements apart by.
func (c *conversion) earlierElement(g, node int32, s stash.Step) int32 {
	first := c.at(g, node).first
	if s.Live != nil && first != none && c.frames[first].name == nil {
		// The element as the other version has it says more than what the rows of
		// today make of it.
		if e := c.liveElement(g, node, s); e != none {
			return e
		}
	}
	e := c.element(g, node, s)
	switch {
	case e != none || first == none || c.frames[first].name != nil:
		return e
	case s.Name != nil && len(s.Name) == 0:
		return first // it stood alone
	case s.Key != nil:
		return c.elementWith(g, node, s.Key)
	}
	return none
}

// liveElement finds an element by its counterpart.
func (c *conversion) liveElement(g, node int32, s stash.Step) int32 {
	c.element(g, node, stash.Step{Content: s.Content})
	first := c.at(g, node).first
	index := c.indexes[first]
	if index == nil {
		return none // it stands alone
	}
	if _, done := index["live"]; !done {
		index["live"] = none
		for e := first; e != none; e = c.frames[e].next {
			index["live "+string(c.frames[e].live)] = e
		}
	}
	if e, ok := index["live "+string(s.Live)]; ok {
		return e
	}
	return none
}

// elementWith finds the only element that has the members of a key which is none
// by the rows of today.
func (c *conversion) elementWith(g, node int32, key []byte) int32 {
	first := c.at(g, node).first
	index := c.indexes[first]
	if index == nil {
		return none
	}
	names := graft.KeyNames(key)
	prefix := "members"
	for _, name := range names {
		prefix += " " + string(jsontext.Quote(nil, name))
	}
	if _, done := index[prefix]; !done {
		index[prefix] = none
		for e := first; e != none; e = c.frames[e].next {
			of := c.frames[e].scope.Nodes[c.frames[e].side][0].Schema
			has := graft.KeyIn(c.emit(nil, e, 0), names, of)
			if has == nil {
				continue
			}
			if _, twice := index[prefix+string(has)]; twice {
				index[prefix+string(has)] = none
			} else {
				index[prefix+string(has)] = e
			}
		}
	}
	if e, ok := index[prefix+string(key)]; ok {
		return e
	}
	return none
}

// used says whether a place is what an entry says.
func (c *conversion) used(at spot, e *stash.Entry) bool {
	s := c.at(at.frame, at.node)
	switch {
	case at.member != nil:
		_, done := c.restored[place{at.frame, at.node, string(at.member)}]
		return done
	case e.Value == nil:
		return s.state == gone || e.Order != nil && (s.state == list || s.state == parted)
	}
	return s.state == raw && bytes.Equal(s.text, e.Value)
}

// fillIn writes what an entry says where nothing stands.
func (c *conversion) fillIn(grafts graftsAt, at earlierSpot, e *stash.Entry) {
	value := e.Value
	if e.Order != nil {
		value = wholes(e.Order)
	}
	if value == nil || c.inMetadata(at.frame, at.node) && (len(at.rest) > 0 || at.member != nil) {
		return
	}
	if at.member != nil {
		at.rest = []stash.Step{{Name: at.member}}
	}
	if len(at.rest) > 0 {
		grafts.fill(at.frame, at.node, at.rest, value)
		return
	}
	n := &c.nodes(at.frame)[at.node]
	s := c.at(at.frame, at.node)
	switch n.Kind {
	case plan.Keep, plan.Operand, plan.Parted:
		if s.state == list && value[0] == '{' && c.form(at.frame, n) == plan.Dict {
			c.fillDict(at.spot, value)
			return
		}
		if (s.state == absent || s.state == raw && c.saysNothing(at.frame, n)) && c.canFill(at.frame, at.node, value) {
			s.state, s.text, s.restored = raw, value, false
		}
	case plan.Container:
		if value[0] == '{' && n.Parent != none && !c.inMetadata(at.frame, at.node) {
			c.spread(grafts, at.spot, value)
		}
	}
}

// fillDict adds what a map does not have.
func (c *conversion) fillDict(at spot, text []byte) {
	graft.Members(text, func(name, value []byte) {
		if c.element(at.frame, at.node, stash.Step{Name: name}) != none {
			return
		}
		fr := &c.frames[at.frame]
		side := fr.side
		added := c.newFrame(fr.scope.Rows[c.nodes(at.frame)[at.node].Row].Elements, side)
		c.frames[added].name = jsontext.Quote(nil, name)
		c.link(at.frame, at.node, added)
		*c.at(added, 0) = slot{state: raw, text: value, first: none, last: none, kept: none}
	})
}

// saysNothing says whether what a row wrote at a place is no more than the table's
// word for absence: the other side has nothing.
func (c *conversion) saysNothing(g int32, n *plan.Node) bool {
	fr := &c.frames[g]
	if n.Kind != plan.Operand || n.Row == none || fr.mate == none {
		return false
	}
	mate, other := fr.mate, fr.side.Other()
	for _, id := range fr.scope.Rows[n.Row].At[other] {
		if c.at(mate, id).state != absent || c.implied(mate, id) != nil {
			return false
		}
	}
	return true
}

// spread fills the parts of a container in.
func (c *conversion) spread(grafts graftsAt, at spot, text []byte) {
	if s := c.at(at.frame, at.node); s.state != object {
		if s.state == raw || !c.canFill(at.frame, at.node, text) {
			return
		}
		*s = slot{state: object, first: none, last: none, kept: none}
	}
	graft.Members(text, func(name, value []byte) {
		fr := &c.frames[at.frame]
		to := earlierSpot{spot: spot{at.frame, at.node, nil}}
		if child := fr.scope.Child(fr.side, at.node, name); child != none {
			to.node = child
		} else {
			to.rest = []stash.Step{{Name: name}}
		}
		c.fillIn(grafts, to, &stash.Entry{Value: value})
	})
}

// canFill says whether a value, or an object if it is nil, may come to stand at a
// place: it is a text where nothing else may be, and nothing but objects is around
// it.
func (c *conversion) canFill(g, id int32, value []byte) bool {
	nodes := c.nodes(g)
	if of := nodes[id].Schema; value != nil && of.Text && !of.Holds(value) {
		return false
	}
	if nodes[id].Parent == none {
		return c.frames[g].scope.Loose
	}
	for id = nodes[id].Parent; id != none; id = nodes[id].Parent {
		if c.at(g, id).state == raw {
			return false
		}
	}
	return true
}

// wholes is the list of those elements in an order that the other side cannot show,
// nil if there are none.
func wholes(order []stash.Item) []byte {
	if len(order) == 0 {
		return []byte("[]")
	}
	var text []byte
	for _, item := range order {
		if item.Value == nil {
			continue
		}
		if text == nil {
			text = []byte{'['}
		}
		text = append(comma(text, 1), item.Value...)
	}
	if text == nil {
		return nil
	}
	return append(text, ']')
}
