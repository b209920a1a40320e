package typed

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// fate is what becomes of an entry.
type fate uint8

const (
	// taken: the place is again what it was.
	taken fate = iota
	// edited: something else stands there than was produced when it was kept.
	edited
	// gone: there is no such place.
	gone
)

// restore makes of a document that the code has produced what it was before, as far
// as nobody has changed what was produced, and says what became of each entry. The
// document is changed.
func restore(l layout, document map[string]any, entries []stash.Entry) []fate {
	r := restorer{layout: l}
	fates := make([]fate, len(entries))
	for i, e := range entries {
		fates[i] = gone
		if restorable(e) {
			fates[i] = r.take(document, e)
		}
	}
	for _, act := range r.values {
		act()
	}
	for _, act := range slices.Backward(r.orders) {
		act()
	}
	return fates
}

// restorable reports whether an entry is about something that a conversion may change:
// not the type, and of metadata only what the code may map, and a stash may hold.
func restorable(e stash.Entry) bool {
	if len(e.At) == 0 || e.At[0].Name == nil {
		return false
	}
	if string(e.At[0].Name) != "metadata" {
		return !reserved(string(e.At[0].Name))
	}
	if len(e.At) != 3 || !slices.Contains(mapped[:], string(e.At[1].Name)) || e.At[2].Name == nil || e.Order != nil {
		return false
	}
	name := string(e.At[2].Name)
	return !stash.IsOurs(name) && (e.Value == nil || valid(string(e.At[1].Name), name, decode(e.Value)))
}

func reserved(name string) bool { return name == "apiVersion" || name == "kind" || name == "metadata" }

// restorer puts back what a stash has kept. It waits until every entry has found its
// place in the document as it was produced. Lists come last, the innermost first.
type restorer struct {
	layout         layout
	values, orders []func()
}

// place is where a value stands, and how to put another there.
type place struct {
	value any
	names []string
	set   func(any)
	// inside gives the object at the place when something is put into it, which it
	// makes if there is none.
	inside func() map[string]any
}

// take finds the place of an entry. Where there is none, what the entry belongs to
// has gone, and the entry goes with it.
func (r *restorer) take(document map[string]any, e stash.Entry) fate {
	at := place{value: document}
	for _, step := range e.At {
		next, found := r.step(at, step)
		if !found {
			return gone
		}
		at = next
	}
	if list, ok := at.value.([]any); ok && e.Order != nil {
		r.orders = append(r.orders, func() { at.set(r.complete(at.names, list, e.Order)) })
		return taken
	}
	if e.Order != nil || !holds(e.Guard, at.value) {
		return edited
	}
	var value any = nothing{}
	if e.Value != nil {
		value = decode(e.Value)
	}
	r.values = append(r.values, func() { at.set(value) })
	return taken
}

// holds reports whether a guard matches what stands at a place. Without one an entry
// fills an absence, and no more. Earlier releases wrote guards for that, too.
func holds(kept []byte, now any) bool {
	if kept == nil || bytes.Equal(kept, guard(orphan{})) {
		return missing(now)
	}
	return bytes.Equal(kept, guard(now))
}

// step goes into a value. It finds a member that is missing, too, where something may
// be put.
func (r *restorer) step(at place, step stash.Step) (place, bool) {
	if step.Name != nil {
		return at.member(string(step.Name))
	}
	list, ok := at.value.([]any)
	if !ok {
		return place{}, false
	}
	steps := byContent(list)
	if step.Key != nil {
		if steps, ok = r.layout.address(at.names, list); !ok {
			return place{}, false
		}
	}
	i := slices.IndexFunc(steps, func(s stash.Step) bool { return s.Same(step) })
	if i < 0 {
		return place{}, false
	}
	return place{value: list[i], names: at.names, set: func(v any) {
		if !missing(v) { // no conversion writes that an element is missing
			list[i] = v
		}
	}}, true
}

func (at place) member(name string) (place, bool) {
	object, ok := at.value.(map[string]any)
	if !ok && !missing(at.value) {
		return place{}, false
	}
	inside := at.inside
	if ok {
		inside = func() map[string]any { return object }
	}
	return place{
		value: member(object, name),
		names: append(at.names[:len(at.names):len(at.names)], name),
		set: func(v any) {
			if missing(v) {
				delete(inside(), name)
				return
			}
			inside()[name] = v
		},
		inside: func() map[string]any {
			made, ok := inside()[name].(map[string]any)
			if !ok { // there is none yet, not even from another entry
				made = map[string]any{}
				inside()[name] = made
			}
			return made
		},
	}, true
}

// complete gives a list those elements that the code has left out, each behind the
// one behind which it stood. One whose key somebody has given to another since is
// gone.
func (r *restorer) complete(names []string, list []any, order []stash.Item) []any {
	steps, ok := r.layout.address(names, list)
	if !ok {
		return list
	}
	has := func(step stash.Step) bool {
		return slices.ContainsFunc(steps, func(s stash.Step) bool { return s.Same(step) })
	}
	behind, last := map[string][]any{}, ""
	for _, item := range order {
		if item.Value == nil {
			if has(item.Step) {
				last = string(item.Step.Key)
			}
			continue
		}
		element := decode(item.Value)
		if key, ok := r.layout.address(names, []any{element}); ok && !has(key[0]) {
			behind[last] = append(behind[last], element)
		}
	}
	whole := slices.Clone(behind[""])
	for i, element := range list {
		whole = append(append(whole, element), behind[string(steps[i].Key)]...)
	}
	return whole
}
