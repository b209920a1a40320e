// Package graft puts what a stash says into the text of an object, where the plan
// of a conversion does not look: an object that was stored under another table may
// have entries for places that are parts of something today, or that are copied.
//
// However many entries there are, and however far in what they say stands, each text is
// read once and written once; but what tells the elements of a list apart is made up for
// each list that they are in.
package graft

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Tree is what is to come to a value, and to what is in it. The zero value changes
// nothing.
type Tree struct {
	// value is to stand where nothing does, or, if it is forced, in any case; a
	// forced nil takes away.
	value []byte
	// order is in which order the elements of a list stood.
	order []stash.Item

	members  []member
	elements []element
	// names are where the members are, by their names, as soon as there are many; index
	// are where the elements are.
	names, index map[string]int

	// way is the one to this from the tree that all are in, once a text has been looked
	// through in which it was found.
	way *way

	forced, found bool
	// around says that a forced value is no more than an object around what is in it.
	around bool
	// begun says that it is an object that was not there: the defaults of what is in it
	// have said nothing.
	begun bool
}

// few is how many members are looked through as fast as an index is made.
const few = 8

type member struct {
	name []byte
	in   *Tree
}

type element struct {
	step stash.Step
	in   *Tree
}

// Fill says what is to stand at a place, relative to the value, if nothing does,
// and of an object as far as nothing does. Of several, the first counts.
func (t *Tree) Fill(at []stash.Step, value []byte) {
	scan := reading(value)
	t.at(at).fill(scan, 0)
}

// fill is Fill with the value at pos, and says where that ends.
func (t *Tree) fill(scan *jsontext.Scanner, pos int) (end int) {
	value := []byte("{}")
	if scan.Src[pos] == '{' {
		end = members(scan, pos, func(name []byte, pos int) int {
			return t.step(stash.Step{Name: name}).fill(scan, pos)
		})
	} else {
		end = skip(scan, pos)
		value = scan.Src[pos:end]
	}
	if t.value == nil {
		t.value = value
	}
	return end
}

// Force says what an entry says of its place, whatever stands there. One that says no
// more of an object than that it was there says nothing of what else is in it.
func (t *Tree) Force(e stash.Entry) {
	to := t.at(e.At)
	if to.order = e.Order; e.Order == nil {
		to.value, to.forced = e.Value, true
	}
	to.around = e.Guard == nil && string(e.Value) == "{}"
}

// Member is what comes to a member of the value, nil if nothing does.
func (t *Tree) Member(name []byte) *Tree {
	if i := t.member(name); i >= 0 {
		return t.members[i].in.foundIn(t, i)
	}
	return nil
}

// member is where a member is, -1 if nothing comes to it.
func (t *Tree) member(name []byte) int {
	if t.names == nil {
		return slices.IndexFunc(t.members, func(m member) bool { return bytes.Equal(m.name, name) })
	}
	if i, known := t.names[string(name)]; known {
		return i
	}
	return -1
}

// Begin says that the value is an object that was not there, and holds no more than
// what comes to it.
func (t *Tree) Begin() { t.begun = true }

// New calls f for those members that there are not yet, with what they will be. of
// is the schema of the object, or nil: what it does not know is none of them, since
// the API server would take it away.
func (t *Tree) New(of *schema.Schema, there func(name []byte) bool, f func(name, value []byte)) {
	for _, m := range t.members {
		known := memberOf(of, m.name)
		if of != nil && known == nil || there(m.name) {
			continue
		}
		if value, ok := m.in.made(nil, known, t.begun); ok {
			f(m.name, value)
		}
	}
}

// at is what comes to a place. The elements of a list's parts are elements of the
// list, and a value is what it is as an alternative; but what stood alone in a part of a
// list is none that could be found without it, and comes to nothing.
func (t *Tree) at(at []stash.Step) *Tree {
	for i, s := range at {
		switch {
		case s.Part == nil:
			t = t.step(s)
		case i == len(at)-1 || at[i+1].Name != nil && len(at[i+1].Name) == 0:
			return &Tree{}
		}
	}
	return t
}

