package conversion

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/engine"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/graft"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// maxForced is how many groups of an object's entries are forced at most.
const maxForced = 32

// forced is the object in its owner's version with what entries say even where
// something else stands, if the other version shows the same of it. Those of which it
// does not are found by halves. untried is how many there was no room to try: half of all room is
// for what comes after.
func (c *renewal) forced(there []byte, entries []engine.Landing, owner string, shown []byte, version string) (as []byte, untried int) {
	var groups [][]engine.Landing
	for _, e := range entries {
		if e.Stands || !mayForce(e.Entry, c.root(owner)) {
			continue
		}
		last := len(groups) - 1
		if e.Guard != nil && last >= 0 && bytes.Equal(groups[last][0].Guard, e.Guard) && bytes.Equal(groups[last][0].Row, e.Row) {
			groups[last] = append(groups[last], e)
			continue
		}
		groups = append(groups, []engine.Landing{e})
	}
	if len(groups) == 0 {
		return there, 0
	}
	shows := func(there []byte) []byte {
		back, _, err := c.way(there, owner, version)
		if err != nil {
			return nil
		}
		return c.plain(back, version)
	}
	want, wantHub := shows(there), []byte(nil)
	if want == nil {
		return there, 0
	}
	if ours := object.ReadHead(shown).Ours; owner != c.hub && (ours[stash.Prefix+c.hub] != "" || ours[stash.Prefix+c.hub+stash.StatusSuffix] != "") {
		wantHub = c.plainHub(there, owner) // it holds more than is shown
	}
	try := func(groups [][]engine.Landing, around bool) bool {
		var t graft.Tree
		for _, group := range groups {
			for _, e := range group {
				t.Force(e.Entry)
				if around && e.Around > 0 {
					t.Force(stash.Entry{At: e.At[:len(e.At)-e.Around]})
				}
			}
		}
		as := t.Into(there, c.root(owner))
		if !bytes.Equal(shows(as), want) || wantHub != nil && !bytes.Equal(c.plainHub(as, owner), wantHub) {
			return false
		}
		there = as
		return true
	}
	tries := 0
	var force func(groups [][]engine.Landing)
	force = func(groups [][]engine.Landing) {
		if tries == maxForced || c.spent > c.room/2 {
			for _, group := range groups {
				untried += len(group)
			}
			return
		}
		tries++
		if c.spend(len(there) / copying); try(groups, true) || try(groups, false) {
			return
		}
		if half := len(groups) / 2; half > 0 {
			force(groups[:half])
			force(groups[half:])
		}
	}
	force(groups)
	return there, untried
}

// mayForce reports whether an entry is about a place that conversion may write. Of
// metadata that is labels and annotations, which are texts.
func mayForce(e stash.Entry, root *schema.Schema) bool {
	for _, s := range e.At[:1] {
		if string(s.Name) == "apiVersion" || string(s.Name) == "kind" {
			return false
		}
		if string(s.Name) != "metadata" {
			return true
		}
	}
	if len(e.At) != 3 || e.Order != nil || !slices.Contains([]string{"labels", "annotations"}, string(e.At[1].Name)) || stash.IsOurs(string(e.At[2].Name)) {
		return false
	}
	of := root.Members["metadata"].Members[string(e.At[1].Name)].Values
	return e.Value == nil || of.Holds(e.Value)
}
