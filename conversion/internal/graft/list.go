package graft

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

func stepKey(s stash.Step) string {
	switch {
	case s.Name != nil:
		return "name " + string(s.Name)
	case s.Key != nil:
		return "key " + string(s.Key)
	case s.Part != nil:
		return "part " + string(s.Part)
	}
	return "content " + string(s.Content) + " " + strconv.Itoa(s.Nth)
}

// item is an element of a list, and the steps that lead to it.
type item struct {
	text  []byte
	steps []string
}

// list is inside for a list.
func (t *Tree) list(text []byte, of *schema.Schema) []byte {
	var items *schema.Schema
	if of != nil {
		items = of.Items
	}
	names, byContent := t.address()
	count := map[string]int{}
	var all []item
	Elements(text, func(value []byte) {
		e := item{text: value}
		if key := KeyIn(value, names, items); key != nil {
			e.steps = append(e.steps, stepKey(stash.Step{Key: key}))
		}
		if byContent {
			content := contentOf(value, items)
			e.steps = append(e.steps, stepKey(stash.Step{Content: content, Nth: count[string(content)]}))
			count[string(content)]++
		}
		in := t.alone()
		if len(all) > 0 {
			in = nil
		}
		for _, step := range e.steps {
			if i, ok := t.index[step]; ok && in == nil {
				in = t.elements[i].in
			}
		}
		if in != nil {
			if e.text = in.Into(value, items); e.text == nil {
				return
			}
		}
		all = append(all, e)
	})
	if t.order != nil {
		all = ordered(all, t.order)
	}
	out := []byte{'['}
	for i, e := range all {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, e.text...)
	}
	return append(out, ']')
}

// address finds out how elements are told apart: one list has keys of one form.
func (t *Tree) address() (names [][]byte, byContent bool) {
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

// ordered puts elements where they stood. If they stood under names, those of the
// order come first; else each whole element comes behind the one before it.
func ordered(all []item, order []stash.Item) []item {
	name, named := nameOf(all, order)
	at := map[string]int{}
	if len(all) > 0 && !named {
		at[stepKey(stash.Step{Name: []byte{}})] = 0 // what stands alone is the first
	}
	for i := len(all) - 1; i >= 0; i-- {
		for _, step := range all[i].steps {
			at[step] = i
		}
		if text, ok := memberText(all[i].text, name); named && ok {
			at[stepKey(stash.Step{Name: text})] = i
		}
	}
	used := make([]bool, len(all))
	for _, o := range order {
		if i, ok := at[stepKey(o.Step)]; ok && o.Value == nil {
			used[i] = true
		}
	}
	// Whole elements may be there already.
	whole := map[string][]int{}
	for i := range all {
		if !used[i] {
			text := string(schema.Canonical(nil, all[i].text, nil))
			whole[text] = append(whole[text], i)
		}
	}
	clear(used)
	var sorted []item
	behind := map[int][]item{}
	last := -1
	for _, o := range order {
		if o.Value != nil {
			if there := whole[string(o.Value)]; len(there) > 0 {
				whole[string(o.Value)] = there[1:]
				if named {
					used[there[0]] = true
				} else {
					continue
				}
			}
			if named {
				sorted = append(sorted, item{text: o.Value})
			} else {
				behind[last] = append(behind[last], item{text: o.Value})
			}
			continue
		}
		i, ok := at[stepKey(o.Step)]
		if !ok || used[i] {
			continue
		}
		last, used[i] = i, true
		if named {
			sorted = append(sorted, all[i])
		}
	}
	sorted = append(sorted, behind[-1]...)
	for i, e := range all {
		if !named || !used[i] {
			sorted = append(sorted, e)
		}
		sorted = append(sorted, behind[i]...)
	}
	return sorted
}

// nameOf finds the member under whose texts the elements stood in a map: the one
// that has most of the names, each once.
func nameOf(all []item, order []stash.Item) (member string, named bool) {
	names := map[string]bool{}
	for _, o := range order {
		if o.Step.Name != nil {
			names[string(o.Step.Name)] = true
		}
	}
	count := map[[2]string]int{}
	for _, e := range all {
		if e.text[0] != '{' {
			continue
		}
		Members(e.text, func(name, value []byte) {
			if value[0] == '"' {
				if text := string(jsontext.Unquote(nil, value[1:len(value)-1])); names[text] {
					count[[2]string{string(name), text}]++
				}
			}
		})
	}
	if _, alone := names[""]; alone && len(names) == 1 {
		return "", false // what stands alone has an empty name
	}
	hits := map[string]int{}
	for at, n := range count {
		if n == 1 {
			hits[at[0]]++
		}
	}
	for _, candidate := range slices.Sorted(maps.Keys(hits)) {
		if member == "" || hits[candidate] > hits[member] {
			member = candidate
		}
	}
	return member, len(hits) > 0
}

// memberText is the text of a member, if it has one.
func memberText(object []byte, member string) (text []byte, ok bool) {
	if object[0] == '{' {
		Members(object, func(name, value []byte) {
			if string(name) == member && value[0] == '"' {
				text, ok = jsontext.Unquote([]byte{}, value[1:len(value)-1]), true
			}
		})
	}
	return text, ok
}

// contentOf is what the engine tells elements without a key apart by
// (conversion/internal/engine/guard.go).
func contentOf(value []byte, of *schema.Schema) []byte {
	sum := sha256.Sum256(schema.Content(nil, value, of))
	return base64.RawURLEncoding.AppendEncode(nil, sum[:12])
}

// KeyNames are the names of the members of a key, nil where it is none.
func KeyNames(key []byte) [][]byte {
	var names [][]byte
	if len(key) > 0 && key[0] == '{' {
		Members(key, func(name, _ []byte) { names = append(names, name) })
	}
	return names
}

// KeyIn is the canonical key that an element has in these members, nil where it
// has none.
func KeyIn(element []byte, names [][]byte, of *schema.Schema) []byte {
	if len(names) == 0 || len(element) == 0 || element[0] != '{' {
		return nil
	}
	found := make([][]byte, len(names))
	for i, name := range names {
		if m := memberOf(of, name); m != nil {
			found[i] = m.Default
		}
	}
	Members(element, func(name, value []byte) {
		if i := slices.IndexFunc(names, func(n []byte) bool { return bytes.Equal(n, name) }); i >= 0 {
			found[i] = value
		}
	})
	text := []byte{'{'}
	for i, name := range names {
		if found[i] == nil {
			return nil
		}
		text = appendMember(text, name, found[i])
	}
	return schema.Canonical(nil, append(text, '}'), nil)
}

// Members calls f for each member of an object that is known to be valid JSON.
func Members(text []byte, f func(name, value []byte)) {
	var scan jsontext.Scanner
	scan.Reset(text)
	o := scan.Object(scan.Space(0))
	for {
		name, ok, err := o.Next()
		if err != nil || !ok {
			return
		}
		if o.End, err = scan.Value(o.Value, 0); err != nil {
			return
		}
		f(jsontext.Unquote([]byte{}, name.Bytes(text)), text[o.Value:o.End])
	}
}

// Elements calls f for each element of a list that is known to be valid JSON.
func Elements(text []byte, f func(value []byte)) {
	var scan jsontext.Scanner
	scan.Reset(text)
	a := scan.Array(scan.Space(0))
	for {
		ok, err := a.Next()
		if err != nil || !ok {
			return
		}
		if a.End, err = scan.Value(a.Value, 0); err != nil {
			return
		}
		f(text[a.Value:a.End])
	}
}
