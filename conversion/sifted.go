package conversion

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/graft"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// sifted is an object with as many of an owner's outdated entries as can be renewed
// without changing what the object holds, and without the others: to convert it with
// those would be an edit that nobody has made. It finds them by halves, and objects
// that were kept as a whole by their members. untried is how many there was no room to try.
func (c *renewal) sifted(stored []byte, owner, version string) (best []byte, untried int) {
	var kept []stash.Entry
	best = c.withEntries(stored, owner, nil)
	var add func(some []stash.Entry)
	add = func(some []stash.Entry) {
		if len(some) == 0 {
			return
		}
		var back []byte
		unforced := 0
		if c.hasRoom() {
			with := c.withEntries(stored, owner, append(kept[:len(kept):len(kept)], some...))
			back, _, unforced = c.shown(with, owner, version) // by way of other versions would be work without end
		}
		switch {
		case !c.hasRoom():
			untried += len(some)
			return
		case back != nil:
			kept, best, untried = append(kept, some...), back, untried+unforced
			return
		case len(some) == 1:
			some = members(some[0])
		}
		if half := len(some) / 2; half > 0 {
			add(some[:half])
			add(some[half:])
		}
	}
	add(c.outdated(object.ReadHead(stored).Ours, owner, version))
	return best, untried
}

// members are the entries that say of an object, member by member, what one says of it
// as a whole; none where it says less.
func members(e stash.Entry) (all []stash.Entry) {
	if e.Guard != nil || e.Value == nil || e.Value[0] != '{' {
		return nil
	}
	graft.Members(e.Value, func(name, value []byte) {
		all = append(all, stash.Entry{At: append(slices.Clip(e.At), stash.Step{Name: name}), Value: value})
	})
	return all
}

// withEntries is an object with these entries alone in an owner's stashes.
func (c *renewal) withEntries(stored []byte, owner string, entries []stash.Entry) []byte {
	return c.withMarked(stored, owner, entries, func(was string) string { return was })
}

// withMarked is withEntries with other marks than there were.
func (c *renewal) withMarked(stored []byte, owner string, entries []stash.Entry, mark func(was string) string) []byte {
	c.spend(len(stored) / lookUp)
	ours := object.ReadHead(stored).Ours
	var stashes [2]stash.Writer
	names := [2]string{stash.Prefix + owner, stash.Prefix + owner + stash.StatusSuffix}
	for i, name := range names {
		_, was := c.said(ours[name])
		stashes[i].Table = mark(was)
		delete(ours, name)
	}
	for _, e := range entries {
		if e.OfStatus() {
			stashes[1].Add(e)
		} else {
			stashes[0].Add(e)
		}
	}
	for i, name := range names {
		if !stashes[i].Empty() {
			ours[name] = string(stashes[i].Text())
		}
	}
	return withStashes(stored, ours)
}

// withStashes is an object with these stashes and no others.
func withStashes(stored []byte, ours map[string]string) []byte {
	if len(ours) == 0 {
		if bare, err := object.Strip(nil, stored); err == nil {
			return bare
		}
	}
	return object.WithOurs(nil, stored, ours)
}