func (t *Tree) step(s stash.Step) *Tree {
	if s.Name != nil {
		return t.named(s.Name)
	}
	key := stepKey(s)
	i, known := t.index[key]
	if !known {
		if t.index == nil {
			t.index = map[string]int{}
		}
		i = len(t.elements)
		t.elements, t.index[key] = append(t.elements, element{s, &Tree{}}), i
	}
	return t.elements[i].in
}

// named is step for a member.
func (t *Tree) named(name []byte) *Tree {
	if i := t.member(name); i >= 0 {
		return t.members[i].in
	}
	in := &Tree{}
	if t.members = append(t.members, member{name, in}); len(t.members) == few {
		t.names = map[string]int{}
		for i, m := range t.members {
			t.names[string(m.name)] = i
		}
	} else if t.names != nil {
		t.names[string(name)] = len(t.members) - 1
	}
	return in
}

// Made is what becomes of nothing where of is the schema, or nil; nil if that is
// nothing. Where a default says it all, nothing need be made; else an object holds what
// has come to it, among which is what was kept of the default.
func (t *Tree) Made(of *schema.Schema) []byte {
	if text, ok := t.made(nil, of, false); ok {
		return text
	}
	return nil
}

// made appends what Made is in an object that has begun, or not. Where it reports false,
// what it has appended counts for nothing.
func (t *Tree) made(dst []byte, of *schema.Schema, begun bool) (out []byte, ok bool) {
	if of != nil && of.Default != nil && !t.forced && !(begun && t.value != nil) {
		return t.besideDefault(dst, of)
	}
	t.begun = true
	if t.value != nil {
		return t.insideText(dst, t.value, of)
	}
	if alone := t.alone(of); alone != nil {
		if of.Type != "array" {
			return alone.made(dst, of, false)
		}
		dst, ok = alone.made(append(dst, '['), of.Items, false)
		return append(dst, ']'), ok
	}
	open := len(dst) + 1
	dst = t.add(append(dst, '{'), of, nil)
	return append(dst, '}'), len(dst) > open
}

// besideDefault is made where there is a default.
func (t *Tree) besideDefault(dst []byte, of *schema.Schema) (out []byte, ok bool) {
	begin := len(dst)
	if of.Whole[0] != '{' {
		dst, ok = t.insideText(dst, of.Whole, of)
		return dst, ok && !bytes.Equal(dst[begin:], of.Whole)
	}
	if dst, ok = t.insideText(dst, []byte("{}"), of); !ok || t.value == nil && string(dst[begin:]) == "{}" {
		return dst, false
	}
	return dst, !bytes.Equal(schema.Canonical(nil, schema.Complete(nil, dst[begin:], of), of), of.Default)
}

// add appends those members to an object that it does not have.
func (t *Tree) add(dst []byte, of *schema.Schema, has []bool) []byte {
	for i, m := range t.members {
		known := memberOf(of, m.name)
		if of != nil && known == nil || has != nil && has[i] {
			continue
		}
		var ok bool
		before := len(dst)
		if dst, ok = m.in.made(appendName(dst, m.name), known, t.begun); !ok {
			dst = dst[:before]
		}
	}
	return dst
}

// alone is what comes to the only element, as which the value itself or the first
// of a list may be held; nil where there is none.
func (t *Tree) alone(of *schema.Schema) *Tree {
	if len(t.members) != 1 || of == nil {
		return nil
	}
	in := t.members[0].in
	last := in.value != nil || in.forced
	if !Alone(stash.Step{Name: t.members[0].name}, last, of) {
		return nil
	}
	return in
}

