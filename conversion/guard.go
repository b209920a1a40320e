package conversion

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/writes"
)

// Guard appends object, which somebody wants to write, to dst with the stashes
// that count. Both objects are in the version of the request, as they stand before
// the write and after it; old is nil when the object is created. manager is the
// field manager of the request, if it names one.
//
// On an update the stashes of old count, whatever arrived: who dropped one loses
// nothing, and a stale or forged one changes nothing. An entry goes only where an
// apply takes back, in the version that owns it, what it had applied there, and
// where what it belongs to is gone. On creation the stashes of a copy or a backup
// count, but for what would reach into status, which a creation does not write. A
// write to status needs no guard: the API server takes the annotations from old.
//
// Nothing else of the object changes. Errors are of type *Error.
func (c *Converter) Guard(dst, now, old []byte, manager string) ([]byte, error) {
	version, err := c.source(now, c.hub, LargestMaxSize)
	if err != nil {
		return dst, err
	}
	for _, o := range [][]byte{now, old} {
		if err := object.Check(o); err != nil && o != nil {
			return dst, c.fail(o, version, version, err)
		}
	}
	return c.guard().Settle(dst, now, old, version, manager), nil
}

func (c *Converter) guard() writes.Guard {
	return writes.Guard{
		Group: c.group, Versions: c.versions, HasStatus: c.hasStatus,
		Convert: func(object []byte, to string) ([]byte, int, error) {
			var notes Notes
			out, err := c.converted(nil, object, to, LargestMaxSize, &notes)
			return out, notes.LeftOut, err
		},
	}
}
