// Package graft puts what a stash says into the text of an object, where the plan
// of a conversion does not look: an object that was stored under another table may
// have entries for places that are parts of something today, or that are copied.
//
// However many entries there are, each text is read once.
package graft

import (
	"bytes"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Tree is what is to come to a value, and to what is in it. The zero value changes
// nothing.
type Tree struct {
	// value is to stand where nothing does, or, if it is forced, in any case; a
	// forced nil takes away.
	value  []byte
	forced bool
	// around says that a forced value is no more than an object around what is in it.
	around bool
	// order is in which order the elements of a list stood.
	order []stash.Item
	// begun says that it is an object that was not there: the defaults of what is in it
	// have said nothing.
	begun bool

	members  []member
	elements []element
	index    map[string]int

	// way is the one to this from the tree that it is in, once a text has been looked
	// through in which it was found.
	way   []stash.Step
	found bool
}

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
	to := t.at(at)
	if value[0] == '{' {
		Members(value, func(name, value []byte) { to.Fill([]stash.Step{{Name: name}}, value) })
		value = []byte("{}")
	}
	if to.value == nil {
		to.value = value
	}
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
	if i, ok := t.index["name "+string(name)]; ok {
		return t.foundIn(t.members[i].in, stash.Step{Name: name})
	}
	return nil
}

// Begin says that the value is an object that was not there, and holds no more than
// what comes to it.
func (t *Tree) Begin() { t.begun = true }

// Look has the tree look for a place in a text to which something comes, be it
// nothing. Found is for what it returns.
func (t *Tree) Look(at []stash.Step) *Tree { return t.at(at) }

// Found is the way to a place as it is now: to elements it goes by where they stand in
// their lists. It is false where there was no such place in the text.
func (t *Tree) Found() (way []stash.Step, ok bool) { return t.way, t.found }

func (t *Tree) foundIn(in *Tree, s stash.Step) *Tree {
	in.way, in.found = append(t.way[:len(t.way):len(t.way)], s), true
	return in
}

// New calls f for those members that there are not yet, with what they will be. of
// is the schema of the object, or nil: what it does not know is none of them, since
// the API server would take it away.
func (t *Tree) New(of *schema.Schema, there func(name []byte) bool, f func(name, value []byte)) {
	for _, m := range t.members {
		if of != nil && of.Member(string(m.name)) == nil {
			continue
		}
		if value := m.in.made(memberOf(of, m.name), t.begun); value != nil && !there(m.name) {
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
	if t.index == nil {
		t.index = map[string]int{}
	}
	key := stepKey(s)
	i, known := t.index[key]
	switch {
	case s.Name != nil && !known:
		i = len(t.members)
		t.members = append(t.members, member{s.Name, &Tree{}})
	case !known:
		i = len(t.elements)
		t.elements = append(t.elements, element{s, &Tree{}})
	}
	t.index[key] = i
	if s.Name != nil {
		return t.members[i].in
	}
	return t.elements[i].in
}

// Made is what becomes of nothing where of is the schema, or nil; nil if that is
// nothing. Where a default says it all, nothing need be made; else an object holds what
// has come to it, among which is what was kept of the default.
func (t *Tree) Made(of *schema.Schema) []byte { return t.made(of, false) }

// made is Made in an object that has begun, or not.
func (t *Tree) made(of *schema.Schema, begun bool) []byte {
	if of != nil && of.Default != nil && !t.forced && !(begun && t.value != nil) {
		if of.Whole[0] != '{' {
			if text := t.inside(of.Whole, of); !bytes.Equal(text, of.Whole) {
				return text
			}
			return nil
		}
		text := t.inside([]byte("{}"), of)
		if t.value == nil && string(text) == "{}" || bytes.Equal(schema.Canonical(nil, schema.Complete(nil, text, of), of), of.Default) {
			return nil
		}
		return text
	}
	t.begun = true
	if t.value != nil {
		return t.inside(t.value, of)
	}
	if alone := t.alone(of); alone != nil {
		if of.Type != "array" {
			return alone.Made(of)
		}
		if text := alone.Made(of.Items); text != nil {
			return append(append([]byte{'['}, text...), ']')
		}
		return nil
	}
	var text []byte
	t.New(of, func([]byte) bool { return false }, func(name, value []byte) {
		if text == nil {
			text = []byte{'{'}
		}
		text = appendMember(text, name, value)
	})
	if text == nil {
		return nil
	}
	return append(text, '}')
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

// Alone says whether a step leads to an element that stands alone, whose name is
// empty, rather than to a member of an object that has an empty name. An object may
// have such members without its schema naming them: then they are kept as a whole, so
// that the step is the last one.
func Alone(s stash.Step, last bool, of *schema.Schema) bool {
	return s.Name != nil && len(s.Name) == 0 && of.Values == nil && (!last || of.Member("") == nil)
}

// AloneAsList says whether a step of a way leads to what stood alone and was a list, in
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
	if t.forced && !(t.around && text[0] == '{') {
		return t.Made(of)
	}
	return t.inside(text, of)
}

func (t *Tree) inside(text []byte, of *schema.Schema) []byte {
	alone := t.alone(of)
	switch {
	case text[0] == '{' && alone != nil:
		alone.way, alone.found = t.way, true
		return alone.Into(text, of)
	case text[0] == '{' && len(t.members) > 0:
		out, seen := []byte{'{'}, map[string]bool{}
		Members(text, func(name, value []byte) {
			seen[string(name)] = true
			if in := t.Member(name); in != nil {
				value = in.Into(value, memberOf(of, name))
			}
			if value != nil {
				out = appendMember(out, name, value)
			}
		})
		t.New(of, func(name []byte) bool { return seen[string(name)] }, func(name, value []byte) { out = appendMember(out, name, value) })
		return append(out, '}')
	case text[0] == '[' && alone != nil && len(alone.elements) > 0 && of.Items != nil && of.Items.Items == nil:
		alone.way, alone.found = t.way, true
		return alone.inside(text, of) // it was a list itself
	case text[0] == '[' && (len(t.elements) > 0 || t.order != nil || alone != nil):
		return t.list(text, of)
	}
	return text
}

func appendMember(dst, name, value []byte) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	dst = append(jsontext.Quote(dst, name), ':')
	return append(dst, value...)
}

func memberOf(s *schema.Schema, name []byte) *schema.Schema {
	if s == nil {
		return nil
	}
	return s.Member(string(name))
}
