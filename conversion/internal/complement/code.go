package complement

import (
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// Go code computes a field of whatever it likes, so that no guard can be over what it reads. An entry is valid
// without more if its guard holds and the source is what it was when the entry was made: the mark of its
// stash has a hash of that. Otherwise somebody has edited something, and it takes a proof, too.

// isCode reports whether Go code converts.
func (s *Step) isCode() bool { return s.Plan.Root.IsCode }

// markOf returns the mark of the entries that are made beside a view.
func (r *run) markOf(view *tree) string {
	if !r.step.isCode() {
		return r.step.mark()
	}
	return string(view.viewHash().text([]byte(r.step.mark() + ".")))
}

// by reports whether the entries with a mark are of another table, or of another release of the code, and
// whether the code has made them beside this very source.
func (r *run) by(mark []byte) (earlier, beside bool) {
	switch {
	case mark == nil || string(mark) == r.step.mark():
		return false, false
	case !r.step.isCode():
		return true, false
	case r.sourceMark == "":
		r.sourceMark = r.markOf(&r.source)
	}
	if string(mark) == r.sourceMark {
		return false, true
	}
	return !strings.HasPrefix(string(mark), r.step.mark()+"."), false
}

// viewHash returns the hash of what a conversion may change of an object: all but its type, and of its metadata
// labels and annotations alone, without those of Crosswalk.
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
