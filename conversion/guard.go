package conversion

import (
	"context"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
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
// Nothing else of the object changes. It ends with ctx as ConvertNoting does. Errors are
// of type *Error.
func (c *Converter) Guard(ctx context.Context, dst, now, old []byte, manager string) ([]byte, error) {
	version, err := c.source(now, c.hub, LargestMaxSize)
	if err != nil {
		return dst, err
	}
	for _, o := range [][]byte{now, old} {
		if err := object.Check(o); err != nil && o != nil {
			return dst, c.fail(o, version, version, err)
		}
	}
	out := c.guard(ctx).Settle(dst, now, old, version, manager)
	if err := caller.Gone(ctx); err != nil {
		return dst, c.fail(now, version, version, err)
	}
	return out, nil
}

// guard knows the kind. What it says once ctx is done is of no use.
func (c *Converter) guard(ctx context.Context) writes.Guard {
	return writes.Guard{
		Group: c.group, Versions: c.versions, HasStatus: c.hasStatus,
		Convert: func(object []byte, to string) ([]byte, int, error) {
			from, err := c.source(object, to, LargestMaxSize)
			if err != nil {
				return nil, 0, err
			}
			var notes Notes
			out, err := c.convert(ctx, nil, object, from, to, &notes)
			return out, notes.LeftOut, err
		},
	}
}
