package conversion

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/graft"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// maxTrials is how many groups of entries are tried one by one. Each takes two
// conversions, and nobody may make that endless work.
const maxTrials = 16

// renewed is an object of which stashes were written by another table, with stashes
// that this one writes. Each goes to its owner and back: what nothing stands in the
// way of comes back at once, and what the object already shows in another way counts
// if it would be shown just so. What has a place in this version by now appears
// there. Where a trip fails, or something would be lost, the object stays as it is.
func (c *Converter) renewed(stored []byte, version string) []byte {
	ours := object.ReadHead(stored).Ours
	for _, owner := range c.owners(ours, version) {
		entries := c.outdated(ours, owner, version)
		if entries == nil {
			continue
		}
		there, counts, err := c.way(nil, stored, version, owner)
		if err != nil || counts.LeftOut > 0 {
			continue
		}
		there = c.forced(there, entries, owner, stored, version)
		back, counts, err := c.way(nil, there, owner, version)
		if err == nil && counts.LeftOut == 0 && c.losesNothing(stored, back, version, ours, owner) {
			stored, ours = back, object.ReadHead(back).Ours
		}
	}
	return stored
}

// losesNothing says whether an object has all that another one has, in its own
// version and in those that have stashes in it: what appears in an element without
// a key makes it another one.
func (c *Converter) losesNothing(before, after []byte, version string, ours map[string]string, owner string) bool {
	if !graft.Extends(c.plain(before, version), c.plain(after, version)) {
		return false
	}
	for _, other := range c.versions {
		if other == version || other == owner || ours[stash.Prefix+other] == "" && ours[stash.Prefix+other+stash.StatusSuffix] == "" {
			continue
		}
		was, _, err := c.way(nil, before, version, other)
		is, _, errNow := c.way(nil, after, version, other)
		if err != nil || errNow != nil || !graft.Extends(c.plain(was, other), c.plain(is, other)) {
			return false
		}
	}
	return true
}

// owners are the versions that have outdated stashes, in the order in which they are
// renewed: the hub, and then those of which the stash says the most by itself, with
// no regard to what stands elsewhere.
func (c *Converter) owners(ours map[string]string, version string) []string {
	guarded := map[string]int{c.hub: -1}
	var owners []string
	for _, owner := range c.versions {
		entries := c.outdated(ours, owner, version)
		if entries == nil {
			continue
		}
		owners = append(owners, owner)
		for _, e := range entries {
			if e.Guard != nil && owner != c.hub {
				guarded[owner]++
			}
		}
	}
	slices.SortStableFunc(owners, func(a, b string) int { return cmp.Compare(guarded[a], guarded[b]) })
	return owners
}

// outdated are the entries of a version's stashes if another table wrote them.
func (c *Converter) outdated(ours map[string]string, owner, version string) (entries []stash.Entry) {
	mark := c.marks[owner]
	if owner == c.hub {
		mark = c.marks[version]
	}
	if owner == version {
		return nil
	}
	outdated := false
	for _, suffix := range []string{"", stash.StatusSuffix} {
		all, table, err := stash.Read(entries, []byte(ours[stash.Prefix+owner+suffix]))
		if err == nil {
			entries, outdated = all, outdated || table != "" && table != mark
		}
	}
	if !outdated {
		return nil
	}
	return entries
}

// forced is the object in its owner's version with what entries say even where
// something else stands, if it would be shown in the other version as it is.
func (c *Converter) forced(there []byte, entries []stash.Entry, owner string, shown []byte, version string) []byte {
	var groups [][]stash.Entry
	ordered := slices.ContainsFunc(entries, func(e stash.Entry) bool { return e.Order != nil })
	for _, e := range entries {
		// The content of an element is no longer what it was without stashes, and
		// whole elements may have the keys of others.
		if !mayForce(e, c.root(owner)) || slices.ContainsFunc(e.At, func(s stash.Step) bool {
			return s.Content != nil || s.Part != nil || s.Key != nil && ordered
		}) || slices.ContainsFunc(e.Order, func(i stash.Item) bool {
			return i.Part != nil || i.Step.Name != nil && len(i.Step.Name) == 0 // a part, or what stands alone
		}) {
			continue
		}
		last := len(groups) - 1
		if e.Guard != nil && last >= 0 && bytes.Equal(groups[last][0].Guard, e.Guard) && bytes.Equal(groups[last][0].Row, e.Row) {
			groups[last] = append(groups[last], e)
			continue
		}
		groups = append(groups, []stash.Entry{e})
	}
	if len(groups) == 0 {
		return there
	}
	want, wantHub := c.plain(shown, version), []byte(nil)
	if ours := object.ReadHead(shown).Ours; ours[stash.Prefix+c.hub] != "" || ours[stash.Prefix+c.hub+stash.StatusSuffix] != "" {
		wantHub = c.plainHub(shown, version) // it holds more than is shown
	}
	try := func(groups ...[]stash.Entry) bool {
		var t graft.Tree
		for _, group := range groups {
			for _, e := range group {
				t.Force(e)
			}
		}
		as := t.Into(there, c.root(owner))
		back, _, err := c.way(nil, as, owner, version)
		if err != nil || !bytes.Equal(c.plain(back, version), want) || wantHub != nil && owner != c.hub && !bytes.Equal(c.plainHub(as, owner), wantHub) {
			return false
		}
		there = as
		return true
	}
	if try(groups...) {
		return there
	}
	for i := 0; len(groups) > 1 && i < min(len(groups), maxTrials); i++ {
		try(groups[i])
	}
	return there
}

// mayForce says whether an entry is about a place that conversion may write. Of
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

// root is the schema of a version.
func (c *Converter) root(version string) *schema.Schema {
	if version != c.hub {
		return c.plans[version].Root.Nodes[plan.Spoke][0].Schema
	}
	for _, spoke := range c.versions {
		if p := c.plans[spoke]; p != nil {
			return p.Root.Nodes[plan.Hub][0].Schema
		}
	}
	return nil
}

// plainHub is plain in the hub.
func (c *Converter) plainHub(text []byte, version string) []byte {
	there, _, err := c.way(nil, text, version, c.hub)
	if err != nil {
		return nil
	}
	return c.plain(there, c.hub)
}

// plain is an object without stashes, in a form in which equal ones are equal.
func (c *Converter) plain(text []byte, version string) []byte {
	out, err := object.Strip(nil, text)
	if err != nil {
		return nil
	}
	// What is dropped may be gone.
	return schema.WithoutDropped(nil, out, c.root(version))
}
