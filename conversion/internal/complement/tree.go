package complement

import (
	"bytes"
	"math"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// A tree is a JSON value that can be looked into and changed. What was not changed is written as it
// was read.

// none is no node.
const none int32 = -1

// kind says what a node is.
type kind uint8

const (
	scalar kind = iota
	null
	object
	list
)

// node is one value. Unless it is changed, its text is src[start:end] of its tree.
type node struct {
	// name is where the name of a member is, without its quotes.
	name jsontext.Span
	text jsontext.Span
	// The values inside are linked, from first to last.
	parent, first, last, next int32
	schema                    *schema.Schema
	kind                      kind
	// escaped says that the name has escapes.
	escaped bool
	// changed says that something inside of the value is not as it was read.
	changed bool
	// gone says that the value has been removed, and goes that it is to be.
	gone, goes bool
	// implied says that the value is a default that the API server fills in: it is converted back, but not
	// written.
	implied bool
	// tried says that an entry for the node was found, and ordered the same of an order.
	tried, ordered bool
}

// tree is a value and what is in it. Node 0 is the whole value.
type tree struct {
	caller *caller.Caller
	scan   jsontext.Scanner
	src    []byte
	nodes  []node
	// moved says that the nodes are no longer in the order of their texts.
	moved bool
	// filled is where the defaults begin in src that fill has added.
	filled int32
	// indexes find the members of objects that have many.
	indexes map[int32]map[string]int32
	// hashes and fullHashes are those that were asked for. full says that the latter are.
	hashes, fullHashes map[int32]hash
	full               bool
	// texts and members are what hashes are being made of.
	texts   []byte
	members []hashed
}

// release forgets what was read, and keeps the memory for the next text.
func (t *tree) release() {
	clear(t.nodes)
	clear(t.members[:cap(t.members)])
	t.src, t.nodes, t.caller, t.full = nil, t.nodes[:0], nil, false
	t.indexes, t.hashes, t.fullHashes = reuse(t.indexes), reuse(t.hashes), reuse(t.fullHashes)
	t.scan.Reset(nil)
}

// reuse empties a map. A large one is left to the collector, since to empty it costs its size, again
// and again.
func reuse[K comparable, V any](m map[K]V) map[K]V {
	if len(m) > 1000 {
		return nil
	}
	clear(m)
	return m
}

// parse reads text, which is valid JSON, as a value of a schema. It replaces what was there. The text
// is not changed.
func (t *tree) parse(text []byte, of *schema.Schema) {
	t.src, t.nodes, t.moved, t.filled = text[:len(text):len(text)], t.nodes[:0], false, math.MaxInt32
	clear(t.indexes)
	clear(t.hashes)
	clear(t.fullHashes)
	t.scan.Reset(text)
	t.read(none, t.scan.Space(0), of)
}

// read adds the value at pos, as the last one inside of parent.
func (t *tree) read(parent int32, pos int, of *schema.Schema) (id int32, end int) {
	t.caller.Work(1)
	id = t.add(parent, of)
	switch t.src[pos] {
	case '{':
		t.nodes[id].kind = object
		end = t.readMembers(id, pos, of)
	case '[':
		t.nodes[id].kind = list
		end = t.readElements(id, pos, of)
	case 'n':
		t.nodes[id].kind = null
		end = pos + len("null")
	default:
		end, _ = t.scan.Skim(pos)
	}
	t.nodes[id].text = jsontext.Span{Start: int32(pos), End: int32(end)}
	return id, end
}

func (t *tree) readMembers(id int32, pos int, of *schema.Schema) (end int) {
	o := t.scan.Object(pos)
	for {
		name, ok, err := o.Next()
		if err != nil || !ok {
			return o.End
		}
		text := name.Bytes(t.src)
		if name.Escaped {
			text = jsontext.Unquote(nil, text)
		}
		var child int32
		child, o.End = t.read(id, o.Value, member(of, text))
		t.nodes[child].name, t.nodes[child].escaped = name.Span, name.Escaped
	}
}

func (t *tree) readElements(id int32, pos int, of *schema.Schema) (end int) {
	a := t.scan.Array(pos)
	for {
		ok, err := a.Next()
		if err != nil || !ok {
			return a.End
		}
		_, a.End = t.read(id, a.Value, items(of))
	}
}

// add adds an empty node as the last one inside of parent.
func (t *tree) add(parent int32, of *schema.Schema) int32 {
	id := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{parent: parent, first: none, last: none, next: none, schema: of})
	if parent == none {
		return id
	}
	p := &t.nodes[parent]
	if p.last == none {
		p.first = id
	} else {
		t.nodes[p.last].next = id
	}
	p.last = id
	return id
}

