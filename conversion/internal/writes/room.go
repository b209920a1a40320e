package writes

import (
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// NoRoom is what of an object has no room in its annotations while it is in another
// version.
type NoRoom struct {
	// Places are the paths of the fields, as text.
	Places string
	// Message says why, and what to do.
	Message string
}

// NoRoom tries every other version. What had no room in old already is left out; old is nil if
// there is none.
func (g Guard) NoRoom(now, old []byte, version string) []NoRoom {
	var all []NoRoom
	for _, to := range g.Versions {
		if to == version {
			continue
		}
		places := g.leftOut(now, version, to)
		if places == "" || old != nil && g.leftOut(old, version, to) == places {
			continue
		}
		all = append(all, NoRoom{places, fmt.Sprintf(
			"values that %s can't represent do not fit into the annotations of the object, which keep them while the object is in %s; "+
				"write fewer of these values, or remove other annotations", to, to)})
	}
	return all
}

// leftOut returns the places of a version that a conversion has no room for.
func (g Guard) leftOut(now []byte, version, to string) string {
	converted, lost, err := g.Convert(now, to)
	if err != nil || lost == 0 {
		return ""
	}
	for part := range strings.SplitSeq(object.ReadHead(converted).Ours[stash.Incomplete], "; ") {
		if places, ours := strings.CutPrefix(part, version+": "); ours {
			return places
		}
	}
	return ""
}
