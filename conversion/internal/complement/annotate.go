package complement

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

const (
	// maxAnnotations is how much the names and values of all annotations may take together:
	// TotalAnnotationSizeLimitB in k8s.io/apimachinery/pkg/api/validation. The API server refuses
	// an object beyond it, even on a read.
	maxAnnotations = 256 << 10
	// maxStashes is what the stashes of one conversion may take of that.
	maxStashes = 128 << 10
	// reserved is for the names of our annotations and the mark of what was left out.
	reserved = 4 << 10
	// maxNamed is how many paths the mark names, and maxMark how many bytes of them: keys and names
	// in a path can be long.
	maxNamed = 16
	maxMark  = 3 << 10
)

// annotate writes the stashes into the view's annotations, as far as there is room: that of the source's
// version, and what could not be placed for the view's own. The largest entries are left out first, and
// the mark names them: an object that has lost a part is bad, but one that nobody can read any more is
// worse.
func (r *run) annotate() {
	mark := r.there.Mark
	r.result.Kept = r.own[0].Len() + r.own[1].Len()
	r.handOn()
	if r.own[0].Empty() && r.own[1].Empty() && len(r.unplaced)+len(mark) == 0 {
		return
	}
	var unplaced [2]stash.Writer
	for _, e := range r.unplaced {
		unplaced[fileOf(e)].Add(e)
	}
	others := r.annotationsSize() + len(mark)
	room := max(0, min(maxAnnotations-others, maxStashes)-reserved)
	for _, of := range [...]struct {
		side    plan.Side
		writers *[2]stash.Writer
	}{{r.step.From, &r.own}, {r.step.From.Other(), &unplaced}} {
		version := r.step.Plan.Versions[of.side]
		for i := range of.writers {
			of.writers[i].Table = r.step.mark()
			of.writers[i].Sort()
		}
		named, leftOut := fit(of.writers, room)
		r.result.LeftOut += leftOut
		if of.side == r.step.From {
			r.result.Kept = max(0, r.result.Kept-leftOut)
		}
		if leftOut > 0 {
			line := append([]byte(version+": "), named...)
			if others+len(stash.Incomplete)+len("; ")+len(line) <= maxAnnotations {
				if len(mark) > 0 {
					mark = append(slices.Clone(mark), "; "...)
				}
				mark = append(mark, line...)
			}
		}
		for i, suffix := range [...]string{"", stash.StatusSuffix} {
			w := &of.writers[i]
			if room -= w.Size(); !w.Empty() {
				r.text = w.AppendText(r.text[:0])
				r.annotation(stash.Prefix+version+suffix, r.text)
			}
		}
	}
	if len(mark) > 0 {
		r.annotation(stash.Incomplete, mark)
	}
}

// handOn keeps the entries that the source has for its own version: those of other tables that could
// not be placed in it, and which conversion hands on until they can.
func (r *run) handOn() {
	var ignored int
	entries := r.read(nil, r.there.Own, &ignored)
	if len(entries) == 0 {
		return
	}
	isNew := map[string]bool{}
	for i := range r.own {
		for entry := range r.own[i].Len() {
			isNew[placeText(r.own[i].At(entry))] = true
		}
	}
	for _, e := range entries {
		if e.earlier && !isNew[placeText(e.At)] {
			r.keep(e.Entry)
		}
	}
}

// annotation writes an annotation of the view.
func (r *run) annotation(name string, text []byte) {
	id := int32(0)
	for _, in := range [...]string{"metadata", "annotations"} {
		child := r.view.child(id, []byte(in))
		if child == none || r.view.nodes[child].kind != object {
			child = r.view.put(id, []byte(in), []byte("{}"))
			if kind := r.view.child(id, []byte("kind")); id == 0 && kind != none {
				r.view.moveBehind(child, kind) // where people look for it
			}
		}
		id = child
	}
	r.view.putText(id, []byte(name), text)
}

// annotationsSize is at least what the view's annotations take: their JSON is never shorter than
// their text.
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

// fit leaves the largest entries out until the rest has room. It names them, and says how many there
// are.
func fit(writers *[2]stash.Writer, room int) (named []byte, leftOut int) {
	size := func() int { return writers[0].Size() + writers[1].Size() }
	if size() <= room {
		return nil, 0
	}
	type candidate struct{ writer, entry, size int }
	var largest []candidate
	for i := range writers {
		for entry := range writers[i].Len() {
			largest = append(largest, candidate{i, entry, writers[i].SizeOf(entry)})
		}
	}
	slices.SortStableFunc(largest, func(a, b candidate) int { return cmp.Compare(b.size, a.size) })
	shown := 0
	for _, c := range largest {
		if size() <= room {
			break
		}
		at := writers[c.writer].LeaveOut(c.entry)
		leftOut++
		if shown < leftOut-1 || shown == maxNamed {
			continue
		}
		before := len(named)
		if shown > 0 {
			named = append(named, ", "...)
		}
		if named = appendPath(named, at); len(named) > maxMark {
			named = named[:before]
			continue
		}
		shown++
	}
	if leftOut > shown {
		if shown > 0 {
			named = append(named, " and "...)
		}
		named = append(strconv.AppendInt(named, int64(leftOut-shown), 10), " more"...)
	}
	return named, leftOut
}

// appendPath writes the path of an entry for people.
func appendPath(dst []byte, at []stash.Step) []byte {
	for _, s := range at {
		switch {
		case s.Key != nil:
			dst = append(append(append(dst, '['), s.Key...), ']')
		case s.Part != nil: // the path is the same in all alternatives
		case s.Content != nil:
			dst = append(dst, "[…]"...)
		default:
			dst = append(dst, path.Path{string(s.Name)}.String()...)
		}
	}
	return dst
}