// member returns the schema of a member, nil if it has none.
func member(of *schema.Schema, name []byte) *schema.Schema {
	if of == nil {
		return nil
	}
	return of.Inner(name)
}

// items returns the schema of elements, nil if they may be anything.
func items(of *schema.Schema) *schema.Schema {
	switch {
	case of == nil:
		return nil
	case of.Items == nil && !of.Open:
		return &nothing
	}
	return of.Items
}

// nothing is the schema of what is in no place that the schema has.
var nothing schema.Schema

// name returns the name of a member.
func (t *tree) name(id int32) []byte {
	n := &t.nodes[id]
	text := n.name.Bytes(t.src)
	if n.escaped {
		return jsontext.Unquote(nil, text)
	}
	return text
}

// each calls visit for the values inside of one, until it returns false.
func (t *tree) each(id int32, visit func(id int32) bool) {
	for child := t.nodes[id].first; child != none; child = t.nodes[child].next {
		if !t.nodes[child].gone && !visit(child) {
			return
		}
	}
}

// many is how many members are worth an index.
const many = 16

// child returns a member of an object, none if it has none of this name.
func (t *tree) child(id int32, name []byte) int32 {
	if id == none || t.nodes[id].kind != object {
		return none
	}
	if index := t.indexes[id]; index != nil {
		if child, ok := index[string(name)]; ok && !t.nodes[child].gone {
			return child
		}
		return none
	}
	n := 0
	for child := t.nodes[id].first; child != none; child = t.nodes[child].next {
		if !t.nodes[child].gone && bytes.Equal(t.name(child), name) {
			return child
		}
		if n++; n > many {
			t.index(id)
			return t.child(id, name)
		}
	}
	return none
}

// index makes an index of the members of an object.
func (t *tree) index(id int32) {
	index := map[string]int32{}
	t.each(id, func(child int32) bool { index[string(t.name(child))] = child; return true })
	if t.indexes == nil {
		t.indexes = map[int32]map[string]int32{}
	}
	t.indexes[id] = index
}

// at returns the value at a path of names, none if there is none.
func (t *tree) at(id int32, names []string) int32 {
	for _, name := range names {
		if id = t.child(id, []byte(name)); id == none {
			return none
		}
	}
	return id
}

// value returns the text of a value that was not changed.
func (t *tree) value(id int32) []byte { return t.nodes[id].text.Bytes(t.src) }

// current returns the text of a value as it is now.
func (t *tree) current(id int32) []byte {
	if t.nodes[id].changed {
		return t.write(nil, id, nil)
	}
	return t.value(id)
}

// piece says where a text that was written comes from.
type piece struct {
	// out is its offset in what was written, and from that in src.
	out, from, length int32
}

// write appends the text of a value to dst. It appends to pieces, if that is not nil, where the text
// comes from; of a value that is changed that is its beginning alone.
func (t *tree) write(dst []byte, id int32, pieces *[]piece) []byte {
	t.caller.Work(1)
	n := &t.nodes[id]
	if pieces != nil {
		p := piece{out: int32(len(dst)), from: n.text.Start, length: 1}
		if !n.changed {
			p.length = n.text.End - n.text.Start
		}
		*pieces = append(*pieces, p)
	}
	if !n.changed {
		return append(dst, t.value(id)...)
	}
	brackets := "{}"
	if n.kind == list {
		brackets = "[]"
	}
	dst = append(dst, brackets[0])
	before := none
	t.each(id, func(child int32) bool {
		c := &t.nodes[child]
		if c.implied && pieces == nil {
			return true
		}
		begin := c.text.Start
		if n.kind == object {
			begin = c.name.Start - 1
		}
		if before != none {
			dst = t.between(dst, t.nodes[before].text.End, begin, ',')
		}
		if n.kind == object {
			dst = append(append(append(dst, '"'), c.name.Bytes(t.src)...), '"')
			dst = t.between(dst, c.name.End+1, c.text.Start, ':')
		}
		dst = t.write(dst, child, pieces)
		before = child
		return true
	})
	return append(dst, brackets[1])
}

// between appends a comma or a colon, with the space around it that the text has between two offsets: to
// convert a value there and back again and again changes nothing of that.
func (t *tree) between(dst []byte, from, to int32, sign byte) []byte {
	if to > from+1 {
		if space := bytes.TrimSpace(t.src[from:to]); len(space) == 1 && space[0] == sign {
			return append(dst, t.src[from:to]...)
		}
	}
	return append(dst, sign)
}

// holds reports whether there is something but null.
func (t *tree) holds(id int32) bool { return id != none && t.nodes[id].kind != null }

// elements returns the values inside of one, none for none.
func (t *tree) elements(id int32) (all []int32) {
	if id != none {
		t.each(id, func(e int32) bool { all = append(all, e); return true })
	}
	return all
}
