package engine

import (
	"bytes"
	"errors"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

var (
	errUnfit    = errors.New("it returns a value that is not valid there")
	errNoObject = errors.New("there is no object to evaluate it with")
)

// costOfWork is the cost of an expression that takes about as much work as one field.
const costOfWork = 16

// compute is eval for a row that computes.
func (c *conversion) compute(f int32, r *plan.Row) ([][]byte, error) {
	from := c.frames[f].side
	to := from.Other()
	var ins [][]byte
	for i := range r.Reads[from] {
		ins = append(ins, c.operandValue(f, &r.Reads[from][i]))
	}
	if r.Reads[0] == nil && r.Reads[1] == nil {
		for _, id := range r.At[from] {
			ins = append(ins, c.norm(f, id))
		}
	}
	mark := len(c.outs)
	for range r.At[to] {
		c.outs = append(c.outs, nil)
	}
	outs := c.outs[mark:]
	if len(outs) == 0 {
		return outs, nil
	}
	if c.nodes(f)[0].Kind == plan.Container && c.peek(f, 0).state != object {
		return outs, errNoObject // an object can't be made of a list with null
	}
	left := c.left
	var err error
	c.scratch, err = r.Computer.Compute(c.scratch, from, ins, outs, &c.left)
	c.caller.Work(1 + int(left-c.left)/costOfWork)
	if err != nil {
		clear(outs)
		return outs, err
	}
	for i, text := range outs {
		if text != nil && !survives(text, c.frames[f].scope.Nodes[to][r.At[to][i]].Schema) {
			clear(outs)
			return outs, errUnfit
		}
	}
	return outs, nil
}

// operandValue returns the canonical value of a field that a row reads. An absent field has its
// default if the object around it is present, and otherwise it is nil. If the row reads only
// whether the field is present, operandValue returns any value.
func (c *conversion) operandValue(f int32, read *expression.Read) []byte {
	if read.Outside && c.frames[f].scope != c.job.Plan.Root {
		f = c.root(c.frames[f].side)
	}
	value := c.value(f, read.Path, read.Schema)
	if !read.Presence || value == nil {
		return value
	}
	if value[0] == 'n' || read.Object && value[0] != '{' {
		return nil
	}
	return there
}

// read returns the fields that a computing row reads, and those of them that have a value.
func (x *explainer) read(f int32, r *plan.Row) (places, present []string) {
	for i := range r.Reads[x.frames[f].side] {
		read := &r.Reads[x.frames[f].side][i]
		if read.Presence {
			continue
		}
		place := suffix(read.Path)
		if !read.Outside {
			place = x.where[f] + place
		}
		places = append(places, place)
		if x.operandValue(f, read) != nil {
			present = append(present, place)
		}
	}
	return places, present
}

// root returns the frame of the whole object on a side.
func (c *conversion) root(side plan.Side) int32 {
	if side == c.job.From {
		return 0
	}
	return c.frames[0].mate
}

// value returns the canonical value at a path from a frame's root.
func (c *conversion) value(f int32, names []string, of *schema.Schema) []byte {
	nodes := c.nodes(f)
	id := int32(0)
	for i, name := range names {
		if c.peek(f, id).state != object {
			text := c.canonicalOf(f, id, nodes[id].Schema)
			if text == nil {
				return nil
			}
			return inside(text, nodes[id].Schema, names[i:])
		}
		child := c.frames[f].scope.Child(c.frames[f].side, id, []byte(name))
		if child == none {
			return c.normIn(c.member(f, id, name), nodes[id].Schema, names[i:])
		}
		id = child
	}
	return c.canonicalOf(f, id, of)
}

// canonicalOf returns the canonical value of a node.
func (c *conversion) canonicalOf(f, id int32, of *schema.Schema) []byte {
	var text []byte
	if c.peek(f, id).present() {
		text = c.emit(nil, f, id)
	}
	if id == 0 {
		return c.prunedText(text, of, nil)
	}
	return c.prunedText(text, of, c.implied(f, id))
}

// member returns the text of a member of a container that has no node.
func (c *conversion) member(f, id int32, name string) []byte {
	s := c.peek(f, id)
	for r := s.first; r != none; r = c.runs[r].next {
		if text := find(append(append([]byte{'{'}, c.runs[r].text...), '}'), name); text != nil {
			return text
		}
	}
	for u := s.kept; u != none; u = c.unknowns[u].next {
		quoted := c.unknowns[u].name
		if string(unquote(quoted[1:len(quoted)-1])) == name {
			return c.unknowns[u].value
		}
	}
	return nil
}

// normIn returns the canonical value at a path in the member text of a container. names begins with
// the name of the member.
func (c *conversion) normIn(text []byte, container *schema.Schema, names []string) []byte {
	of := container.Member(names[0])
	if of == nil {
		return nil
	}
	value := c.prunedText(text, of, of.Default)
	if value == nil || len(names) == 1 {
		return value
	}
	return inside(value, of, names[1:])
}

// inside returns the canonical value at a path within a canonical value.
func inside(text []byte, of *schema.Schema, names []string) []byte {
	for _, name := range names {
		if text[0] != '{' {
			return nil
		}
		if of = of.Member(name); of == nil {
			return nil
		}
		if text = find(text, name); text == nil {
			if text = of.Default; text == nil {
				return nil
			}
		}
	}
	return text
}

// prunedText is normText in memory of its own, without what the API server prunes. So expressions read
// the same values behind the API server, and their guards stay the same.
func (c *conversion) prunedText(text []byte, of *schema.Schema, implied []byte) []byte {
	if text == nil || text[0] == 'n' && !of.Nullable {
		return implied
	}
	return c.writer().Pruned(nil, text, of)
}

// find returns the value of a member of a valid object.
func find(text []byte, name string) []byte {
	var scan jsontext.Scanner
	scan.Reset(text)
	o := scan.Object(0)
	for {
		found, ok, err := o.Next()
		if err != nil || !ok {
			return nil
		}
		if o.End, err = scan.Value(o.Value, 0); err != nil {
			return nil
		}
		inside := found.Bytes(text)
		if found.Escaped {
			inside = unquote(inside)
		}
		if bytes.Equal(inside, []byte(name)) {
			return text[o.Value:o.End]
		}
	}
}
