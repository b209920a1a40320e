package engine

import (
	"bytes"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// A conversion is exact if converting its result back gives the source again. Most conversions are.
// To check this costs less than converting back: the inverse of each row is run on the values at
// hand. If anything else might differ, the answer is no. So the answer no may be wrong, and only
// costs time; the answer yes must never be wrong.

// exact reports whether converting what rows have made of a frame of the source gives it again.
func (c *conversion) exact(f int32) bool {
	fr := c.frames[f]
	if fr.mate == none {
		return false // only this version has the element
	}
	nodes := c.nodes(f)
	for id := range nodes {
		if !c.exactNode(f, int32(id), &nodes[id]) {
			return false
		}
	}
	for i := range fr.scope.Rows {
		if r := &fr.scope.Rows[i]; !r.Exact && !c.exactRow(f, r) {
			return false
		}
	}
	return true
}

// exactRow is exact for what a row maps.
func (c *conversion) exactRow(f int32, r *plan.Row) bool {
	side, g := c.frames[f].side, c.frames[f].mate
	if len(r.At[side]) == 0 || r.Watches[side] {
		return true
	}
	if r.Kind == plan.Elements {
		there := r.At[side.Other()][0]
		if c.peek(f, r.At[side][0]).state == list {
			return c.exactElements(f, r)
		}
		if c.peek(g, there).state == list {
			return false // which a default has made
		}
	}
	if _, isText := r.Mapping.(plan.Recaller); isText && c.peek(f, r.At[side][0]).present() {
		return false // to write a text again takes as long as to convert back
	}
	mark := len(c.outs)
	outs, ok := c.eval(g, r)
	defer func() { c.outs = c.outs[:mark] }()
	for i, id := range r.At[side] {
		var back []byte
		if ok {
			back = outs[i]
		}
		switch s := c.peek(f, id); {
		case s.state == absent && back == nil:
		case s.state != raw || back == nil || !c.equalText(s.text, back):
			return false
		}
	}
	return true
}

// equalText compares two values. Most have the same text.
func (c *conversion) equalText(a, b []byte) bool {
	return bytes.Equal(a, b) || bytes.Equal(c.canonical(a, nil), c.canonical(b, nil))
}

// exactElements is exact for the elements of a list or a map: the other version has them all, in
// the same order if one of the two has an order.
func (c *conversion) exactElements(f int32, r *plan.Row) bool {
	side, g := c.frames[f].side, c.frames[f].mate
	there := c.peek(g, r.At[side.Other()][0])
	if there.state != list || c.isFilled(g, r.At[side.Other()][0]) || ofParted(r, side) && there.first == none {
		return false
	}
	if of := choiceOf(r, side); of != nil && c.alternatives(g, of) != 1 {
		return false
	}
	inMap, ofMap := r.Forms[side.Other()] == plan.Dict, r.Forms[side] == plan.Dict
	var last []byte
	next, n, m := there.first, 0, 0
	for e := c.peek(f, r.At[side][0]).first; e != none; e, n = c.frames[e].next, n+1 {
		c.caller.Work(c.workOf(e))
		h := c.frames[e].mate
		if h == none || r.Naming != nil && inMap != ofMap && !c.exactName(e, r) || !c.exact(e) {
			return false
		}
		switch {
		case ofMap:
		case inMap:
			name := c.frames[h].name
			text := unquote(name[1 : len(name)-1])
			if n > 0 && bytes.Compare(last, text) >= 0 {
				return false
			}
			last = text
		case h != next:
			return false
		default:
			next = c.frames[h].next
		}
	}
	for h := there.first; h != none; h = c.frames[h].next {
		m++
	}
	return n == m
}

// exactNode is exact for a field that no row maps.
func (c *conversion) exactNode(f, id int32, n *plan.Node) bool {
	s := c.peek(f, id)
	if s.kept != none || n.Schema.DefaultFadesInside && s.present() {
		return false // something may have to be kept even if converting back gives the source
	}
	switch n.Kind {
	case plan.Keep:
		if s.state == absent {
			return n.Fill == nil || n.FillIsDefault || !c.isThereByDefault(f, n.Parent)
		}
		return n.Fill != nil && c.peek(f, n.Parent).state == object && s.state == raw && bytes.Equal(c.norm(f, id), n.Fill)
	case plan.Fixed:
		return s.state == raw && bytes.Equal(c.norm(f, id), n.Fill)
	case plan.Parted:
		return c.exactParts(f, id, n)
	case plan.Container:
		if n.Twin == none {
			return c.exactOwn(f, id, n)
		}
		return c.exactTwin(f, id, n)
	}
	return true
}

// exactOwn is exact for a container that only this version has. Rows make it, and remove it, with
// what is in it.
func (c *conversion) exactOwn(f, id int32, n *plan.Node) bool {
	switch s := c.peek(f, id); s.state {
	case absent:
		return n.Fill == nil || n.FillIsDefault
	case object:
		return c.holdsMapped(f, id)
	}
	return false
}

// holdsMapped reports whether a container has something that a row makes again.
func (c *conversion) holdsMapped(f, id int32) bool {
	nodes := c.nodes(f)
	for _, child := range nodes[id].Children {
		n, s := &nodes[child], c.peek(f, child)
		switch {
		case n.Kind == plan.Operand && n.Row != none && !c.frames[f].scope.Rows[n.Row].Watches[c.frames[f].side] && (s.state == list || s.state == raw && s.text[0] != 'n'):
			return true
		case n.Kind == plan.Container && n.Twin == none && s.state == object && c.holdsMapped(f, child):
			return true
		}
	}
	return false
}

// exactTwin is exact for a container that both versions have.
func (c *conversion) exactTwin(f, id int32, n *plan.Node) bool {
	s, t := c.peek(f, id), c.peek(c.frames[f].mate, n.Twin)
	switch {
	case c.inMetadata(f, id):
		return true
	case n.Follows && s.state == object && s.first == none && !c.holdsAny(f, id):
		return false // an empty container may be removed with what rows make elsewhere
	case s.state == raw: // the way back removes what the schema does not allow
		return t.state == raw && n.Schema.Holds(s.text) && bytes.Equal(s.text, t.text)
	}
	return s.state == t.state
}

// exactName is exact for the name that an element has in a map.
func (c *conversion) exactName(e int32, r *plan.Row) bool {
	h := c.frames[e].mate
	if r.Forms[c.frames[e].side] == plan.Dict {
		name, ok := c.nameFor(h, r)
		return ok && bytes.Equal(name, c.frames[e].name)
	}
	nodes := r.Elements.Named[c.frames[e].side]
	keys := make([][]byte, len(nodes))
	if !r.Naming.Keys(c.frames[h].name, keys) {
		return false
	}
	for i, id := range nodes {
		switch s := c.peek(e, id); {
		case s.state == absent && keys[i] == nil:
		case s.state != raw || keys[i] == nil || !c.equalText(s.text, keys[i]):
			return false
		}
	}
	return true
}

// exactParts is exact for the order of a list's parts, and for elements that belong to no part.
func (c *conversion) exactParts(f, id int32, n *plan.Node) bool {
	s := c.peek(f, id)
	if n.Parts.Choice != nil {
		return s.state != raw // otherwise the discriminator does not name it
	}
	if s.state == raw || s.state == parted && s.first != none {
		return false
	}
	last := int32(-1)
	for _, child := range n.Children {
		for e := c.peek(f, child).first; e != none; e = c.frames[e].next {
			if c.frames[e].position < last {
				return false
			}
			last = c.frames[e].position
		}
	}
	return s.state != parted || last >= 0
}
