package complement

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// An entry says which element of a list it is about by what the conversion makes of the list by
// itself: by the element's key, if no other element of what is made has the same, or by its content,
// where equal ones are counted. So it is found again in what the next conversion makes, if that
// element is still made.

// addresses returns the addresses of the elements of the list at a place. scopes pair each element
// with that of the other version.
func addresses(t *tree, p place, elements []int32, scopes []*plan.Scope) []stash.Step {
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
		if other, twice := first[string(key)]; twice {
			steps[other].Key = nil
			continue
		}
		first[string(key)], steps[i].Key = i, key
	}
	counts := map[hash]int{}
	for i, e := range elements {
		if steps[i].Key != nil || steps[i].Content != nil {
			continue
		}
		h := t.hash(e)
		steps[i] = stash.Step{Content: h.text(), Nth: counts[h]}
		counts[h]++
	}
	return steps
}

// only returns the address of an element that the other version has as a value of its own: no other
// one of its list, or of its part of the list, is made, except by a default.
func (p place) only(scope *plan.Scope) (stash.Step, bool) {
	if r := p.elements(); r != nil {
		return stash.Step{Content: []byte{}}, r.Forms[p.side.Other()] == plan.One
	}
	parts := p.parts()
	if parts == nil {
		return stash.Step{}, false
	}
	for i := range parts.All {
		if r := &p.scope.Rows[parts.All[i].Row]; r.Elements == scope {
			return stash.Step{Content: []byte{}, Nth: i}, r.Forms[p.side.Other()] == plan.One
		}
	}
	return stash.Step{}, false
}

// canonical returns an address as conversion writes it.
func canonical(s stash.Step) stash.Step {
	if s.Key != nil {
		s.Key = schema.Canonical(nil, s.Key, nil)
	}
	return s
}

// keyOf returns the key of an element as canonical JSON, nil if it has none. Without a scope the
// schema of the list says what the key is.
func keyOf(t *tree, e int32, scope *plan.Scope, side plan.Side) []byte {
	if scope == nil {
		return t.keyBySchema(e)
	}
	keys := &scope.Keys[side]
	var text []byte
	for i, id := range keys.Nodes {
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
	return schema.Canonical(nil, append(text, keys.Around[len(keys.Nodes)]...), nil)
}

// keyBySchema returns the key of an element by the keys in the schema of its list, nil if it has none.
func (t *tree) keyBySchema(e int32) []byte {
	of := t.nodes[e].schema
	if p := t.nodes[e].parent; p == none || of == nil || t.nodes[p].schema == nil || len(t.nodes[p].schema.Keys) == 0 {
		return nil
	}
	text := []byte{'{'}
	for i, name := range t.nodes[t.nodes[e].parent].schema.Keys {
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

// scalarAt returns the value at a path from an object, or the default where that is missing in an
// object; nil if there is no single value.
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

// stepText returns a text that two addresses in one list share only if they are the same.
func stepText(s stash.Step) string {
	if s.Key != nil {
		return "k" + string(s.Key)
	}
	return string(jsontext.Quote(nil, s.Content)) + string(rune(s.Nth))
}
