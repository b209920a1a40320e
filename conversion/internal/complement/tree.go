package complement

import (
	"bytes"
	"math"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// A tree is a JSON value that can be read and changed. What was not changed is written as it was
// read.

// none is the number of no node.
const none int32 = -1

// kind is the type of a node.
type kind uint8

const (
	scalar kind = iota
	null
	object
	list
)

// node is one value. Unless it is changed, its text is src[start:end] of its tree.
type node struct {
	// name is the name of a member, without its quotes.
	name jsontext.Span
	text jsontext.Span
	// The values inside are linked, from first to last.
	parent, first, last, next int32
	schema                    *schema.Schema
	kind                      kind
	// escaped says that the name has escapes.
	escaped bool
	// changed says that something inside the value was changed.
	changed bool
	// gone says that the value was removed, and goes that it will be. holds says that something inside
	// was restored.
	gone, goes, holds bool
	// implied says that the value is a default that the API server adds: it is converted back, but
	// not written.
	implied bool
	// tried says that an entry for the node was found, and ordered that an order was. known says
	// that an entry is known to be about the element, or about something inside.
	tried, ordered, known bool
}

// tree is a value and what is in it. Node 0 is the whole value.
type tree struct {
	caller *caller.Caller
	scan   jsontext.Scanner
	src    []byte
	nodes  []node
	// moved says that the nodes are no longer in the order of their texts.
	moved bool
	// filled is the offset in src of the defaults that fill has added.
	filled int32
	// indexes find the members of large objects.
	indexes map[int32]map[string]int32
	// hashes and fullHashes cache hashes. full says that fullHashes is used.
	hashes, fullHashes map[int32]hash
	full               bool
	// texts and members are the memory in which hashes are made.
	texts   []byte
	members []memberHash
}

// release forgets what was read. The memory is used for the next text.
func (t *tree) release() {
	clear(t.nodes)
	clear(t.members[:cap(t.members)])
	t.src, t.nodes, t.caller, t.full = nil, t.nodes[:0], nil, false
	t.indexes, t.hashes, t.fullHashes = reuse(t.indexes), reuse(t.hashes), reuse(t.fullHashes)
	t.scan.Reset(nil)
}

// reuse empties a map. A large map is left to the collector, because emptying it takes time in
// proportion to its size.
func reuse[K comparable, V any](m map[K]V) map[K]V {
	if len(m) > 1000 {
		return nil
	}
	clear(m)
	return m
}

// parse parses a text, which must be valid JSON, as a value of a schema. It replaces the former
// value. The text must not change.
func (t *tree) parse(text []byte, of *schema.Schema) {
	t.src, t.nodes, t.moved, t.filled = text[:len(text):len(text)], t.nodes[:0], false, math.MaxInt32
	clear(t.indexes)
	clear(t.hashes)
	clear(t.fullHashes)
	t.scan.Reset(text)
	t.read(none, t.scan.Space(0), of)
}

// read adds the value at pos as the last one in parent.
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

// add adds an empty node as the last one in parent.
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

// member returns the schema of a member, or nil.
func member(of *schema.Schema, name []byte) *schema.Schema {
	if of == nil {
		return nil
	}
	return of.Inner(name)
}

// items returns the schema of elements, or nil if any value is valid.
func items(of *schema.Schema) *schema.Schema {
	switch {
	case of == nil:
		return nil
	case of.Items == nil && !of.Open:
		return &nothing
	}
	return of.Items
}

// nothing is the schema of values that the schema does not allow.
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

// each calls visit for the values in a value, until visit returns false.
func (t *tree) each(id int32, visit func(id int32) bool) {
	for child := t.nodes[id].first; child != none; child = t.nodes[child].next {
		if !t.nodes[child].gone && !visit(child) {
			return
		}
	}
}

// many is the number of members from which an object gets an index.
const many = 16

// child returns a member of an object by name, or none.
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

// at returns the value at a path of names, or none.
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

// current returns the current text of a value.
func (t *tree) current(id int32) []byte {
	if t.nodes[id].changed {
		return t.write(nil, id, nil)
	}
	return t.value(id)
}

// piece maps a part of a written text to the text of the tree.
type piece struct {
	// out is its offset in the written text, and from its offset in src.
	out, from, length int32
}

// write appends the text of a value to dst. It appends to pieces, unless that is nil, where the
// text comes from. For a changed value that is only the beginning.
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

// between appends a comma or a colon, with the white space that the text has between two offsets.
// So white space stays the same however often a value is converted.
func (t *tree) between(dst []byte, from, to int32, sign byte) []byte {
	if to > from+1 {
		if space := bytes.TrimSpace(t.src[from:to]); len(space) == 1 && space[0] == sign {
			return append(dst, t.src[from:to]...)
		}
	}
	return append(dst, sign)
}

// holds reports whether there is a value other than null.
func (t *tree) holds(id int32) bool { return id != none && t.nodes[id].kind != null }

// elements returns the values in a value.
func (t *tree) elements(id int32) (all []int32) {
	if id != none {
		t.each(id, func(e int32) bool { all = append(all, e); return true })
	}
	return all
}
