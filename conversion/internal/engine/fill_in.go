package engine

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/graft"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// fillIn writes what an entry says where nothing stands.
func (c *conversion) fillIn(grafts graftsAt, at earlierSpot, e *stash.Entry) {
	value := e.Value
	if e.Order != nil {
		value = wholes(e.Order)
	}
	if value == nil {
		c.fillAround(grafts, at, e)
		return
	}
	if at.member != nil {
		at.rest = []stash.Step{{Name: at.member}}
	}
	if c.inMetadata(at.frame, at.node) && !mayFillMetadata(e) {
		return
	}
	if known := knownSteps(c.nodes(at.frame)[at.node].Schema, at.rest); known < len(at.rest) {
		if known > 0 && at.rest[known-1].Name == nil {
			return // an element, which is there
		}
		at.rest, value = at.rest[:known], []byte("{}") // it was in something
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
			c.fillDict(grafts, at.spot, value, e.Guard == nil)
			return
		}
		if s.state == list && value[0] == '{' && e.Guard == nil && c.form(at.frame, n) == plan.One {
			c.spread(grafts, spot{s.first, 0, nil}, value) // what is missing in what stands alone
			return
		}
		if s.state == parted && value[0] == '{' && e.Guard == nil && n.Parts.Choice != nil {
			if one, _ := c.chosen(at.frame, at.node); one != none {
				c.spread(grafts, spot{one, 0, nil}, value)
			}
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
		switch {
		case n.Parent == none:
		case value[0] == '{':
			c.spread(grafts, at.spot, value)
			c.at(at.frame, at.node).stated = true // be it that nothing of what was in it has a place now
		case s.state == absent && n.Schema.Holds(value) && c.canFill(at.frame, at.node, value):
			s.state, s.text = raw, value
		}
	}
}

// fillAround makes what the place of an entry without a guard is in, which says that
// nothing stood there: else there would be an entry for what is around it.
func (c *conversion) fillAround(grafts graftsAt, at earlierSpot, e *stash.Entry) {
	last := len(e.At) - 1
	if e.Guard != nil || last < 1 || e.At[last].Name == nil || e.At[last-1].Name == nil || len(e.At[last].Name) == 0 {
		return
	}
	switch {
	case len(at.rest) > 0:
		at.rest = at.rest[:len(at.rest)-1]
	case at.member != nil:
		at.member = nil
	case c.nodes(at.frame)[at.node].Parent != none:
		at.node = c.nodes(at.frame)[at.node].Parent
	default:
		return
	}
	around := stash.Entry{At: e.At[:last], Value: []byte("{}")}
	if len(at.rest) > 0 || c.peek(at.frame, at.node).state == absent && c.implied(at.frame, at.node) == nil {
		c.fillIn(grafts, at, &around)
	}
}

// knownSteps is how many steps of a way from a place lead to what its schema knows.
func knownSteps(of *schema.Schema, steps []stash.Step) int {
	for i, s := range steps {
		if s.Part != nil || graft.AloneAsList(steps, i, of) {
			continue // the elements of its parts are elements of the list
		}
		if s.Name == nil || len(s.Name) == 0 && of.Items != nil { // what stood alone may be in a list
			of = of.Items
		} else if !graft.Alone(s, i == len(steps)-1, of) {
			of = of.Inner(s.Name)
		}
		if of == nil {
			return i
		}
	}
	return len(steps)
}

// mayFillMetadata reports whether an entry is about a label or an annotation as the API
// server takes them. Earlier rows had to do with it, or there would be no entry.
func mayFillMetadata(e *stash.Entry) bool {
	if len(e.At) != 3 || stash.IsOurs(string(e.At[2].Name)) || e.Value == nil || e.Value[0] != '"' {
		return false
	}
	return schema.IsMetadata(string(e.At[1].Name), string(e.At[2].Name), e.Value)
}

// fillDict adds what a map does not have, and what is missing in its values, too, if
// inside says so.
func (c *conversion) fillDict(grafts graftsAt, at spot, text []byte, inside bool) {
	graft.Members(text, func(name, value []byte) {
		if e := c.element(at.frame, at.node, nil, stash.Step{Name: name}); e != none {
			if inside && value[0] == '{' {
				c.spread(grafts, spot{e, 0, nil}, value)
			}
			return
		}
		c.addValue(at.frame, at.node, name, value)
	})
}

// addValue adds a value to a map that does not have one of this name.
func (c *conversion) addValue(g, id int32, name, value []byte) {
	fr := c.frames[g]
	added := c.newFrame(fr.scope.Rows[c.nodes(g)[id].Row].Elements, fr.side)
	c.frames[added].name = jsontext.Quote(nil, name)
	c.link(g, id, added)
	if index := c.indexes[c.peek(g, id).first]; index != nil {
		index[string(name)] = added
	}
	s := c.at(added, 0)
	s.state, s.text = raw, value
}

// saysNothing reports whether what a row wrote at a place is no more than the table's
// word for absence: the other side has nothing.
func (c *conversion) saysNothing(g int32, n *plan.Node) bool {
	fr := c.frames[g]
	if n.Kind != plan.Operand || n.Row == none || fr.mate == none {
		return false
	}
	mate, other := fr.mate, fr.side.Other()
	for _, id := range fr.scope.Rows[n.Row].At[other] {
		if c.peek(mate, id).state != absent || c.implied(mate, id) != nil {
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
		*s = nothing
		s.state = object
		grafts.at(at.frame, at.node).Begin()
	}
	graft.Members(text, func(name, value []byte) {
		fr := c.frames[at.frame]
		to := earlierSpot{spot: spot{at.frame, at.node, nil}}
		if child := fr.scope.Child(fr.side, at.node, name); child != none {
			to.node = child
		} else {
			to.rest = []stash.Step{{Name: name}}
		}
		c.fillIn(grafts, to, &stash.Entry{Value: value})
	})
}

// canFill reports whether a value, or an object if it is nil, may come to stand at a
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
		if c.peek(g, id).state == raw {
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
