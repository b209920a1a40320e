package complement

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

const (
	// maxAnnotations is the maximal size of the names and values of all annotations together:
	// TotalAnnotationSizeLimitB in k8s.io/apimachinery/pkg/api/validation. The API server rejects a
	// larger object, even on a read.
	maxAnnotations = 256 << 10
	// maxStashes is how much of that the stashes of one conversion may take.
	maxStashes = 128 << 10
	// reserved is for the names of Crosswalk's annotations and the paths of what was left out.
	reserved = 4 << 10
)

// annotate writes the stashes into the view's annotations, as far as there is room: that of the
// source's version, and for the view's own version what could not be placed. The largest entries
// are left out first, and an annotation names them. An object that has lost a part is bad, but one
// that nobody can read is worse.
func (r *run) annotate() {
	mark := r.there.Mark
	own := r.own.len() + r.own.leftOut
	r.handOn()
	if r.own.isEmpty() && len(r.unplaced)+len(mark) == 0 {
		return
	}
	var unplaced bundle
	for _, e := range r.unplaced {
		unplaced.add(e, nil)
	}
	others := r.annotationsSize() + len(mark)
	room := max(0, min(maxAnnotations-others, maxStashes)-reserved)
	for _, of := range [...]struct {
		side    plan.Side
		entries *bundle
	}{{r.step.From, &r.own}, {r.step.From.Other(), &unplaced}} {
		version := r.step.Plan.Versions[of.side]
		of.entries.close(r.markOf(&r.view), room)
		r.result.LeftOut += of.entries.leftOut
		if of.entries.leftOut > 0 {
			line := append([]byte(version+": "), of.entries.names()...)
			if others+len(stash.Incomplete)+len("; ")+len(line) <= maxAnnotations {
				if len(mark) > 0 {
					mark = append(slices.Clone(mark), "; "...)
				}
				mark = append(mark, line...)
			}
		}
		for i, suffix := range [...]string{"", stash.StatusSuffix} {
			w := &of.entries.writers[i]
			if room -= w.Size(); !w.Empty() {
				r.text = w.AppendText(r.text[:0])
				r.annotation(stash.Prefix+version+suffix, r.text)
			}
		}
	}
	r.result.Kept = max(0, own-r.own.leftOut)
	if len(mark) > 0 {
		r.annotation(stash.Incomplete, mark)
	}
}

// handOn keeps the entries that the source has for its own version: another table wrote them, and
// they could not be placed. They are handed on until they can be placed.
func (r *run) handOn() {
	var ignored int
	entries := r.read(nil, r.there.Own, &ignored)
	if len(entries) == 0 {
		return
	}
	isNew := map[string]bool{}
	for i := range r.own.writers {
		w := &r.own.writers[i]
		for entry := range w.Len() {
			isNew[placeText(w.At(entry))] = true
		}
	}
	for _, e := range entries {
		if e.earlier && !isNew[placeText(e.At)] {
			r.own.add(e.Entry, nil)
		}
	}
}

// annotation writes an annotation of the view. Metadata and annotations that are empty are made anew: on
// the way back they are removed, and the next time the same bytes are made.
func (r *run) annotation(name string, text []byte) {
	path := []string{"metadata", "annotations"}
	for depth := len(path); depth > 0; depth-- {
		if at := r.view.at(0, path[:depth]); at != none {
			r.view.removeEmpty(at)
		}
	}
	id := int32(0)
	for _, in := range path {
		child := r.view.child(id, []byte(in))
		if child == none || r.view.nodes[child].kind != object {
			child = r.view.put(id, []byte(in), []byte("{}"))
			if kind := r.view.child(id, []byte("kind")); id == 0 && kind != none {
				r.view.moveBehind(child, kind) // people look for it there
			}
		}
		id = child
	}
	r.view.putText(id, []byte(name), text)
}

// annotationsSize returns a lower bound for the size of the view's annotations: their JSON is never
// shorter than their text.
func (r *run) annotationsSize() (size int) {
	at := r.view.at(0, []string{"metadata", "annotations"})
	if at != none {
		r.view.each(at, func(id int32) bool {
			size += len(r.view.name(id)) + len(r.view.value(id))
			return true
		})
	}
	return size
}
