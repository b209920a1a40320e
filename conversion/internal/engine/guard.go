package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// hash condenses canonical text. Half of SHA-256's collision resistance is far
// more than a guard needs; the text of a hash is part of the stash format.
func hash(text []byte) []byte {
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.AppendEncode(make([]byte, 0, 16), sum[:12])
}

// guardOf is the guard over what a row ties its places in f to, on the other side.
func (c *conversion) guardOf(f int32, r *plan.Row) []byte {
	mate := c.frames[f].mate
	if of := choice(r, c.frames[f].side.Other()); of != nil {
		return c.choiceGuard(f, mate, of)
	}
	return c.rowGuard(mate, r)
}

// rowGuard is the guard over everything that a row reads in f: the places as
// the API server will hand them back.
func (c *conversion) rowGuard(f int32, r *plan.Row) []byte {
	if r.Kind == plan.Compute {
		return c.readGuard(f, r)
	}
	if r.Which != nil && r.Watches[c.frames[f].side] {
		return c.alternativesGuard(f, r.Which)
	}
	start := len(c.scratch)
	for _, id := range r.At[c.frames[f].side] {
		if r.Watches[c.frames[f].side] {
			c.scratch = append(append(c.scratch, c.seen(f, id)...), 0)
			continue
		}
		end := len(c.scratch)
		norm := c.norm(f, id)
		if r.Kind == plan.Elements {
			norm = c.normElements(f, id, r)
			c.scratch = c.scratch[:end] // to find out may have left something there
		}
		if norm == nil {
			c.scratch = append(c.scratch, '-')
		}
		c.scratch = append(c.scratch, norm...)
		if c.departs(f, id) {
			c.scratch = append(c.scratch, '!')
		}
		c.scratch = append(c.scratch, 0)
	}
	return hash(c.scratch[start:])
}

// normElements is norm for a place of elements: of a part as far as the other side shows
// them, and without what may be gone after a trip that changed nothing else. A stash may
// have them as a whole, and then they will be read again, but where each element has a
// counterpart: those are never kept as a whole, and whoever finds them there shows them.
func (c *conversion) normElements(f, id int32, r *plan.Row) []byte {
	s, n := c.peek(f, id), &c.nodes(f)[id]
	var text []byte
	switch {
	case s.state == list && c.inParted(f, id):
		text = c.normPart(f, id, r)
	case s.state == list:
		text = c.emit(nil, f, id)
	case s.state == raw && r.Elements.Loose && isRead(s.text, r.Forms[c.frames[f].side]):
		text = s.text
	}
	if text == nil {
		return c.norm(f, id)
	}
	return append([]byte{'*'}, c.texts().WithoutDropped(nil, text, n.Schema)...)
}

// normPart is what the other side shows of a part of a list, nil where that is nothing.
func (c *conversion) normPart(f, id int32, r *plan.Row) []byte {
	first := c.peek(f, id).first
	if c.isFilled(f, id) {
		first = c.readAgain(f, id, r)
	}
	var text []byte
	for e := first; e != none; e = c.frames[e].next {
		if c.frames[e].mate != none {
			text = c.emit(comma(text, 0), e, 0)
		}
	}
	if text == nil {
		return nil
	}
	return slices.Concat([]byte{'['}, text, []byte{']'})
}

// readAgain are the elements that a default has put at a row's place, as they are read
// and converted on the way back.
func (c *conversion) readAgain(f, id int32, r *plan.Row) (first int32) {
	scope, side := c.frames[f].scope, c.frames[f].side
	again := c.newFrame(scope, side)
	for e := c.peek(f, id).first; e != none; e = c.frames[e].next {
		read := c.newFrame(r.Elements, side)
		c.readText(read, 0, c.peek(e, 0).text)
		c.link(again, id, read)
	}
	c.elements(again, c.newFrame(scope, side.Other()), r)
	return c.peek(again, id).first
}

