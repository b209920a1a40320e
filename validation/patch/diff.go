package patch

import (
	"bytes"
	"fmt"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Diff appends to dst the JSON Patch that turns the document from into the document to, or
// nothing if they are equal. They are compared as JSON values: the order of members and the
// spelling of strings and numbers do not matter. Numbers are equal only if all digits are
// equal, however many there are.
//
// Applied as RFC 6902 specifies, the patch gives exactly to. It is small: it replaces values as
// deep inside as that is shorter, and does not mention elements that stay in a list.
//
// Both documents must be I-JSON (RFC 7493). Diff checks that unless they are the same bytes.
// Time and memory are proportional to their length.
func Diff(dst, from, to []byte) ([]byte, error) { return new(Differ).Diff(dst, from, to) }

// Differ does the same as [Diff] repeatedly, and reuses its memory. The zero value is ready to
// use. It is not safe for concurrent use.
type Differ struct {
	// The trees also hold the plan: the mate of each node, and how the node changes.
	from, to tree
	// prefix and suffix are how many bytes the texts have in common at their beginnings and
	// ends.
	prefix, suffix int
	scanner        jsontext.Scanner
	hasher         hasher
	// children is a stack of the elements of the lists that are being planned.
	children []int32
	path     []byte // the writer's
}

// Diff is like the function [Diff].
func (d *Differ) Diff(dst, from, to []byte) ([]byte, error) {
	if bytes.Equal(from, to) {
		return dst, nil
	}
	defer d.forget()
	d.prefix, d.suffix = commonPrefix(from, to), commonSuffix(from, to)
	if err := d.from.read(&d.scanner, from); err != nil {
		return dst, fmt.Errorf("the document to be patched: %w", err)
	}
	if err := d.to.read(&d.scanner, to); err != nil {
		return dst, fmt.Errorf("the document after the patch: %w", err)
	}
	if d.plan(0, 0, 0) == 0 {
		return dst, nil
	}
	w := writer{Differ: d, dst: append(dst, '['), path: d.path[:0]}
	w.change(0, 0)
	d.path = w.path
	return append(w.dst, ']'), nil
}

// forget drops the documents.
func (d *Differ) forget() {
	d.scanner.Reset(nil)
	d.from.src, d.to.src = nil, nil
	d.children = d.children[:0]
}

// plan decides how a, of from, becomes b, of to, whose JSON pointer is path bytes long. It
// returns the length of the operations, or 0 if none is needed. It visits every node once, so
// that no nesting makes it slow.
func (d *Differ) plan(a, b int32, path int) int {
	y := &d.to.nodes[b]
	if y.change = same; d.sameText(a, b) {
		return 0
	}
	whole := replaceLength + path + y.length()
	inside := 0
	switch kind := d.from.kind(a); {
	case kind != d.to.kind(b):
		y.change = replaced
		return whole
	case kind == '{':
		inside = d.planMembers(a, b, path)
	case kind == '[':
		inside = d.planElements(a, b, path)
	case d.sameScalar(a, b):
		return 0
	default:
		y.change = replaced
		return whole
	}
	switch {
	case inside == 0:
		return 0
	case inside > whole && path > 0: // a patch of the whole object would not show what changed
		y.change = replaced
		return whole
	}
	y.change = changedInside
	return inside
}

// planMembers plans the changes inside an object.
func (d *Differ) planMembers(a, b int32, path int) int {
	d.match(a, b)
	length := 0
	for x := range d.from.inside(a) {
		member := &d.from.nodes[x]
		if member.mate == none {
			length += removeLength + path + d.from.tokenLength(x)
		} else if !d.sameText(x, member.mate) {
			length += d.plan(x, member.mate, path+d.from.tokenLength(x))
		}
	}
	for y := range d.to.inside(b) {
		if member := &d.to.nodes[y]; member.mate == none {
			length += addLength + path + d.to.tokenLength(y) + member.length()
		}
	}
	return length
}

// planElements plans the changes inside a list.
func (d *Differ) planElements(a, b int32, path int) int {
	d.align(a, b)
	length, index := 0, 0
	d.eachElement(a, b, func(x, y int32) {
		token := indexLength(index)
		switch {
		case y == none:
			length += removeLength + path + token
			return // the next element takes its place
		case x == none:
			length += addLength + path + token + d.to.nodes[y].length()
		default:
			length += d.plan(x, y, path+token)
		}
		index++
	})
	return length
}

// eachElement visits the elements of two lists from left to right: pairs of mates, removed
// elements (y is none), and added ones (x is none).
func (d *Differ) eachElement(a, b int32, visit func(x, y int32)) {
	x, y := a+1, b+1
	for x < d.from.nodes[a].next || y < d.to.nodes[b].next {
		switch {
		case x < d.from.nodes[a].next && d.from.nodes[x].mate == none:
			visit(x, none)
			x = d.from.nodes[x].next
		case y < d.to.nodes[b].next && d.to.nodes[y].mate == none:
			visit(none, y)
			y = d.to.nodes[y].next
		default: // mates never cross, so these two are mates
			visit(x, y)
			x, y = d.from.nodes[x].next, d.to.nodes[y].next
		}
	}
}
