package engine

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// norm returns the canonical value of a raw slot, or the default if it is absent and its parent is
// present, or nil.
func (c *conversion) norm(f, id int32) []byte {
	s, n := c.peek(f, id), &c.nodes(f)[id]
	text := s.text
	if s.state != raw {
		text = nil
	}
	return c.normText(text, n.Schema, c.implied(f, id))
}

// implied returns the canonical value that an absent field has by the schema: its default, if the
// object around it is present. If that is absent too, the API server adds it with its own default,
// which may have a value for the field; otherwise the field has its default.
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
		if value := find(around, n.Name); value != nil {
			return value
		}
		return n.Schema.Default
	}
	return nil
}

// impliedObject returns the object that an absent container has by the schema, or nil.
func (c *conversion) impliedObject(f, id int32) []byte {
	if c.nodes(f)[id].Parent == none {
		return nil // an element that is not there
	}
	if text := c.implied(f, id); text != nil && text[0] == '{' {
		return text
	}
	return nil
}

// isThereByDefault reports whether a container is present, or will be once the API server has added
// defaults.
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
