package lazy

import (
	"fmt"
	"math"
	"strconv"
	"sync"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Document is a JSON text whose values are decoded when they are reached.
type Document struct {
	scanner jsontext.Scanner
	root    ref.Val
	err     error
	// spans are the places of long objects and lists, sorted by their start.
	spans []jsontext.Span
	// open is scratch memory.
	open    []int32
	objects []object
	lists   []list
	// members and elements have room for those of objects and lists that will be opened.
	members  []member
	elements []element
}

// NewDocument takes a JSON text. An empty text is null.
func NewDocument(text []byte) *Document {
	d := documents.Get().(*Document)
	d.scanner.Reset(text)
	return d
}

// documents holds unused documents, with room for the values of the next one.
var documents = sync.Pool{New: func() any { return new(Document) }}

// maxKept is how many values of a kind a document keeps room for, so that a large object does
// not hold its memory for ever.
const maxKept = 1024

// Free returns the document to the pool. Neither the document nor its values, except strings,
// may be used any more.
func (d *Document) Free() {
	if cap(d.objects) > maxKept || cap(d.lists) > maxKept || cap(d.members) > maxKept || cap(d.elements) > maxKept || cap(d.spans) > maxKept {
		return
	}
	clear(d.objects)
	clear(d.lists)
	clear(d.members)
	clear(d.elements)
	*d = Document{spans: d.spans[:0], open: d.open[:0], objects: d.objects[:0], lists: d.lists[:0], members: d.members[:0], elements: d.elements[:0]}
	documents.Put(d)
}

// Text returns the JSON text.
func (d *Document) Text() []byte { return d.scanner.Src }

// Root returns the value of the whole text.
func (d *Document) Root() ref.Val {
	if d.root == nil {
		d.root = d.read()
	}
	return d.root
}

// Err returns the first error in the text that was found so far. Values that were read after it
// are unreliable.
func (d *Document) Err() error { return d.err }

func (d *Document) read() ref.Val {
	if len(d.scanner.Src) > math.MaxInt32 {
		return d.fail(fmt.Errorf("it is %d bytes long, the limit is %d", len(d.scanner.Src), math.MaxInt32))
	}
	start := d.scanner.Space(0)
	if start == len(d.scanner.Src) {
		return types.NullValue
	}
	end, err := d.first(start)
	if err == nil {
		err = d.scanner.Trailing(end)
	}
	if err != nil {
		return d.fail(err)
	}
	return d.value(jsontext.Span{Start: int32(start), End: int32(end)}, 0)
}

// first finds the end of the whole value.
func (d *Document) first(start int) (int, error) {
	if c := d.scanner.Src[start]; c == '{' || c == '[' {
		return d.outline(start)
	}
	return d.scanner.Skim(start)
}

// fail keeps the first error and returns an error that ends the evaluation.
func (d *Document) fail(err error) ref.Val {
	if d.err == nil {
		d.err = fmt.Errorf("the object is not valid JSON: %w", err)
	}
	return types.WrapErr(d.err)
}

// value returns the value at a span that Skim has found, inside depth containers.
func (d *Document) value(at jsontext.Span, depth int) ref.Val {
	text := at.Bytes(d.scanner.Src)
	switch text[0] {
	case '{':
		return d.newObject(at, depth)
	case '[':
		return d.newList(at, depth)
	case '"':
		_, escaped, err := d.scanner.String(int(at.Start))
		if err != nil {
			return d.fail(err)
		}
		return types.String(unquote(text[1:len(text)-1], escaped))
	case 't':
		return types.True
	case 'f':
		return types.False
	case 'n':
		return types.NullValue
	}
	return d.number(text)
}

// number reads a number as the API server does: an integer if it is written as one and fits,
// and otherwise a double.
func (d *Document) number(text []byte) ref.Val {
	if jsontext.IsInteger(text) {
		if i, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			return types.Int(i)
		}
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return d.fail(fmt.Errorf("the number %.40q is too large", text))
	}
	return types.Double(f)
}

// unquote returns a copy of the content of a validated string.
func unquote(inside []byte, escaped bool) string {
	if !escaped {
		return string(inside)
	}
	return string(jsontext.Unquote(nil, inside))
}

// container is an object or a list: its place, and whether it has been opened.
type container struct {
	doc    *Document
	at     jsontext.Span
	depth  int
	opened bool
}

// enter reports whether to open the container now.
func (c *container) enter() bool {
	if c.opened {
		return false
	}
	c.opened = true
	if c.depth >= jsontext.MaxDepth {
		c.doc.fail(fmt.Errorf("it nests deeper than %d", jsontext.MaxDepth))
		return false
	}
	return true
}

func (c *container) text() []byte { return c.at.Bytes(c.doc.scanner.Src) }
