package engine

import (
	"bytes"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/graft"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// isDefault reports whether a container is absent, or no more than a default.
func (c *conversion) isDefault(f, id int32) bool {
	n, s := &c.nodes(f)[id], c.peek(f, id)
	return s.state != object || n.Schema.Default != nil &&
		(bytes.Equal(c.normText(s.text, n.Schema, nil), n.Schema.Default) || c.onlyFilled(f, id, n.Schema.Default) ||
			n.Filled != nil && c.isFilling(f, id))
}

// isFilling reports whether a container of the source holds no more than what is filled in
// where it is absent: its default, with or without the constants inside.
func (c *conversion) isFilling(f, id int32) bool {
	n := &c.nodes(f)[id]
	text := c.normText(c.peek(f, id).text, n.Schema, nil)
	if bytes.Equal(text, n.Fill) {
		return true
	}
	g := c.newFrame(c.frames[f].scope, c.frames[f].side)
	c.readText(g, id, n.Filled)
	c.fill(g)
	return bytes.Equal(text, c.normText(c.emit(nil, g, id), n.Schema, nil))
}

// onlyFilled reports whether a container holds no more than what is filled in: what a
// default of it says, nil if there is none, and else those of what is in it, and what
// the table says.
func (c *conversion) onlyFilled(f, id int32, said []byte) bool {
	if c.peek(f, id).kept != none || !c.copiesOnly(f, id, said) {
		return false
	}
	nodes := c.nodes(f)
	for _, child := range nodes[id].Children {
		n := &nodes[child]
		fill, isSaid := n.Fill, false
		if said != nil && (n.Fill == nil || n.FillIsDefault) {
			if text := find(said, n.Name); text != nil {
				fill, isSaid = text, true
			}
		}
		switch s := c.peek(f, child); {
		case !s.present():
			if isSaid && !bytes.Equal(fill, n.Schema.Default) {
				return false
			}
		case n.Kind == plan.Parted:
			return false
		case n.Kind == plan.Container:
			if isSaid && fill[0] != '{' {
				return false
			}
			if !isSaid {
				fill = nil
			}
			if !c.onlyFilled(f, child, fill) {
				return false
			}
		case !bytes.Equal(c.norm(f, child), fill):
			return false
		}
	}
	return true
}

// copiesOnly reports whether what is copied into a container is what its default says of
// that, nil if there is none, or else what is filled in there.
func (c *conversion) copiesOnly(f, id int32, said []byte) bool {
	n := &c.nodes(f)[id]
	if c.peek(f, id).first == none && said == nil {
		return true
	}
	copied, filled := []byte{'{'}, []byte{'{'}
	for r := c.peek(f, id).first; r != none; r = c.runs[r].next {
		copied = append(comma(copied, 1), c.runs[r].text...)
	}
	if said != nil {
		graft.Members(said, func(name, value []byte) {
			if c.frames[f].scope.Child(c.frames[f].side, id, name) == none {
				filled = append(append(jsontext.Quote(comma(filled, 1), name), ':'), value...)
			}
		})
	}
	return bytes.Equal(c.texts().Canonical(nil, append(copied, '}'), n.Schema), c.texts().Canonical(nil, append(filled, '}'), n.Schema))
}
