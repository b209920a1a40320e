package migrate

import (
	"context"
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// result is the result for one object.
type result int

const (
	untouched result = iota // it was not its turn, or the try was interrupted
	rewritten
	already
	deleted
	failed
)

// mostWrites bounds the writes for one object. Two are usual. A third is needed if the storage
// version has defaults that the object lacked: the API server adds them when it reads what the
// first write stored.
const mostWrites = 6

// rewrite stores an object in the storage version and proves it: the last write did not change
// the object's resourceVersion, so the bytes in etcd are those that the API server writes now.
func (t *target) rewrite(ctx context.Context, o object, succeeded func() int64) outcome {
	tries := bulk.NewTries(succeeded)
	seen := []string{o.resourceVersion}
	looked := false // after a write answered that something does not exist
	for {
		got, err := t.attempt(ctx, &o)
		if err == nil {
			if t.dryRun || got.resourceVersion == o.resourceVersion && !got.outdated {
				if len(seen) > 1 {
					return outcome{result: rewritten, unplaced: got.unplaced}
				}
				return outcome{result: already, unplaced: got.unplaced}
			}
			o = got
			if seen = append(seen, o.resourceVersion); len(seen) > mostWrites {
				return outcome{result: failed, err: fmt.Errorf("every write that should change nothing changes it (resourceVersion %s), so its storage version cannot be proven: its conversion, or a webhook for it, gives different results each time", strings.Join(seen[1:], ", "))}
			}
			continue
		}
		switch bulk.Classify(err) {
		case bulk.Missing:
			if o.resourceVersion == "" && isGone(err, t.plural, o.name) {
				return outcome{result: deleted}
			}
			if o.resourceVersion == "" || looked {
				return outcome{result: failed, err: fmt.Errorf("%w; the API server itself did not answer that the object is deleted: check that %s is still served, and check the proxies in front of the API server", err, t.via)}
			}
			// The error of a write may be about a namespace or an admission webhook. A read
			// shows whether the object exists.
			looked, o.resourceVersion = true, ""
			continue
		case bulk.Conflict:
			// Another client wrote or deleted it meanwhile, so read it again.
			o.resourceVersion = ""
		}
		if err := tries.Again(ctx, err); err != nil {
			if bulk.Classify(err) == bulk.Stopped {
				return outcome{result: untouched, err: err}
			}
			return outcome{result: failed, err: err}
		}
	}
}

// attempt is one write, after a read if the resourceVersion is not known.
func (t *target) attempt(ctx context.Context, o *object) (object, error) {
	if o.resourceVersion == "" {
		now, err := t.get(ctx, t.via, *o)
		if err != nil {
			return object{}, err
		}
		*o = now
	}
	if t.dryRun {
		return t.tryWrite(ctx, *o)
	}
	return t.write(ctx, *o, false)
}
