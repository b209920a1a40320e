package graft

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// way is the last step of the way to what was found in a text, and the way before it. A
// step is the name of a member, or, if there is none, where an element stands. No more of
// it is written out than somebody asks for.
type way struct {
	before *way
	name   []byte
	nth    int
}

func (w *way) step() stash.Step { return stash.Step{Name: w.name, Nth: w.nth} }

// foundIn says that what comes to the i-th member of a tree has been found in a text.
func (t *Tree) foundIn(around *Tree, i int) *Tree {
	t.way, t.found = &way{before: around.way, name: around.members[i].name}, true
	return t
}

// foundAt is foundIn for an element of the list, by where that stands.
func (t *Tree) foundAt(list *Tree, position int) *Tree {
	t.way, t.found = &way{before: list.way, nth: position}, true
	return t
}

// Look has the tree look for a place in a text to which something comes, be it
// nothing. AppendFound is for what it returns.
func (t *Tree) Look(at []stash.Step) *Tree { return t.at(at) }

// LookForItems is Look for each element of a list that its order names, and that is not in
// a part.
func (t *Tree) LookForItems(list []stash.Step, order []stash.Item) (items []*Tree) {
	n := len(list)
	for n > 0 && list[n-1].Part != nil {
		n--
	}
	in, parts := t.at(list[:n]), list[n:]
	parts = slices.Clip(parts[max(0, len(parts)-1):]) // what comes behind it says what a part is
	for _, item := range order {
		element := &Tree{}
		if item.Value == nil && item.Part == nil {
			element = in.at(append(parts, item.Step))
		}
		items = append(items, element)
	}
	return items
}

// AppendFound appends the way to a place as it is now: to elements it goes by where they
// stand in their lists. It is false where there was no such place in the text.
func (t *Tree) AppendFound(dst []stash.Step) (steps []stash.Step, ok bool) {
	if !t.found {
		return dst, false
	}
	n := 0
	for w := t.way; w != nil; w = w.before {
		n++
	}
	steps = slices.Grow(dst, n)[:len(dst)+n]
	i := len(steps)
	for w := t.way; w != nil; w = w.before {
		i--
		steps[i] = w.step()
	}
	return steps, true
}

// FoundLast is the last step of what AppendFound appends. It is false where there is none.
func (t *Tree) FoundLast() (last stash.Step, ok bool) {
	if t.way == nil {
		return stash.Step{}, false
	}
	return t.way.step(), true
}
