package conversion

import (
	"context"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/writes"
)

// Guard appends now, the object of a write, to dst with the stashes that it must have. old is
// the object before the write, or nil on a creation. Both have the version of the request.
// manager is the field manager of the request, if it has one.
//
// On an update, the stashes of old are used, whatever now has. So a client that drops a stash
// loses nothing, and a stale or forged stash changes nothing. An entry is removed only with the
// value that it belongs to, or if an apply in the version of the entry removes a value that it
// had applied there. On a creation, the stashes of a copy or a backup are used, without entries
// for status, which a creation does not write. A write to status needs no guard: the API server
// takes the annotations from old.
//
// Nothing else of the object changes. Guard stops when ctx is done, as ConvertNoting does.
// Errors are of type *Error.
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

// guard returns the guard of the kind. Its results must not be used once ctx is done.
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
