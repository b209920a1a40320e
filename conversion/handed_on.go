package conversion

import (
	"maps"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// handedOn is an object in which the hub of today has what another version had kept
// as the hub of an earlier table. If the two are alike, so that the table between the
// hub and the object's version has the mark of the table that wrote the stash, every
// word of it holds for the one as it did for the other.
func (c *Converter) handedOn(stored []byte, version string) []byte {
	ours := object.ReadHead(stored).Ours
	if version == c.hub {
		return stored
	}
	handed := maps.Clone(ours)
	for _, owner := range c.versions {
		for _, suffix := range []string{"", stash.StatusSuffix} {
			from, to := stash.Prefix+owner+suffix, stash.Prefix+c.hub+suffix
			_, table, err := stash.Read(nil, []byte(handed[from]))
			if err != nil || owner == version || table != c.marks[version] || table == c.marks[owner] || handed[to] != "" {
				continue
			}
			handed[to] = handed[from]
			delete(handed, from)
		}
	}
	if maps.Equal(handed, ours) {
		return stored
	}
	return object.WithOurs(nil, stored, handed)
}
