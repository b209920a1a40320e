package conversion

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/graft"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// renewed is an object of which stashes were written by another table, with stashes that this one
// writes. Each goes to its owner and back: what nothing stands in the way of comes back at once,
// and what the object already shows in another way counts if it would be shown just so. What has
// a place in this version today appears there. Where a trip fails, or something would be lost, the
// entries that are to blame go: what is live wins. A stash of which there is no room to try all
// stays as it is, unless the object is on its way to its owner, or to another version by way of it:
// that would be shown what it says, whatever that is.
func (c *renewal) renewed(stored []byte, version string) []byte {
	stored = c.handedOn(stored, version)
	c.room = max(leastRoom, roomTimes*len(stored))
	c.most = max(maxKept, keptObjects*len(stored))
	renewed := c.renewedInOrder(stored, version, c.owners)
	if len(c.owners(object.ReadHead(stored).Ours, version)) > 1 && len(c.owners(object.ReadHead(renewed).Ours, version)) > 0 && c.hasRoom() {
		// Beside what came first, be it the table's word for absence, the rest may be an edit.
		reversed := func(ours map[string]string, version string) []string {
			owners := c.owners(ours, version)
			slices.Reverse(owners)
			return owners
		}
		other := c.renewedInOrder(stored, version, reversed)
		if len(c.owners(object.ReadHead(other).Ours, version)) == 0 && c.hasRoom() {
			return other
		}
	}
	for _, owner := range c.owners(object.ReadHead(renewed).Ours, version) {
		sifted, untried := c.sifted(renewed, owner, version)
		if c.unplaced[owner] = untried; untried == 0 || c.passes(owner) {
			renewed = sifted
		}
	}
	return renewed
}

// renewedInOrder is an object of which all stashes are renewed that can be as a whole, in
// the order of owners.
func (c *renewal) renewedInOrder(stored []byte, version string, owners func(ours map[string]string, version string) []string) []byte {
	ours := object.ReadHead(stored).Ours
	for again := true; again; {
		again = false
		// What one owner had kept may be what another one's is to be seen beside.
		for _, owner := range owners(ours, version) {
			if back := c.renew(stored, owner, version); back != nil && c.hasRoom() {
				stored, ours = back, object.ReadHead(back).Ours
				again = again || c.outdated(ours, owner, version) == nil
			}
		}
	}
	return stored
}

// renew is an object whose stash of one owner this table has written anew, nil where
// something would be lost by it, or where there was no room to try all of it and the rest can stay.
func (c *renewal) renew(stored []byte, owner, version string) []byte {
	if remarked := c.remarked(stored, owner, version); remarked != nil {
		return remarked
	}
	renewed, landed, untried := c.shown(stored, owner, version)
	if entries := c.outdated(object.ReadHead(stored).Ours, owner, version); landed < len(entries) {
		if there := c.ridden(stored, owner, version, landed); there != nil {
			if ridden := c.renewedAs(there, stored, owner, version); ridden != nil && c.showsAsMuch(ridden, renewed, stored, owner, version) {
				return ridden
			}
		}
	}
	if untried > 0 && !c.passes(owner) {
		return nil
	}
	c.unplaced[owner] = untried
	return renewed
}

// showsAsMuch reports whether what has come of one way to renew an object shows its owner all
// that has come of another one, if anything has.
func (c *renewal) showsAsMuch(one, other, stored []byte, owner, version string) bool {
	if other == nil {
		return true
	}
	bare, _, errBare := c.way(c.withEntries(stored, owner, nil), version, owner)
	was, _, errWas := c.way(other, version, owner)
	is, _, errIs := c.way(one, version, owner)
	return errBare == nil && errWas == nil && errIs == nil && graft.Keeps(c.plain(bare, owner), c.plain(was, owner), c.plain(is, owner))
}

// shown is an object that has been to the owner of a stash and back, with what this table
// has kept on the way; nil where something would be lost. landed is how many of the stash's
// entries have found their places there, and untried how many might do so by force.
func (c *renewal) shown(stored []byte, owner, version string) (renewed []byte, landed, untried int) {
	if c.outdated(object.ReadHead(stored).Ours, owner, version) == nil {
		return nil, 0, 0
	}
	there := c.trip(stored, version, owner)
	if there.err != nil || there.counts.LeftOut > 0 {
		return nil, 0, 0
	}
	as, untried := c.forced(there.object, there.landed, owner, stored, version)
	return c.renewedAs(as, stored, owner, version), len(there.landed), untried
}

