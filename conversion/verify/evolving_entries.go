package verify

import (
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// entries are those that the stored object has in the stashes of a version.
func (e *evolving) entries(of string) []*tree.Value {
	var all []*tree.Value
	for _, name := range []string{of, of + ".status"} {
		stash := e.object.Get("metadata").Get("annotations").Get("stash.crosswalk.dev/" + name)
		if stash == nil {
			continue
		}
		if v, err := tree.Parse([]byte(stash.Text)); err == nil && v.Get("entries") != nil {
			all = append(all, v.Get("entries").Items...)
		}
	}
	return all
}

// hasKept says whether the stored object has kept something for a version.
func (e *evolving) hasKept(version string) bool { return len(e.entries(version)) > 0 }

// guarded is where an entry with a guard is at a place, around it or in it: it holds
// only as long as the hub is what it was. It is nil where there is none.
func (e *evolving) guarded(at tree.Path) tree.Path {
	for _, entry := range e.entries(e.owner) {
		if entry.Get("guard") == nil {
			continue
		}
		var way []string
		for _, step := range entry.Get("at").Items {
			if step.Kind == tree.String {
				way = append(way, step.Text)
			}
		}
		n := 0
		for i, step := range at {
			switch {
			case step.IsIndex:
			case n < len(way) && step.Name == way[n]:
				if n++; n == len(way) {
					return at[:i+1]
				}
			default:
				n = len(way) + 1
			}
		}
		if n <= len(way) {
			return at
		}
	}
	return nil
}

// guardedIn says whether what was kept at a place is part of what has a guard where
// something stands now: that counts only if it changes nothing.
func (e *evolving) guardedIn(at tree.Path, liveNow *tree.Value) bool {
	entry := e.guarded(at)
	return entry != nil && liveNow.At(entry) != nil
}
