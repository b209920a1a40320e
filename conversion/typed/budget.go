package typed

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// The budget is that of tables (conversion/internal/engine/budget.go): all
// annotations together have 256 KiB (TotalAnnotationSizeLimitB in
// k8s.io/apimachinery/pkg/api/validation), of which stashes take half at most. Some
// is for their names, and for the mark of what was left out.
const (
	maxAnnotations = 256 << 10
	maxStashes     = 128 << 10
	reservedBytes  = 4 << 10
	maxNamed       = 16
	maxMark        = 3 << 10
)

// stashes are our annotations: what only the version from has, as far as there is
// room beside everybody's annotations, and what belongs to others.
func (h *head) stashes(from string, annotations map[string]any, entries []stash.Entry, notes *conversion.Notes) map[string]string {
	ours := h.foreign
	total := sizeOf(annotations)
	for name, text := range ours {
		total += len(name) + len(text)
	}
	writers := [2]stash.Writer{}
	for _, e := range entries {
		writers[side(e)].Add(e)
	}
	if left := fit(&writers, min(maxAnnotations-total, maxStashes)-reservedBytes); len(left) > 0 {
		h.left = left
		notes.LeftOut += len(left)
		notes.Residuals -= len(left)
		var paths []string
		for _, at := range left {
			paths = append(paths, string(stash.AppendPath(nil, at)))
		}
		mark := []string{from + ": " + named(paths)}
		if before := ours[stash.Incomplete]; before != "" {
			mark = append([]string{before}, mark...)
		}
		ours[stash.Incomplete] = strings.Join(mark, "; ")
	}
	for i, suffix := range []string{"", stash.StatusSuffix} {
		if !writers[i].Empty() {
			ours[stash.Prefix+from+suffix] = string(writers[i].Text())
		}
	}
	return ours
}

// side is 1 for what is part of the status, which has a stash of its own.
func side(e stash.Entry) int {
	if e.OfStatus() {
		return 1
	}
	return 0
}

// fit leaves the largest entries out until the rest has room, and gives their places.
func fit(writers *[2]stash.Writer, room int) [][]stash.Step {
	size := func() int { return writers[0].Size() + writers[1].Size() }
	if size() <= max(room, 0) {
		return nil
	}
	type candidate struct{ writer, entry, size int }
	var largest []candidate
	for i := range writers {
		for entry := range writers[i].Len() {
			largest = append(largest, candidate{i, entry, writers[i].SizeOf(entry)})
		}
	}
	slices.SortStableFunc(largest, func(a, b candidate) int { return cmp.Compare(b.size, a.size) })
	var left [][]stash.Step
	for _, c := range largest {
		if size() <= max(room, 0) {
			break
		}
		writers[c.writer].LeaveOut(c.entry)
		left = append(left, writers[c.writer].At(c.entry))
	}
	return left
}

// named lists paths, as far as there is room in a mark.
func named(paths []string) string {
	shown, length := 0, 0
	for shown < min(len(paths), maxNamed) && length+len(paths[shown]) <= maxMark {
		length += len(paths[shown]) + 2
		shown++
	}
	text := strings.Join(paths[:shown], ", ")
	if more := len(paths) - shown; more > 0 {
		if shown > 0 {
			text += " and "
		}
		text += fmt.Sprintf("%d more", more)
	}
	return text
}