// renewedAs is an object as it comes back from an owner that is shown there; nil where
// something would be lost.
func (c *renewal) renewedAs(there, stored []byte, owner, version string) []byte {
	bare, bareBack := c.bare(stored, owner, version)
	if bareBack == nil {
		return nil
	}
	ours := object.ReadHead(stored).Ours
	// What the version has kept beside the view is what it would have kept beside the
	// one without the entries, if to that one the entries are as an edit.
	var first []byte // of which the owner is not shown all that it was
	for _, as := range [][]byte{there, withStashes(there, object.ReadHead(bare).Ours)} {
		back, counts, err := c.way(as, owner, version)
		if err != nil || counts.LeftOut > 0 {
			continue
		}
		if back = c.merged(stored, bareBack, back, owner, version); back != nil && c.othersKeep(stored, back, version, ours, owner) {
			out, shows := c.spelledOut(back, there, owner, version)
			if shows {
				return out
			}
			if first == nil {
				first = out
			}
		}
	}
	return first
}

// spelledOut is a renewed object with all defaults written out, if only so its owner
// is shown what there shows: where one version has a default and the other none,
// absence may say nothing there. The API server would have written them out, too. It also
// reports whether the owner is shown that.
func (c *renewal) spelledOut(renewed, there []byte, owner, version string) (out []byte, ok bool) {
	shows := func(text []byte) bool {
		is, _, err := c.way(text, version, owner)
		return err == nil && bytes.Equal(c.plain(is, owner), c.plain(there, owner))
	}
	if shows(renewed) {
		return renewed, true
	}
	if out := c.texts().Complete(nil, renewed, c.root(version)); shows(out) {
		return out, true
	}
	return renewed, false
}

// bare is an object as its owner sees it without what is kept for it, and as it comes
// back from there; nil where it does not.
func (c *renewal) bare(stored []byte, owner, version string) (there, back []byte) {
	there, _, err := c.way(c.withEntries(stored, owner, nil), version, owner)
	if err != nil {
		return nil, nil
	}
	if back, _, err = c.way(there, owner, version); err != nil {
		return nil, nil
	}
	return there, back
}

// merged is an object with what has come to it on a trip to an owner by what the owner
// had kept, nil where something has gone by that. What goes on such a trip in any case
// stays.
func (c *renewal) merged(stored, bare, back []byte, owner, version string) []byte {
	if !c.spend((len(stored) + len(bare) + len(back)) / copying) {
		return nil
	}
	texts := [...][]byte{stored, bare, back}
	for i, text := range texts {
		var err error
		if texts[i], err = object.Strip(nil, text); err != nil {
			return nil
		}
	}
	merged, ok := graft.Merge(texts[0], texts[1], texts[2], c.root(version))
	if !ok {
		return nil
	}
	return withStashes(merged, mergedStashes(owner, object.ReadHead(stored).Ours, object.ReadHead(bare).Ours, object.ReadHead(back).Ours))
}

// mergedStashes are those of an object that has been on a trip to an owner: what other
// versions had kept stays as it is unless that has changed it. What the trip loses in
// any case stays here, too.
func mergedStashes(owner string, stored, bare, back map[string]string) map[string]string {
	ours := maps.Clone(back)
	for name, text := range stored {
		if of, _ := stash.Owner([]byte(name)); string(of) != owner && bare[name] == back[name] {
			ours[name] = text
		}
	}
	return ours
}

// othersKeep reports whether what an object has kept for other versions still holds: what
// appears in an element without a key makes it another one.
func (c *renewal) othersKeep(before, after []byte, version string, ours map[string]string, owner string) bool {
	for _, other := range c.versions {
		names := []string{stash.Prefix + other, stash.Prefix + other + stash.StatusSuffix}
		if other == version || other == owner || ours[names[0]] == "" && ours[names[1]] == "" {
			continue
		}
		bare := maps.Clone(ours)
		delete(bare, names[0])
		delete(bare, names[1])
		without, _, err := c.way(withStashes(before, bare), version, other)
		was, _, errWas := c.way(before, version, other)
		is, _, errIs := c.way(after, version, other)
		if err != nil || errWas != nil || errIs != nil || !graft.Keeps(c.plain(without, other), c.plain(was, other), c.plain(is, other)) {
			return false
		}
	}
	return true
}

// owners are the versions that have outdated stashes, in the order in which they are
// renewed: the hub, and then those of which the stash says the most by itself, with
// no regard to what stands elsewhere.
func (c *renewal) owners(ours map[string]string, version string) []string {
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
func (c *renewal) outdated(ours map[string]string, owner, version string) (entries []stash.Entry) {
	if owner == version {
		return nil
	}
	mark, outdated := c.markOf(owner, version), false
	for _, suffix := range []string{"", stash.StatusSuffix} {
		name := stash.Prefix + owner + suffix
		all, table := c.said(ours[name])
		entries, outdated = append(entries, stash.Filed(name, slices.Clone(all))...), outdated || table != "" && table != mark
	}
	if !outdated {
		return nil
	}
	return entries
}
