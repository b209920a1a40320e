package schema

import (
	"bytes"
	"slices"
	"strconv"
	"sync"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Writer writes values in canonical forms, in which equal values have equal texts. It stops when
// its caller is gone, because a value may be as long as an object. The zero value has no caller.
type Writer struct{ Caller *caller.Caller }

// Canonical appends value as the API server would return it, in canonical form: members sorted,
// numbers normalised, no white space; without nulls in fields that are not nullable, and without
// members that have their default. s may be nil if no schema is known. value must be valid JSON.
func (w Writer) Canonical(dst, value []byte, s *Schema) []byte {
	return (&canonicalizer{caller: w.Caller}).append(dst, value, s)
}

// Content is Canonical without sensitive fields.
func (w Writer) Content(dst, value []byte, s *Schema) []byte {
	return (&canonicalizer{caller: w.Caller, omitSensitive: true}).append(dst, value, s)
}

// WithoutDropped is Canonical without fields that some table drops.
func (w Writer) WithoutDropped(dst, value []byte, s *Schema) []byte {
	return (&canonicalizer{caller: w.Caller, omitDropped: true}).append(dst, value, s)
}

// LeavingOut is WithoutDropped, and returns the schemas of the fields that were left out.
func (w Writer) LeavingOut(dst, value []byte, s *Schema) (text []byte, dropped []*Schema) {
	c := canonicalizer{caller: w.Caller, omitDropped: true}
	return c.append(dst, value, s), c.dropped
}

// Without is Content without the fields for which omit returns true, and with dropped fields. It
// writes the field with the schema keep even if it has its default; keep may be nil.
func (w Writer) Without(dst, value []byte, s *Schema, omit func(*Schema) bool, keep *Schema) []byte {
	return (&canonicalizer{caller: w.Caller, omitSensitive: true, omit: omit, keep: keep}).append(dst, value, s)
}

// Pruned is Canonical without members that the schema lacks, which the API server removes. A stash
// may have added them.
func (w Writer) Pruned(dst, value []byte, s *Schema) []byte {
	return (&canonicalizer{caller: w.Caller, prunes: true}).append(dst, value, s)
}

// Canonical is Writer.Canonical without a caller.
func Canonical(dst, value []byte, s *Schema) []byte { return Writer{}.Canonical(dst, value, s) }

// Content is Writer.Content without a caller.
func Content(dst, value []byte, s *Schema) []byte { return Writer{}.Content(dst, value, s) }

// canonicalizer reads a value into nodes, and then writes them in order. With these two passes the
// work does not grow with the depth of nesting.
type canonicalizer struct {
	caller *caller.Caller

	omitSensitive, omitDropped, complete, prunes bool
	// omit selects more fields to leave out; it may be nil.
	omit func(*Schema) bool
	// keep is a field to write even if it has its default; it may be nil.
	keep *Schema
	// dropped are the dropped fields that were left out.
	dropped []*Schema

	*workspace
}

// workspace is the memory of a canonicalizer, which another one may use after it.
type workspace struct {
	scan  jsontext.Scanner
	nodes []node
	// sorted has the members of the objects that are being written.
	sorted []int32
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// maxNodes is how many nodes a workspace may have to be used again.
const maxNodes = 1 << 14

// node is one value. The values inside an object or list are linked, beginning with first. The
// number 0, which is the whole value, ends the list.
type node struct {
	name        []byte
	pos, end    int
	first, next int32
}

func (c *canonicalizer) append(dst, value []byte, s *Schema) []byte {
	c.workspace = workspaces.Get().(*workspace)
	c.scan.Reset(value)
	c.read(nil, c.scan.Space(0))
	dst = c.write(dst, 0, s)
	if c.scan.Reset(nil); len(c.nodes) <= maxNodes {
		clear(c.nodes)
		c.nodes, c.sorted = c.nodes[:0], c.sorted[:0]
		workspaces.Put(c.workspace)
	}
	c.workspace = nil
	return dst
}

// read adds the value at pos to the nodes.
func (c *canonicalizer) read(name []byte, pos int) (id int32, end int) {
	c.caller.Work(1)
	id = int32(len(c.nodes))
	c.nodes = append(c.nodes, node{name: name, pos: pos})
	last := int32(0)
	inside := func(name []byte, pos int) (end int) {
		child, end := c.read(name, pos)
		if last == 0 {
			c.nodes[id].first = child
		} else {
			c.nodes[last].next = child
		}
		last = child
		return end
	}
	switch c.scan.Src[pos] {
	case '{':
		o := c.scan.Object(pos)
		for {
			name, ok, err := o.Next()
			if err != nil || !ok {
				break
			}
			text := name.Bytes(c.scan.Src)
			if name.Escaped {
				text = jsontext.Unquote(nil, text)
			}
			o.End = inside(text, o.Value)
		}
		end = o.End
	case '[':
		a := c.scan.Array(pos)
		for {
			ok, err := a.Next()
			if err != nil || !ok {
				break
			}
			a.End = inside(nil, a.Value)
		}
		end = a.End
	default:
		end, _ = c.scan.Value(pos, 0)
	}
	c.nodes[id].end = end
	return id, end
}

func (c *canonicalizer) write(dst []byte, id int32, s *Schema) []byte {
	c.caller.Work(1)
	n := &c.nodes[id]
	text := c.scan.Src[n.pos:n.end]
	switch b := text[0]; {
	case b == '{':
		return c.object(dst, n, s)
	case b == '[':
		var items *Schema
		if s != nil {
			items = s.Items
		}
		dst = append(dst, '[')
		for e := n.first; e != 0; e = c.nodes[e].next {
			if e != n.first {
				dst = append(dst, ',')
			}
			dst = c.write(dst, e, items)
		}
		return append(dst, ']')
	case b == '"':
		inside := text[1 : len(text)-1]
		if bytes.IndexByte(inside, '\\') >= 0 {
			inside = jsontext.Unquote(nil, inside)
		}
		return jsontext.Quote(dst, inside)
	case b == '-' || b-'0' <= 9:
		return jsontext.AppendNumber(dst, text)
	}
	return append(dst, text...)
}

func (c *canonicalizer) object(dst []byte, n *node, s *Schema) []byte {
	mark := len(c.sorted)
	for m := n.first; m != 0; m = c.nodes[m].next {
		c.sorted = append(c.sorted, m)
	}
	slices.SortFunc(c.sorted[mark:], func(a, b int32) int { return bytes.Compare(c.nodes[a].name, c.nodes[b].name) })
	var missing []string
	if c.complete && s != nil {
		missing = c.missingDefaults(c.sorted[mark:], s)
	}
	dst = append(dst, '{')
	open := len(dst)
	for _, m := range c.sorted[mark:] {
		name := c.nodes[m].name
		for len(missing) > 0 && missing[0] <= string(name) {
			dst, missing = appendDefault(dst, open, missing[0], s), missing[1:]
		}
		var of *Schema
		if s != nil {
			of = s.Inner(name)
		}
		if c.prunes && s != nil && of == nil {
			continue
		}
		if of != nil && c.omitDropped && of.Dropped {
			if !slices.Contains(c.dropped, of) {
				c.dropped = append(c.dropped, of)
			}
			continue
		}
		if of != nil && (c.omitSensitive && of.Sensitive || c.omit != nil && c.omit(of)) {
			continue
		}
		before := len(dst)
		if before > open {
			dst = append(dst, ',')
		}
		dst = append(jsontext.Quote(dst, name), ':')
		value := len(dst)
		dst = c.write(dst, m, of)
		if of != nil && c.absent(dst[value:], of) {
			dst = dst[:before]
		}
	}
	for _, name := range missing {
		dst = appendDefault(dst, open, name, s)
	}
	c.sorted = c.sorted[:mark]
	return append(dst, '}')
}

// absent reports whether a canonical value is treated as absent.
func (c *canonicalizer) absent(value []byte, s *Schema) bool {
	if value[0] == 'n' && !s.Nullable {
		return true
	}
	return !c.complete && s != c.keep && s.Default != nil && bytes.Equal(value, s.Default)
}

func isInteger(number []byte, bits int) bool {
	var buf [32]byte
	_, err := strconv.ParseInt(string(jsontext.AppendNumber(buf[:0], number)), 10, bits)
	return err == nil
}
