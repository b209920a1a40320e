package verify

import (
	"strings"

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

// guarded says whether what was kept at a place, around it or in it holds only as long
// as the hub is what it was.
func (e *evolving) guarded(at tree.Path) bool {
	var names []string
	for _, step := range at {
		if !step.IsIndex {
			names = append(names, step.Name)
		}
	}
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
		n := min(len(names), len(way))
		if strings.Join(names[:n], "\x00") == strings.Join(way[:n], "\x00") {
			return true
		}
	}
	return false
}
