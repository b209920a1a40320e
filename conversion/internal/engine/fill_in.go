package engine

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/graft"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

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
		if s.state == list && value[0] == '{' && e.Guard == nil && c.form(at.frame, n) == plan.One {
			c.spread(grafts, spot{s.first, 0, nil}, value) // what is missing in what stands alone
			return
		}
		if s.state == raw && s.text[0] == '{' && value[0] == '{' && e.Guard == nil {
			grafts.fill(at.frame, at.node, nil, value) // what is missing in it
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
		if c.element(at.frame, at.node, nil, stash.Step{Name: name}) != none {
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
	if c.nodes(at.frame)[at.node].Kind != plan.Container {
		return
	}
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
