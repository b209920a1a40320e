package graft

import (
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// stepKey tells steps apart. One that is nothing but a number is a position in a list: in
// a stash there is none, but whoever knows where an element stands may say so.
func stepKey(s stash.Step) string {
	switch {
	case s.Name == nil && s.Key == nil && s.Content == nil:
		return "position " + strconv.Itoa(s.Nth)
	case s.Name != nil:
		return "name " + string(s.Name)
	case s.Key != nil:
		return "key " + string(s.KeyThere()) // no row makes another value of it here
	}
	return "content " + string(s.Content) + " " + strconv.Itoa(s.Nth)
}

// item is an element of a list, and the steps that lead to it.
type item struct {
	text  []byte
	steps []string
}

// list is inside for a list.
func (t *Tree) list(dst, text []byte, of *schema.Schema) []byte {
	var items *schema.Schema
	if of != nil {
		items = of.Items
	}
	names, byContent := t.address()
	t.untranslated(text, names, items)
	alone := t.alone(of)
	count, position := map[string]int{}, 0
	var all []item
	Elements(text, func(value []byte) {
		here := position
		e := item{text: value, steps: []string{stepKey(stash.Step{Nth: here})}}
		position++
		if key := KeyIn(value, names, items); key != nil {
			e.steps = append(e.steps, stepKey(stash.Step{Key: key}))
		}
		if byContent {
			content := contentOf(value, items)
			e.steps = append(e.steps, stepKey(stash.Step{Content: content, Nth: count[string(content)]}))
			count[string(content)]++
		}
		in := alone
		if len(all) > 0 {
			in = nil
		}
		for _, step := range e.steps {
			if i, ok := t.index[step]; ok && in == nil {
				in = t.elements[i].in
			}
		}
		if in != nil {
			if e.text = in.foundAt(t, here).Into(value, items); e.text == nil {
				return
			}
		}
		all = append(all, e)
	})
	if t.order != nil {
		all = ordered(all, t.order)
	}
	dst = append(dst, '[')
	for i, e := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, e.text...)
	}
	return append(dst, ']')
}

// untranslated has elements be looked for by the keys that they had in their own version,
// if the list has some of these and none with the values of the other version: rows made
// other values of them, and do so no more.
func (t *Tree) untranslated(text []byte, names [][]string, items *schema.Schema) {
	var present map[string]bool
	shows := func(keyOf func(stash.Step) []byte) bool {
		is := func(s stash.Step) bool {
			if s.There == nil {
				return false
			}
			if present == nil {
				present = map[string]bool{}
				Elements(text, func(value []byte) { present[string(KeyIn(value, names, items))] = true })
			}
			return present[string(keyOf(s))]
		}
		return slices.ContainsFunc(t.elements, func(e element) bool { return is(e.step) }) ||
			slices.ContainsFunc(t.order, func(i stash.Item) bool { return is(i.Step) })
	}
	if shows(stash.Step.KeyThere) || !shows(func(s stash.Step) []byte { return s.Key }) {
		return
	}
	t.order = slices.Clone(t.order)
	for i := range t.order {
		t.order[i].Step.There = nil
	}
	for i := range t.elements {
		t.elements[i].step.There = nil
		if key := stepKey(t.elements[i].step); t.elements[i].step.Key != nil {
			t.index[key] = i
		}
	}
}

// address finds out how elements are told apart: one list has keys of one form.
func (t *Tree) address() (names [][]string, byContent bool) {
	look := func(s stash.Step) {
		if s.Key != nil && names == nil {
			names = KeyNames(s.Key)
		}
		byContent = byContent || s.Content != nil
	}
	for _, e := range t.elements {
		look(e.step)
	}
	for _, i := range t.order {
		look(i.Step)
	}
	return names, byContent
}
