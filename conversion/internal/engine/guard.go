package engine

import (
	"crypto/sha256"
	"encoding/base64"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// hash condenses canonical text. Half of SHA-256's collision resistance is far
// more than a guard needs; the text of a hash is part of the stash format.
func hash(text []byte) []byte {
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.AppendEncode(make([]byte, 0, 16), sum[:12])
}

// rowGuard is the guard over everything that a row reads in f: the places as
// the API server will hand them back.
func (c *conversion) rowGuard(f int32, r *plan.Row) []byte {
	if r.Kind == plan.Compute {
		return c.readGuard(f, r)
	}
	start := len(c.scratch)
	for _, id := range r.At[c.frames[f].side] {
		if r.Watches[c.frames[f].side] {
			c.scratch = append(append(c.scratch, c.seen(f, id)...), 0)
			continue
		}
		switch text := c.norm(f, id); {
		case c.shows(f, id):
			c.scratch = append(c.scratch, '*')
		case text == nil:
			c.scratch = append(c.scratch, '-')
		default:
			c.scratch = append(c.scratch, text...)
		}
		c.scratch = append(c.scratch, 0)
	}
	return hash(c.scratch[start:])
}

// norm is the canonical value of a raw slot, the default where it is absent
// and its parent is there, and else nil.
func (c *conversion) norm(f, id int32) []byte {
	s, n := c.at(f, id), &c.nodes(f)[id]
	text := s.text
	if s.state != raw {
		text = nil
	}
	return c.normText(text, n.Schema, c.implied(f, id))
}

// implied is what the absence of a place stands for by the schema.
func (c *conversion) implied(f, id int32) []byte {
	n := &c.nodes(f)[id]
	if n.Parent != none && !c.standsByDefault(f, n.Parent) {
		return nil
	}
	return n.Schema.Default
}

// standsByDefault says whether a container is there, or would be once the API
// server has filled in an empty object, in which it then fills in the rest.
func (c *conversion) standsByDefault(f, id int32) bool {
	if s := c.at(f, id); s.state != absent {
		return s.state == object
	}
	n := &c.nodes(f)[id]
	return string(n.Schema.Default) == "{}" && n.Parent != none && c.standsByDefault(f, n.Parent)
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
	return hash(schema.WithoutDropped(nil, canonical, of))
}
