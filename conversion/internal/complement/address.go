package complement

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// An entry identifies an element of a list by what the conversion makes of the list by itself: by
// the element's key, if no other element there has the same, or by its content, with a number if
// several elements are equal. If the other version has the elements in several lists, an element of
// each may have the key. It also has the element's key or content in the other version, because rows
// may make one element of two, and another table may make something else of the same element.

// addressedList has the elements of a list that was made, which get addresses.
type addressedList struct {
	made *tree
	place
	elements []int32
	// scopes pair each element with the one that it was made of. of has those, as nodes of view, or
	// none.
	scopes []*plan.Scope
	view   *tree
	of     []int32
	// fades says that some table drops something.
	fades bool
}

// isFilled reports whether a default makes the list, and not an element of the other version.
func (a addressedList) isFilled() bool {
	return !a.isCode() && len(a.elements) > 0 && !slices.ContainsFunc(a.of, func(id int32) bool { return id != none })
}

// addresses returns the addresses of the elements of a list.
func (a addressedList) addresses() []stash.Step {
	steps := addressesHere(a.made, a.place, a.elements, a.scopes)
	a.addThere(steps)
	a.countKeys(steps)
	var lives map[hash]int
	texts := textsFor(len(steps))
	for i := range steps {
		if s := &steps[i]; a.of[i] != none && len(s.Content) > 0 {
			if lives == nil {
				lives = make(map[hash]int, len(steps))
			}
			live := a.live(i)
			s.Live, s.Alike = texts.of(live), lives[live]
			lives[live]++
		}
	}
	if a.fades {
		a.addFull(steps, lives)
	}
	return steps
}

// addThere adds the keys that elements have in the other version. They distinguish elements with
// one key here.
func (a addressedList) addThere(steps []stash.Step) {
	var counts map[string]int // elements by their keys in the other version, if others have the same key here
	for i := range steps {
		s := &steps[i]
		switch {
		case a.of[i] == none:
		case s.Key != nil:
			if scope := a.scopes[i]; scope == nil || !scope.Keys[a.side].Translated {
				continue // no row makes another key of it
			}
			if s.There = a.keyThere(i); s.There == nil {
				s.There = noKey
			} else if bytes.Equal(s.There, s.Key) {
				s.There = nil
			}
		case len(s.Content) > 0:
			if key := a.keyThere(i); key != nil && keyOf(a.made, a.elements[i], a.scopes[i], a.side) != nil {
				if counts == nil {
					counts = map[string]int{}
				}
				counts[inList(a.listThere(a.scopes[i]), key)]++
			}
		}
	}
	for i := range steps {
		if s := &steps[i]; counts != nil && a.of[i] != none && len(s.Content) > 0 {
			there, here := a.keyThere(i), keyOf(a.made, a.elements[i], a.scopes[i], a.side)
			if in := a.listThere(a.scopes[i]); here != nil && counts[inList(in, there)] == 1 {
				*s = stash.Step{Key: here, There: there, In: in}
			}
		}
	}
}

// countKeys adds how many lists of the other version have the key of an element, if these are several.
func (a addressedList) countKeys(steps []stash.Step) {
	if !slices.ContainsFunc(steps, func(s stash.Step) bool { return s.In != nil }) {
		return
	}
	counts := map[string]int{}
	for i := range steps {
		switch s := &steps[i]; {
		case s.Key != nil:
			counts[string(s.KeyThere())]++
		case a.of[i] != none:
			counts[string(a.keyThere(i))]++
		}
	}
	for i := range steps {
		if s := &steps[i]; s.In != nil {
			if of := counts[string(s.KeyThere())]; of > 1 {
				s.Of = of
			}
		}
	}
}

// noKey is the key of an element that has none in the other version.
var noKey = []byte("null")

// live returns the hash of an element as the other version has it, in its part of a list.
func (a addressedList) live(i int) hash { return a.inPart(i, a.view.hash(a.of[i])) }

// full is live with what some table drops.
func (a addressedList) full(i int) hash { return a.inPart(i, a.view.fullHash(a.of[i])) }

func (a addressedList) inPart(i int, h hash) hash {
	if list := a.listThere(a.scopes[i]); list != nil {
		return sum(append(h[:], list...))
	}
	return h
}

// inList returns a text that is the same only for one key in one of several lists.
func inList(list, key []byte) string { return string(key) + string(list) }

// addFull adds what some table drops of elements. lives has the number of elements with the same
// hash. Elements that differ only in what is dropped are numbered apart.
func (a addressedList) addFull(steps []stash.Step, lives map[hash]int) {
	fulls := map[hash]int{}
	for i := range steps {
		if s := &steps[i]; s.Live != nil {
			full := a.full(i)
			if full != a.live(i) {
				s.Full = full.text(nil)
			}
			s.FullNth = fulls[full]
			fulls[full]++
		}
	}
	for i := range steps {
		s := &steps[i]
		if s.Live == nil {
			continue
		}
		if all := lives[a.live(i)]; fulls[a.full(i)] < all {
			s.AlikeOf = all
		} else {
			s.FullNth = 0
		}
	}
}

// texts has the texts of hashes in one piece of memory.
type texts []byte

// textsFor returns texts with room for some hashes.
func textsFor(n int) texts { return make(texts, 0, 16*n) }

