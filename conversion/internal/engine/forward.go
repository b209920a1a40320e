package engine

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// forward makes the frame on the other side, with twins and rows. It reads only f and the frames
// inside it.
func (c *conversion) forward(f int32) int32 {
	scope, from := c.frames[f].scope, c.frames[f].side
	g := c.newFrame(scope, from.Other())
	c.frames[f].mate, c.frames[g].mate = g, f
	c.frames[g].name = c.frames[f].name
	nodes := scope.Nodes[from]
	for id := range nodes {
		if n := &nodes[id]; n.Kind == plan.Container && n.Twin != none {
			c.twin(f, int32(id), g, n)
		}
	}
	for i := range scope.Rows {
		c.row(f, g, &scope.Rows[i])
	}
	return g
}

// twin makes a container if its twin is present, and copies what the plan copies of it.
func (c *conversion) twin(f, id, g int32, n *plan.Node) {
	s := c.peek(f, id)
	switch s.state {
	case object:
		t := c.at(g, n.Twin)
		t.state, t.first, t.last = object, s.first, s.last
	case raw:
		if c.holdsPlace(f, n) || canCopy(s.text, n.Schema, c.nodes(g)[n.Twin].Schema) {
			t := c.at(g, n.Twin)
			t.state, t.text = raw, s.text
		}
	}
}

// holdsPlace reports whether a node is a whole element of a list. It is never absent, or the other
// elements would have other positions.
func (c *conversion) holdsPlace(f int32, n *plan.Node) bool {
	return n.Parent == none && c.frames[f].name == nil && !c.frames[f].scope.Loose
}

// canCopy reports whether a value can be copied to the target. A value of a type that is wrong on
// both sides may be copied, because the API server treats it the same.
func canCopy(text []byte, source, target *schema.Schema) bool {
	return target.Holds(text) || !source.Holds(text) && !target.Text
}

// row converts the operands of one row from f into g.
func (c *conversion) row(f, g int32, r *plan.Row) {
	from := c.frames[f].side
	to := from.Other()
	if r.Kind != plan.Map && r.Kind != plan.Compute {
		source, target := r.At[from][0], r.At[to][0]
		s := c.peek(f, source)
		if r.Exact {
			if s.state == raw {
				t := c.at(g, target)
				t.state, t.text = raw, s.text
			}
			return
		}
		if s.state == list {
			c.elements(f, g, r)
			return
		}
	}
	mark := len(c.outs)
	outs, ok := c.eval(f, r)
	if ok {
		for i, text := range outs {
			if text != nil {
				t := c.at(g, r.At[to][i])
				t.state, t.text = raw, c.withDefaults(text, &c.nodes(g)[r.At[to][i]])
			} else if i == 0 && r.Default[to] != nil && c.hasInput(f, r) {
				c.makeAround(g, r.At[to][0])
			}
		}
	}
	c.outs = c.outs[:mark]
}

// hasInput reports whether f has a value that a row reads.
func (c *conversion) hasInput(f int32, r *plan.Row) bool {
	return slices.ContainsFunc(r.At[c.frames[f].side], func(id int32) bool { return c.valueOrDefault(f, id, r) != nil })
}

// makeAround makes containers around an absent field of g present if their default would give the field
// a value. These are containers that only this version has.
func (c *conversion) makeAround(g, id int32) {
	nodes, scope := c.nodes(g), c.frames[g].scope
	for id = nodes[id].Parent; id != none && nodes[id].Twin == none; id = nodes[id].Parent {
		if c.peek(g, id).state == absent && slices.Contains(scope.Wholes[c.frames[g].side], id) && c.impliedObject(g, id) != nil {
			s := c.at(g, id)
			s.state, s.first, s.last = object, none, none
		}
	}
}

// withDefaults returns a value that a row has made, with the defaults of the schema inside it, because
// nothing else adds them.
func (c *conversion) withDefaults(text []byte, n *plan.Node) []byte {
	if n.Completes && (text[0] == '{' || text[0] == '[') {
		return c.writer().Complete(nil, text, n.Schema)
	}
	return text
}