// departs reports whether a place is in an object whose default says more than those of
// its members, and which is no longer that default. Where nothing stood on the other
// side this stood for all of it: whoever takes one member out has written the others. What
// some table drops may be gone after a trip that changed nothing else.
func (c *conversion) departs(f, id int32) bool {
	fr := c.frames[f]
	return slices.ContainsFunc(fr.scope.Implying[fr.side], func(whole int32) bool {
		if c.peek(f, whole).state != object || !c.isIn(f, id, whole) {
			return false
		}
		of := c.nodes(f)[whole].Schema
		return !bytes.Equal(c.texts().WithoutDropped(nil, c.emit(nil, f, whole), of), c.texts().WithoutDropped(nil, of.Default, of))
	})
}

// norm is the canonical value of a raw slot, the default where it is absent
// and its parent is there, and else nil.
func (c *conversion) norm(f, id int32) []byte {
	s, n := c.peek(f, id), &c.nodes(f)[id]
	text := s.text
	if s.state != raw {
		text = nil
	}
	return c.normText(text, n.Schema, c.implied(f, id))
}

// implied is what the absence of a place stands for by the schema, in canonical
// form: its default, where what is around it is there. Where that is absent, too,
// the API server fills it in with its own default, which may say something else of
// the place, and then what is missing in it.
func (c *conversion) implied(f, id int32) []byte {
	n := &c.nodes(f)[id]
	if n.Parent == none {
		return n.Schema.Default
	}
	switch c.peek(f, n.Parent).state {
	case object:
		return n.Schema.Default
	case absent:
		around := c.impliedObject(f, n.Parent)
		if around == nil {
			return nil
		}
		if said := find(around, n.Name); said != nil {
			return said
		}
		return n.Schema.Default
	}
	return nil
}

// impliedObject is what the absence of a container stands for, if that is an object.
func (c *conversion) impliedObject(f, id int32) []byte {
	if c.nodes(f)[id].Parent == none {
		return nil // an element that is not there
	}
	if text := c.implied(f, id); text != nil && text[0] == '{' {
		return text
	}
	return nil
}

// isThereByDefault reports whether a container is there, or would be once the API
// server has filled it in.
func (c *conversion) isThereByDefault(f, id int32) bool {
	if s := c.peek(f, id); s.state != absent {
		return s.state == object
	}
	return c.impliedObject(f, id) != nil
}

// findDefaults marks those containers of the source that are no more than their
// defaults, and that nothing makes on the way back, so that they are filled in. Only
// defaults that say more than those of their members are looked at: what is in any
// other comes to nothing by itself.
func (c *conversion) findDefaults(f int32) {
	side, back := c.frames[f].side, none
	for _, id := range c.frames[f].scope.Wholes[side] {
		n, s := &c.nodes(f)[id], c.peek(f, id)
		if s.state != object || !bytes.Equal(c.normText(s.text, n.Schema, nil), n.Schema.Default) && !(n.Filled != nil && c.isFilling(f, id)) {
			continue
		}
		if back == none {
			back = c.forward(c.frames[f].mate)
			c.settle(back)
		}
		if !c.peek(back, id).present() {
			c.markByDefault(f, id)
		}
	}
}

func (c *conversion) markByDefault(f, id int32) {
	c.at(f, id).byDefault = true
	for _, child := range c.nodes(f)[id].Children {
		c.markByDefault(f, child)
	}
}

func (c *conversion) normText(text []byte, of *schema.Schema, implied []byte) []byte {
	if text == nil || text[0] == 'n' && !of.Nullable {
		return implied
	}
	start := len(c.scratch)
	canonical := c.canonical(text, of)
	c.scratch = c.scratch[:start]
	return append([]byte(nil), canonical...)
}

// wholeGuard is the guard over a container and all that is in it. text is nil
// where it is absent.
func (c *conversion) wholeGuard(f, id int32, text []byte) []byte {
	of := c.nodes(f)[id].Schema
	canonical := c.normText(text, of, c.implied(f, id))
	if canonical == nil {
		return hash([]byte("-"))
	}
	// What some table drops may be gone after a trip that changed nothing else.
	text = c.texts().WithoutDropped(nil, canonical, of)
	if c.departs(f, id) {
		text = append(text, '!')
	}
	return hash(text)
}