// of returns the text of a hash.
func (t *texts) of(h hash) []byte {
	start := len(*t)
	*t = h.text(*t)
	return (*t)[start:len(*t):len(*t)]
}

// keyThere returns the key of an element with the values of the other version, nil if it has none.
func (a addressedList) keyThere(i int) []byte {
	scope := a.scopes[i]
	if scope == nil {
		return keyOf(a.made, a.elements[i], scope, a.side)
	}
	return keyText(a.view, a.of[i], scope, a.side.Other(), &scope.Keys[a.side], scope.Keys[a.side].There)
}

// addressesHere returns the addresses without the keys and hashes of the other version.
func addressesHere(t *tree, p place, elements []int32, scopes []*plan.Scope) []stash.Step {
	steps := make([]stash.Step, len(elements))
	first := map[string]int{}
	ofScope := map[*plan.Scope]int{}
	for _, scope := range scopes {
		ofScope[scope]++
	}
	for i, e := range elements {
		t.caller.Work(1)
		if only, found := p.only(scopes[i]); found && ofScope[scopes[i]] == 1 {
			steps[i] = only
			continue
		}
		key := keyOf(t, e, scopes[i], p.side)
		if key == nil {
			continue
		}
		in := p.listThere(scopes[i])
		text := inList(in, key)
		if other, twice := first[text]; twice {
			steps[other].Key, steps[other].In = nil, nil
			continue
		}
		first[text], steps[i].Key, steps[i].In = i, key, in
	}
	var counts map[hash]int
	var texts texts
	for i, e := range elements {
		if steps[i].Key != nil || steps[i].Content != nil {
			continue
		}
		if counts == nil {
			counts, texts = make(map[hash]int, len(elements)), textsFor(len(elements))
		}
		h := t.hash(e)
		steps[i] = stash.Step{Content: texts.of(h), Nth: counts[h]}
		counts[h]++
	}
	for i, e := range elements {
		if s := &steps[i]; len(s.Content) > 0 {
			s.Of = counts[t.hash(e)]
		}
	}
	return steps
}

// only returns the address of an element that is a single value in the other version: no other
// element of its list, or of its part of the list, is made, except by a default.
func (p place) only(scope *plan.Scope) (stash.Step, bool) {
	if r := p.elements(); r != nil {
		return stash.Step{Content: []byte{}}, r.Forms[p.side.Other()] == plan.One
	}
	i := p.partOf(scope)
	if i < 0 {
		return stash.Step{}, false
	}
	row := p.parts().All[i].Row
	return stash.Step{Content: []byte{}, Nth: i}, p.scope.Rows[row].Forms[p.side.Other()] == plan.One
}

// keyOf returns the key of an element as canonical JSON, or nil if it has none. Without a scope,
// the schema of the list has the fields of the key.
func keyOf(t *tree, e int32, scope *plan.Scope, side plan.Side) []byte {
	if scope == nil {
		return t.keyBySchema(e)
	}
	return keyText(t, e, scope, side, &scope.Keys[side], scope.Keys[side].Nodes)
}

// keyText returns a key with the values at the nodes of a side.
func keyText(t *tree, e int32, scope *plan.Scope, side plan.Side, keys *plan.Keys, nodes []int32) []byte {
	var text []byte
	for i, id := range nodes {
		if id == plan.None {
			return nil // the other version has no single value for it
		}
		value := t.scalarAt(e, namesTo(scope, side, id), scope.Nodes[side][id].Schema)
		if value == nil {
			if keys.Partial {
				continue
			}
			return nil
		}
		around := keys.Around[i]
		if text == nil {
			text, around = append(text, '{'), around[1:]
		}
		text = append(append(text, around...), value...)
	}
	if text == nil {
		return nil
	}
	return schema.Canonical(nil, append(text, keys.Around[len(nodes)]...), nil)
}

// keyBySchema returns the key of an element by the keys in the schema of its list, or nil.
func (t *tree) keyBySchema(e int32) []byte {
	if of := t.listOf(e); of != nil {
		return t.keyBy(e, of.Keys)
	}
	return nil
}

// keyBy returns the key of an element with the given fields, or nil if it has none.
func (t *tree) keyBy(e int32, names []string) []byte {
	of := t.nodes[e].schema
	if of == nil || len(names) == 0 {
		return nil
	}
	text := []byte{'{'}
	for i, name := range names {
		m := of.Member(name)
		if m == nil {
			return nil
		}
		value := t.scalarAt(e, []string{name}, m)
		if value == nil {
			return nil
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(jsontext.Quote(text, name), ':'), value...)
	}
	return schema.Canonical(nil, append(text, '}'), nil)
}

// scalarAt returns the single value at a path from an object, or its default if it is absent, or
// nil.
func (t *tree) scalarAt(id int32, names []string, of *schema.Schema) []byte {
	if len(names) == 0 {
		return nil
	}
	last := len(names) - 1
	around := t.at(id, names[:last])
	if around == none || t.nodes[around].kind != object {
		return nil
	}
	at := t.child(around, []byte(names[last]))
	switch {
	case at == none || t.nodes[at].kind == null:
		if text := of.Default; text != nil && text[0] != '{' && text[0] != '[' && text[0] != 'n' {
			return text
		}
		return nil
	case t.nodes[at].kind != scalar:
		return nil
	}
	return appendScalar(nil, t.value(at))
}