// eval computes what a row makes of its operands in f. It returns false if the row can't map them.
// The result is valid until c.outs is cut.
func (c *conversion) eval(f int32, r *plan.Row) (outs [][]byte, ok bool) {
	if r.Kind == plan.Compute {
		outs, err := c.compute(f, r)
		return outs, err == nil
	}
	fr := c.frames[f]
	from := fr.side
	to := from.Other()
	sources, targets := fr.scope.Nodes[from], fr.scope.Nodes[to]
	c.ins = c.ins[:0]
	for _, id := range r.At[from] {
		if r.Watches[from] {
			c.ins = append(c.ins, c.marker(f, id))
			continue
		}
		c.ins = append(c.ins, c.valueOrDefault(f, id, r))
	}
	ins := c.ins
	for _, text := range ins {
		c.workOn(text)
	}
	mark := len(c.outs)
	for range r.At[to] {
		c.outs = append(c.outs, nil)
	}
	outs = c.outs[mark:]
	if r.Kind == plan.Map {
		if c.scratch, ok = r.Mapping.Convert(c.scratch, from, ins, outs); !ok {
			return outs, false
		}
		for i, text := range outs {
			if text != nil && !survives(text, targets[r.At[to][i]].Schema) {
				return outs, false
			}
		}
	} else if r.Kind == plan.Elements && r.Elements.Loose {
		if text := ins[0]; text != nil {
			// The check may use c.outs.
			text, ok = c.evalLoose(f, r, text)
			if outs = c.outs[mark:]; !ok {
				return outs, false
			}
			outs[0] = text
		}
	} else {
		source := &sources[r.At[from][0]]
		if ins[0] != nil && !c.holdsPlace(f, source) && !canCopy(ins[0], source.Schema, targets[r.At[to][0]].Schema) {
			return outs, false
		}
		outs[0] = ins[0]
	}
	if byDefault := r.Default[to]; byDefault != nil && outs[0] != nil && c.equal(outs[0], byDefault, targets[r.At[to][0]].Schema) {
		// The row's default is not written. If the object had it, the inverse check restores it.
		outs[0] = nil
	}
	return outs, true
}

// survives reports whether the API server accepts a value that a row has made, and returns it
// unchanged. With a single number that no float64 can represent, it could not read the object at
// all.
func survives(text []byte, s *schema.Schema) bool {
	return s.Holds(text) && jsontext.Decodable(text)
}

// marker returns a value if the node has one: a variant reads only which alternative is present.
func (c *conversion) marker(f, id int32) []byte {
	if s := c.peek(f, id); s.state == object || s.state == list || s.state == raw && s.text[0] != 'n' {
		return there
	}
	return nil
}

var there = []byte("true")

// valueOrDefault returns the value of a field, or the value that a default gives to the absent field.
func (c *conversion) valueOrDefault(f, id int32, r *plan.Row) []byte {
	s := c.peek(f, id)
	if s.state == raw {
		return s.text
	}
	if byDefault := r.FilledDefault[c.frames[f].side]; byDefault != nil && c.withinTwin(f, id, r) {
		return byDefault
	}
	implied, of := c.implied(f, id), c.nodes(f)[id].Schema
	switch {
	case implied == nil:
		return nil
	case bytes.Equal(implied, of.Default):
		return of.Whole
	}
	return c.writer().Complete(nil, implied, of)
}

// withinTwin reports whether the innermost container around a node that both versions have is
// present. A container that only one version has is absent if it is empty, so its absence has no
// meaning, and neither has null in its place.
//
// A label or annotation is in a map whose presence has no meaning, because conversions add
// annotations. For these, the field on the other side of the row decides.
func (c *conversion) withinTwin(f, id int32, r *plan.Row) bool {
	nodes, other := c.nodes(f), c.frames[f].side.Other()
	if there := c.frames[f].scope.Nodes[other]; c.inMetadata(f, nodes[id].Parent) && len(r.At[other]) > 0 {
		for to := there[r.At[other][0]].Parent; to != none; to = there[to].Parent {
			if twin := there[to].Twin; twin != none {
				return c.inMetadata(f, twin) || c.peek(f, twin).state == object
			}
		}
		return true
	}
	for id = nodes[id].Parent; id != none; id = nodes[id].Parent {
		if nodes[id].Twin != none {
			return c.peek(f, id).state == object
		}
	}
	return true
}

// equal compares a value with a canonical one.
func (c *conversion) equal(text, canonical []byte, s *schema.Schema) bool {
	if bytes.Equal(text, canonical) {
		return true
	}
	return bytes.Equal(c.canonical(text, s), canonical)
}

// writer returns a writer of values that stops when the caller is gone.
func (c *conversion) writer() schema.Writer { return schema.Writer{Caller: &c.caller} }

// canonical returns the canonical form of a value, in scratch.
func (c *conversion) canonical(text []byte, s *schema.Schema) []byte {
	start := len(c.scratch)
	c.scratch = c.writer().Canonical(c.scratch, text, s)
	return c.scratch[start:len(c.scratch):len(c.scratch)]
}
