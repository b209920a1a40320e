package typed

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// remainder finds what makes of a document, as the code has produced it, the
// document that it was.
type remainder struct {
	layout  layout
	entries []stash.Entry
}

// difference gives the entries that make is of produced. Each is guarded by what was
// produced at its place, so that an edit there counts.
func difference(l layout, is, produced any) []stash.Entry {
	r := remainder{layout: l}
	r.value(nil, nil, is, produced)
	return r.entries
}

// value compares what stands at a place, of which names are the names that lead to
// it.
func (r *remainder) value(at []stash.Step, names []string, is, produced any) {
	if missing(is) && missing(produced) || !missing(is) && !missing(produced) && same(is, produced) {
		return
	}
	switch is := is.(type) {
	case map[string]any:
		if produced, ok := produced.(map[string]any); ok {
			r.members(at, names, is, produced)
			return
		}
		// The types may be such that nothing was written because nothing was in it.
		if missing(produced) && len(is) > 0 && r.layout.isFields(names) {
			r.members(at, names, is, nil)
			return
		}
	case []any:
		if produced, ok := produced.([]any); ok && r.elements(at, names, is, produced) {
			return
		}
	}
	r.keep(at, is, produced)
}

// keep adds an entry for all that stands at a place. Where nothing was produced it
// needs no guard, and is as a table would keep a place that the other version lacks:
// who moves from code to a table, or back, loses nothing of it.
func (r *remainder) keep(at []stash.Step, is, produced any) {
	e := stash.Entry{At: slices.Clone(at)}
	if !missing(produced) {
		e.Guard = guard(produced)
	}
	if !missing(is) {
		e.Value = appendJSON(nil, is)
	}
	r.entries = append(r.entries, e)
}

func (r *remainder) members(at []stash.Step, names []string, is, produced map[string]any) {
	all := slices.AppendSeq(slices.Collect(maps.Keys(is)), maps.Keys(produced))
	slices.Sort(all)
	for _, name := range slices.Compact(all) {
		r.value(append(at, stash.Step{Name: []byte(name)}), append(names, name), member(is, name), member(produced, name))
	}
}

// member is what an object has under a name. nil stands for no object.
func member(m map[string]any, name string) any {
	if m == nil {
		return orphan{}
	}
	if value, there := m[name]; there {
		return value
	}
	return nothing{}
}

// elements compares lists element by element, and reports whether it could.
func (r *remainder) elements(at []stash.Step, names []string, is, produced []any) bool {
	if steps, ok := r.layout.address(names, produced); ok {
		if own, ok := r.layout.address(names, is); ok {
			return r.keyed(at, names, is, produced, own, steps)
		}
	}
	if len(is) != len(produced) {
		return false
	}
	steps := byContent(produced)
	for i := range is {
		r.value(append(at, steps[i]), names, is[i], produced[i])
	}
	return true
}

// keyed compares elements that have keys. What the code has left out is kept with
// the place at which it stood; where it has put anything elsewhere, or added
// something, the list is kept as a whole.
func (r *remainder) keyed(at []stash.Step, names []string, is, produced []any, own, steps []stash.Step) bool {
	var order []stash.Item
	next, missing := 0, false
	for i := range is {
		if next < len(steps) && own[i].Same(steps[next]) {
			order = append(order, stash.Item{Step: own[i]})
			next++
			continue
		}
		order = append(order, stash.Item{Value: appendJSON(nil, is[i])})
		missing = true
	}
	if next < len(steps) {
		return false
	}
	if missing {
		r.entries = append(r.entries, stash.Entry{At: slices.Clone(at), Order: order})
	}
	next = 0
	for i := range is {
		if next < len(steps) && own[i].Same(steps[next]) {
			r.value(append(at, own[i]), names, is[i], produced[next])
			next++
		}
	}
	return true
}

// byContent tells elements apart by what is in them, and equal ones by their order.
func byContent(elements []any) []stash.Step {
	steps, seen := make([]stash.Step, len(elements)), map[string]int{}
	for i, element := range elements {
		content := guard(element)
		steps[i] = stash.Step{Content: content, Nth: seen[string(content)]}
		seen[string(content)]++
	}
	return steps
}
