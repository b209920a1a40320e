package conversion

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// ridden is an object as its owner sees it with what was kept for the owner, where that
// is about elements that are not to be found from the object's version: the hub of
// before knew them by what it had of them itself. If that is a version still, its view
// has that, and what was kept goes there by way of it. landed is how many of the entries
// find their places without; it is nil where no way is better.
func (c *renewal) ridden(stored []byte, owner, version string, landed int) []byte {
	ours := object.ReadHead(stored).Ours
	names := [...]string{stash.Prefix + owner, stash.Prefix + owner + stash.StatusSuffix}
	bare := c.withEntries(stored, owner, nil)
	for _, by := range c.versions {
		if by == owner || by == version || by == c.hub {
			continue
		}
		from := bare
		if renewed, _, _ := c.shown(bare, by, version); renewed != nil {
			from = renewed
		}
		view, counts, err := c.way(from, version, by)
		if err != nil || counts.LeftOut > 0 {
			continue
		}
		along := object.ReadHead(view).Ours
		if along[names[0]] != "" || along[names[1]] != "" {
			continue // the owner has something of its own to keep there
		}
		for _, name := range names {
			if ours[name] != "" {
				along[name] = ours[name]
			}
		}
		view = withStashes(view, along)
		if renewed, n, _ := c.shown(view, owner, by); renewed != nil && n > landed {
			view = renewed
		} else {
			continue
		}
		if there, counts, err := c.way(view, by, owner); err == nil && counts.LeftOut == 0 {
			return there
		}
	}
	return nil
}
