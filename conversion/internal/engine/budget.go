package engine

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

const (
	// maxAnnotations is how much the names and values of all annotations may
	// take together: TotalAnnotationSizeLimitB in
	// k8s.io/apimachinery/pkg/api/validation. The API server refuses an object
	// beyond it, even on a read.
	maxAnnotations = 256 << 10
	// maxStashes is what the stashes of one conversion may take of that.
	maxStashes = 128 << 10
	// maxWritten is how much is written of stashes before the largest entries are left
	// out of them. What comes then is left out in any case: entries in lists in lists
	// are as long as these are deep.
	maxWritten = 16 << 20
	// reserved is for the names of our annotations and the mark of what was
	// left out.
	reserved = 4 << 10
	// maxNamed is how many paths the mark names, and maxMark how many bytes
	// of them: keys and names in a path can be long.
	maxNamed = 16
	maxMark  = 3 << 10
)

// fit leaves the largest entries out until the annotations of the target are
// within the limits, and notes which in c.mark. An object that has lost a part
// is bad, but one that nobody can read any more is worse.
func (c *conversion) fit(target int32) {
	size := c.outgoing[0].Size() + c.outgoing[1].Size()
	if size == 0 && len(c.unkept) == 0 {
		return
	}
	others := c.otherAnnotations(target)
	room := max(0, min(maxAnnotations-others, maxStashes)-reserved)
	if size <= room && len(c.unkept) == 0 {
		return
	}
	type candidate struct{ writer, entry, size int }
	var largest []candidate
	for i := range c.outgoing {
		for entry := range c.outgoing[i].Len() {
			largest = append(largest, candidate{i, entry, c.outgoing[i].SizeOf(entry)})
		}
	}
	slices.SortStableFunc(largest, func(a, b candidate) int { return b.size - a.size })
	var left []byte
	named, shown := 0, 0
	name := func(at []stash.Step) {
		named++
		if shown < named-1 || shown == maxNamed {
			return
		}
		before := len(left)
		if shown > 0 {
			left = append(left, ", "...)
		}
		if left = appendPath(left, at); len(left) > maxMark {
			left = left[:before]
			return
		}
		shown++
	}
	for _, at := range c.unkept {
		name(at)
	}
	for _, entry := range largest {
		c.caller.Work(1)
		if c.outgoing[0].Size()+c.outgoing[1].Size() <= room {
			break
		}
		w := &c.outgoing[entry.writer]
		w.LeaveOut(entry.entry)
		name(w.At(entry.entry))
		c.counts.Residuals--
	}
	named += c.others
	c.counts.LeftOut += named
	if named > shown {
		if shown > 0 {
			left = append(left, " and "...)
		}
		left = strconv.AppendInt(left, int64(named-shown), 10)
		left = append(left, " more"...)
	}
	own := append([]byte(c.job.Plan.Versions[c.job.From]+": "), left...)
	if others+len(stash.Incomplete)+len("; ")+len(own) > maxAnnotations {
		return // there is no room even for the mark
	}
	if len(c.mark) > 0 {
		c.mark = append(c.mark, "; "...)
	}
	c.mark = append(c.mark, own...)
}

// leave notes what is left out before anything is written of it.
func (c *conversion) leave(at []stash.Step) {
	if c.unaddressed = false; len(c.unkept) < maxNamed {
		c.unkept = append(c.unkept, at)
	} else {
		c.others++
	}
}

// otherAnnotations is at least what the annotations of the target but the new
// stashes take. Their JSON is never shorter than their text.
func (c *conversion) otherAnnotations(target int32) int {
	s := c.peek(target, plan.Annotations)
	total := len(c.mark)
	if s.state == object {
		for r := s.first; r != none; r = c.runs[r].next {
			total += len(c.runs[r].text)
		}
		for _, child := range c.nodes(target)[plan.Annotations].Children {
			if a := c.peek(target, child); a.state == raw {
				total += len(a.text) + len(c.nodes(target)[child].Name)
			}
		}
	}
	return total
}

// readMark takes over what an earlier step of this conversion left out, for
// versions that this step has nothing to do with. text is the inside of a JSON
// string.
func (c *conversion) readMark(text []byte) {
	versions := &c.job.Plan.Versions
	for _, part := range bytes.Split(jsontext.Unquote(nil, text), []byte("; ")) {
		owner, _, _ := bytes.Cut(part, []byte(": "))
		if string(owner) == versions[0] || string(owner) == versions[1] {
			continue
		}
		if len(c.mark) > 0 {
			c.mark = append(c.mark, "; "...)
		}
		c.mark = append(c.mark, part...)
	}
}

// appendPath writes the path of an entry for people.
func appendPath(dst []byte, at []stash.Step) []byte {
	for _, s := range at {
		switch {
		case s.Key != nil:
			dst = append(dst, '[')
			dst = append(dst, s.Key...)
			dst = append(dst, ']')
		case s.Content != nil:
			dst = append(dst, "[…]"...)
		default:
			dst = append(dst, path.Path{string(s.Name)}.String()...)
		}
	}
	return dst
}
