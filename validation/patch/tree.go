package patch

import (
	"bytes"
	"fmt"
	"iter"
	"math"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// tree is a document as a flat list of its values, each before its content.
type tree struct {
	src     []byte
	nodes   []node
	scratch []byte
}

// none is the index for no node. The root can only be the mate of the other root.
const none = 0

// node is one value.
type node struct {
	span jsontext.Span
	name jsontext.Name // of a member
	// next is the index after the content of this value.
	next int32
	// mate is the node of the other tree with which this node is compared.
	mate   int32
	hash   uint64 // once hashed
	hashed bool
	change change
}

// change is how a node of from becomes its mate.
type change uint8

const (
	same change = iota
	changedInside
	replaced
)

func (n *node) length() int { return int(n.span.End - n.span.Start) }

// read sets t to the tree of src.
func (t *tree) read(s *jsontext.Scanner, src []byte) error {
	if len(src) > math.MaxInt32 {
		return fmt.Errorf("it has %d bytes, more than %d", len(src), math.MaxInt32)
	}
	if t.nodes == nil {
		t.nodes = make([]node, 0, len(src)/12+8) // as many values as most objects have
	}
	t.src, t.nodes = src, t.nodes[:0]
	s.Reset(src)
	end, err := t.value(s, s.Space(0), 0)
	if err != nil {
		return err
	}
	return s.Trailing(end)
}

// value reads the value at pos, which is inside depth other values.
func (t *tree) value(s *jsontext.Scanner, pos, depth int) (end int, err error) {
	at := len(t.nodes)
	t.nodes = append(t.nodes, node{})
	switch {
	case depth >= jsontext.MaxDepth || pos >= len(t.src):
		end, err = s.Value(pos, depth) // its error explains what is wrong
	case t.src[pos] == '{':
		end, err = t.members(s, pos, depth)
	case t.src[pos] == '[':
		end, err = t.elements(s, pos, depth)
	default:
		end, err = s.Value(pos, depth)
	}
	n := &t.nodes[at]
	n.span, n.next = jsontext.Span{Start: int32(pos), End: int32(end)}, int32(len(t.nodes))
	return end, err
}

func (t *tree) members(s *jsontext.Scanner, pos, depth int) (int, error) {
	o := s.Object(pos)
	for {
		name, more, err := o.Next()
		if err != nil || !more {
			return o.End, err
		}
		at := len(t.nodes)
		if o.End, err = t.value(s, o.Value, depth+1); err != nil {
			return o.End, err
		}
		t.nodes[at].name = name
	}
}

func (t *tree) elements(s *jsontext.Scanner, pos, depth int) (int, error) {
	a := s.Array(pos)
	for {
		more, err := a.Next()
		if err != nil || !more {
			return a.End, err
		}
		if a.End, err = t.value(s, a.Value, depth+1); err != nil {
			return a.End, err
		}
	}
}

// inside returns the members or elements of a value.
func (t *tree) inside(at int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for i := at + 1; i < t.nodes[at].next; i = t.nodes[i].next {
			if !yield(i) {
				return
			}
		}
	}
}

// text returns the text of a value.
func (t *tree) text(at int32) []byte { return t.nodes[at].span.Bytes(t.src) }

// kind returns a value's first byte, or '0' for any number.
func (t *tree) kind(at int32) byte {
	c := t.src[t.nodes[at].span.Start]
	if c == '-' || c-'0' <= 9 {
		return '0'
	}
	return c
}

// name returns a member's name. It is valid until the next call.
func (t *tree) name(at int32) []byte {
	name := t.nodes[at].name
	if !name.Escaped {
		return name.Bytes(t.src)
	}
	t.scratch = jsontext.Unquote(t.scratch[:0], name.Bytes(t.src))
	return t.scratch
}

// characters returns the characters of the string at `at`. They are valid until the next call.
func (t *tree) characters(at int32) []byte {
	text := t.text(at)
	text = text[1 : len(text)-1]
	if bytes.IndexByte(text, '\\') < 0 {
		return text
	}
	t.scratch = jsontext.Unquote(t.scratch[:0], text)
	return t.scratch
}
