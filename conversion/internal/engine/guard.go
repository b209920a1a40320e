package engine

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// norm returns the canonical value of a raw slot, the default where it is absent and its parent is
// there, and else nil.
func (c *conversion) norm(f, id int32) []byte {
	s, n := c.peek(f, id), &c.nodes(f)[id]
	text := s.text
	if s.state != raw {
		text = nil
	}
	return c.normText(text, n.Schema, c.implied(f, id))
}

// implied returns what the absence of a place stands for by the schema, in canonical form: its
// default, where what is around it is there. Where that is absent, too, the API server fills it in
// with its own default, which may say something else of the place, and then what is missing in it.
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

// impliedObject returns what the absence of a container stands for, if that is an object.
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

func (c *conversion) normText(text []byte, of *schema.Schema, implied []byte) []byte {
	if text == nil || text[0] == 'n' && !of.Nullable {
		return implied
	}
	start := len(c.scratch)
	canonical := c.canonical(text, of)
	c.scratch = c.scratch[:start]
	return append([]byte(nil), canonical...)
}
