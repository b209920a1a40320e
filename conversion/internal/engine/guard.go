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
	nodes := c.nodes(f)
	start := len(c.scratch)
	for _, id := range r.At[c.frames[f].side] {
		s := c.at(f, id)
		switch text := c.norm(s, nodes[id].Schema); {
		case s.state == list:
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

// norm is the canonical value of a raw slot, the default where it is absent,
// and nil where there is neither.
func (c *conversion) norm(s *slot, of *schema.Schema) []byte {
	if s.state != raw {
		return of.Default
	}
	return c.normText(s.text, of)
}

func (c *conversion) normText(text []byte, of *schema.Schema) []byte {
	if text == nil || text[0] == 'n' && !of.Nullable {
		return of.Default
	}
	start := len(c.scratch)
	canonical := c.canonical(text, of)
	c.scratch = c.scratch[:start]
	return append([]byte(nil), canonical...)
}

// wholeGuard is the guard over a container and all that is in it. text is nil
// where it is absent.
func (c *conversion) wholeGuard(text []byte, of *schema.Schema) []byte {
	canonical := []byte("-")
	if text != nil {
		canonical = c.normText(text, of)
	}
	return hash(canonical)
}