// Alone reports whether a step leads to an element that stands alone, whose name is
// empty, rather than to a member of an object that has an empty name. An object may
// have such members without its schema naming them: then they are kept as a whole, so
// that the step is the last one.
func Alone(s stash.Step, last bool, of *schema.Schema) bool {
	return s.Name != nil && len(s.Name) == 0 && of.Values == nil && (!last || of.Member("") == nil)
}

// AloneAsList reports whether a step of a way leads to what stood alone and was a list, in
// which the next step leads on: the place of the schema is that list by now.
func AloneAsList(at []stash.Step, i int, of *schema.Schema) bool {
	if s := at[i]; s.Name == nil || len(s.Name) > 0 || i == len(at)-1 || at[i+1].Name != nil || at[i+1].Part != nil {
		return false
	}
	return of.Items != nil && of.Items.Items == nil
}

// Into is what becomes of a value, of which of is the schema, or nil. It is nil
// where the value is taken away.
func (t *Tree) Into(text []byte, of *schema.Schema) []byte {
	if out, _, ok := t.into(make([]byte, 0, len(text)), reading(text), 0, of); ok {
		return out
	}
	return nil
}

// into appends what Into makes of the value at pos, and says where that ends. Where it
// reports false, what it has appended counts for nothing.
func (t *Tree) into(dst []byte, scan *jsontext.Scanner, pos int, of *schema.Schema) (out []byte, end int, ok bool) {
	if t.forced && !(t.around && scan.Src[pos] == '{') {
		dst, ok = t.made(dst, of, false)
		return dst, skip(scan, pos), ok
	}
	return t.inside(dst, scan, pos, of)
}

// insideText is inside for a whole text.
func (t *Tree) insideText(dst, text []byte, of *schema.Schema) (out []byte, ok bool) {
	out, _, ok = t.inside(dst, reading(text), 0, of)
	return out, ok
}

// inside is into for a value that stays, but for what is in it.
func (t *Tree) inside(dst []byte, scan *jsontext.Scanner, pos int, of *schema.Schema) (out []byte, end int, ok bool) {
	alone := t.alone(of)
	switch opens := scan.Src[pos]; {
	case opens == '{' && alone != nil:
		alone.way, alone.found = t.way, true
		return alone.into(dst, scan, pos, of)
	case opens == '{' && len(t.members) > 0:
		dst, end = t.object(dst, scan, pos, of)
		return dst, end, true
	case opens == '[' && alone != nil && len(alone.elements) > 0 && of.Items != nil && of.Items.Items == nil:
		alone.way, alone.found = t.way, true
		return alone.inside(dst, scan, pos, of) // it was a list itself
	case opens == '[' && (len(t.elements) > 0 || t.order != nil || alone != nil):
		end = skip(scan, pos)
		return t.list(dst, scan.Src[pos:end], of), end, true
	}
	end = skip(scan, pos)
	return append(dst, scan.Src[pos:end]...), end, true
}

// object is inside for an object.
func (t *Tree) object(dst []byte, scan *jsontext.Scanner, pos int, of *schema.Schema) (out []byte, end int) {
	has := make([]bool, len(t.members))
	dst = append(dst, '{')
	end = members(scan, pos, func(name []byte, pos int) (end int) {
		before := len(dst)
		dst = appendName(dst, name)
		i := t.member(name)
		if i < 0 {
			end = skip(scan, pos)
			dst = append(dst, scan.Src[pos:end]...)
			return end
		}
		has[i] = true
		var ok bool
		if dst, end, ok = t.members[i].in.foundIn(t, i).into(dst, scan, pos, memberOf(of, name)); !ok {
			dst = dst[:before]
		}
		return end
	})
	return append(t.add(dst, of, has), '}'), end
}

func appendMember(dst, name, value []byte) []byte {
	return append(appendName(dst, name), value...)
}

// appendName appends the name of the next member to an object.
func appendName(dst, name []byte) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(jsontext.Quote(dst, name), ':')
}

func memberOf(s *schema.Schema, name []byte) *schema.Schema {
	if s == nil {
		return nil
	}
	return s.Inner(name)
}
