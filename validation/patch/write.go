package patch

import (
	"bytes"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Operations without path and value, with the comma between two.
const (
	addLength     = len(`{"op":"add","path":"","value":},`)
	removeLength  = len(`{"op":"remove","path":""},`)
	replaceLength = len(`{"op":"replace","path":"","value":},`)
)

// writer writes the plan of a Differ as a patch.
type writer struct {
	*Differ
	dst []byte
	// path is the JSON pointer (RFC 6901) of the current place, encoded for a JSON string.
	path []byte
	some bool // whether an operation has been written
}

// change writes the operations that turn a into b.
func (w *writer) change(a, b int32) {
	switch w.to.nodes[b].change {
	case replaced:
		w.operation("replace", w.to.text(b))
	case changedInside:
		if w.from.kind(a) == '{' {
			w.members(a, b)
		} else {
			w.elements(a, b)
		}
	}
}

func (w *writer) members(a, b int32) {
	here := len(w.path)
	for x := range w.from.inside(a) {
		mate := w.from.nodes[x].mate
		if mate != none && w.to.nodes[mate].change == same {
			continue
		}
		w.path = w.from.appendToken(w.path, x)
		if mate == none {
			w.operation("remove", nil)
		} else {
			w.change(x, mate)
		}
		w.path = w.path[:here]
	}
	for y := range w.to.inside(b) {
		if w.to.nodes[y].mate == none {
			w.path = w.to.appendToken(w.path, y)
			w.operation("add", w.to.text(y))
			w.path = w.path[:here]
		}
	}
}

// elements writes from left to right: everything to the left of the current element has been
// changed already.
func (w *writer) elements(a, b int32) {
	here, index := len(w.path), 0
	w.eachElement(a, b, func(x, y int32) {
		w.path = strconv.AppendInt(append(w.path, '/'), int64(index), 10)
		switch {
		case y == none:
			w.operation("remove", nil)
			index--
		case x == none:
			w.operation("add", w.to.text(y))
		default:
			w.change(x, y)
		}
		index++
		w.path = w.path[:here]
	})
}

func (w *writer) operation(op string, value []byte) {
	if w.some {
		w.dst = append(w.dst, ',')
	}
	w.some = true
	w.dst = append(append(w.dst, `{"op":"`...), op...)
	w.dst = append(append(w.dst, `","path":"`...), w.path...)
	w.dst = append(w.dst, '"')
	if value != nil {
		w.dst = append(append(w.dst, `,"value":`...), value...)
	}
	w.dst = append(w.dst, '}')
}

// appendToken appends a member's name as a step of a pointer inside a JSON string.
func (t *tree) appendToken(dst []byte, at int32) []byte {
	name := t.nodes[at].name
	text := name.Bytes(t.src)
	if name.Escaped {
		// An escape may be a slash or a tilde. After unquoting and quoting there are no such
		// escapes.
		t.scratch = jsontext.Unquote(t.scratch[:0], text)
		quoted := jsontext.Quote(nil, t.scratch)
		text = quoted[1 : len(quoted)-1]
	}
	dst = append(dst, '/')
	for _, c := range text {
		switch c {
		case '~':
			dst = append(dst, '~', '0')
		case '/':
			dst = append(dst, '~', '1')
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// tokenLength returns by how much appendToken lengthens the pointer.
func (t *tree) tokenLength(at int32) int {
	name := t.nodes[at].name
	if name.Escaped {
		return len(t.appendToken(nil, at))
	}
	text := name.Bytes(t.src)
	return 1 + len(text) + bytes.Count(text, []byte{'~'}) + bytes.Count(text, []byte{'/'})
}

// indexLength returns by how much an index lengthens the pointer.
func indexLength(index int) int {
	length := len("/0")
	for ; index >= 10; index /= 10 {
		length++
	}
	return length
}
