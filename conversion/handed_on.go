package conversion

import (
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/graft"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// handedOn is an object in which the hub of today has what another version had kept
// as the hub of an earlier table. If the two are alike, so that the table between the
// hub and the object's version has the mark of the table that wrote the stash, every
// word of it holds for the one as it did for the other. The hub of before may be gone.
func (c *Converter) handedOn(stored []byte, version string) []byte {
	ours := object.ReadHead(stored).Ours
	if version == c.hub {
		return stored
	}
	handed := maps.Clone(ours)
	for _, from := range slices.Sorted(maps.Keys(ours)) {
		of, isStash := stash.Owner([]byte(from))
		if !isStash {
			continue
		}
		owner := string(of)
		to := stash.Prefix + c.hub + strings.TrimPrefix(from, stash.Prefix+owner)
		entries, table, err := stash.Read(nil, []byte(handed[from]))
		if err != nil || owner == version || table != c.marks[version] || table == c.marks[owner] || handed[to] != "" {
			continue
		}
		// A version that is gone may have been like the object's, and not like the hub.
		if c.apiVersions[owner] == nil && slices.ContainsFunc(entries, func(e stash.Entry) bool { return !c.fitsHub(e) }) {
			continue
		}
		handed[to] = handed[from]
		delete(handed, from)
	}
	if maps.Equal(handed, ours) {
		return stored
	}
	return object.WithOurs(nil, stored, handed)
}

// fitsHub reports whether what an entry says could be of the hub.
func (c *Converter) fitsHub(e stash.Entry) bool {
	of := c.root(c.hub)
	for i, s := range e.At {
		switch {
		case s.Part != nil, graft.AloneAsList(e.At, i, of): // leads no further
		case s.Name == nil, len(s.Name) == 0 && of.Items != nil: // what stands alone may be in a list
			of = of.Items
		case graft.Alone(s, i == len(e.At)-1, of):
		default:
			of = of.Inner(s.Name)
		}
		if of == nil {
			return false
		}
	}
	return e.Value == nil || of.Holds(e.Value)
}
