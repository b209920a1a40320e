package migrate

import (
	"context"
	"fmt"
	"strings"
)

// result is what became of one object.
type result int

const (
	untouched result = iota // its turn did not come, or was cut short
	rewritten
	already
	deleted
	failed
)

// mostWrites bounds the writes that an object takes to settle. Two are usual. A
// third is needed where the storage version has defaults that the object lacked:
// the API server adds them when it reads what it stored in the first.
const mostWrites = 6

// rewrite stores an object in the storage version and proves it: the last write
// left the object's resourceVersion alone, so the bytes in etcd are those that
// the API server writes now.
func (t *target) rewrite(ctx context.Context, o object, succeeded func() int64) (result, error) {
	tries := newTries(succeeded)
	seen := []string{o.resourceVersion}
	looked := false // after a write said that something is missing
	for {
		got, err := t.attempt(ctx, &o)
		if err == nil {
			if t.dryRun || got.resourceVersion == o.resourceVersion && !got.outdated {
				if len(seen) > 1 {
					return rewritten, nil
				}
				return already, nil
			}
			o = got
			if seen = append(seen, o.resourceVersion); len(seen) > mostWrites {
				return failed, fmt.Errorf("every write that should change nothing changes it (resourceVersion %s), so what is stored cannot be proven: its conversion, or a webhook that is called for it, does not always do the same", strings.Join(seen[1:], ", "))
			}
			continue
		}
		switch classify(err) {
		case missing:
			if o.resourceVersion == "" && isGone(err, t.plural, o.name) {
				return deleted, nil
			}
			if o.resourceVersion == "" || looked {
				return failed, fmt.Errorf("%w; this is not the API server's word that the object is gone: see that %s is served still, and what stands in front of the API server", err, t.via)
			}
			// What a write says may be of a namespace or an admission webhook. A read
			// knows whether the object is there.
			looked, o.resourceVersion = true, ""
			continue
		case conflict:
			// Somebody wrote or deleted it meanwhile. Look at it again.
			o.resourceVersion = ""
		}
		if err := tries.again(ctx, err); err != nil {
			if classify(err) == stopped {
				return untouched, err
			}
			return failed, err
		}
	}
}

// attempt is one write, and one read before where it is not known what to write.
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
