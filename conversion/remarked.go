package conversion

import (
	"bytes"
	"maps"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
)

// remarked is an object of which an owner's stash has the mark of today's table, if that
// would have written the same: the object comes back from its owner as it is. Most
// changes of a table are about other places than those of which something was kept.
func (c *renewal) remarked(stored []byte, owner, version string) []byte {
	entries := c.outdated(object.ReadHead(stored).Ours, owner, version)
	if entries == nil {
		return nil
	}
	as := c.withMarked(stored, owner, entries, func(string) string { return c.markOf(owner, version) })
	there, counts, err := c.way(as, version, owner)
	if err != nil || counts.LeftOut > 0 {
		return nil
	}
	back, counts, err := c.way(there, owner, version)
	if err != nil || counts.LeftOut > 0 || !maps.Equal(object.ReadHead(back).Ours, object.ReadHead(as).Ours) || !bytes.Equal(c.whole(c.texts(), back, version), c.whole(c.texts(), as, version)) {
		return nil
	}
	return as
}

// markOf is the mark of the stashes that this table writes for an owner while an object
// is in a version.
func (c *Converter) markOf(owner, version string) string {
	if owner == c.hub {
		return c.marks[version]
	}
	return c.marks[owner]
}
