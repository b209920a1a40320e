package complement

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// Go code may compute a field of any others, so no guard can cover what it reads. An entry is valid
// if its guard is, and if the source is the view beside which the entry was written: the mark of
// its stash has a hash of that view. Otherwise someone has edited the view, and the entry has to be
// proved, too.

// isCode reports whether Go code converts.
func (s *Step) isCode() bool { return s.Plan.Root.IsCode }

// markOf returns the mark of the entries that are written beside a view.
func (r *run) markOf(view *tree) string {
	if !r.step.isCode() {
		return r.step.mark()
	}
	return string(view.viewHash().text([]byte(r.step.mark() + ".")))
}

// by reports whether the entries with a mark were written by another table, or another release of
// the code, and whether code has written them beside this very source.
func (r *run) by(mark []byte) (earlier, beside bool) {
	if !r.step.isCode() {
		return mark != nil && string(mark) != r.step.mark(), false
	}
	if r.sourceMark == "" {
		r.sourceMark = r.markOf(&r.source)
	}
	i := bytes.LastIndexByte(mark, '.')
	if i < 0 {
		return mark != nil, false
	}
	return string(mark[:i]) != r.step.mark(), string(mark[i:]) == r.sourceMark[len(r.step.mark()):]
}

// viewHash returns the hash of everything that a conversion may change in an object: all fields but
// its type, and of its metadata only labels and annotations, without Crosswalk's own.
func (t *tree) viewHash() hash {
	var text []byte
	add := func(around string, id int32) {
		if h := t.hash(id); h != absent {
			text = appendHash(append(append(append(text, around...), t.name(id)...), 0), h)
		}
	}
	for _, id := range t.sorted(0) {
		switch string(t.name(id)) {
		case "apiVersion", "kind":
		case "metadata":
			for _, name := range [...]string{"annotations", "labels"} {
				if in := t.child(id, []byte(name)); in != none {
					for _, m := range t.sorted(in) {
						if !stash.IsOurs(string(t.name(m))) {
							add(name+".", m)
						}
					}
				}
			}
		default:
			add("", id)
		}
	}
	return sum(text)
}

// sorted returns the values inside a value: members in the order of their names.
func (t *tree) sorted(id int32) []int32 {
	all := t.elements(id)
	if t.nodes[id].kind == object {
		slices.SortFunc(all, func(a, b int32) int { return bytes.Compare(t.name(a), t.name(b)) })
	}
	return all
}
