package migrate

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// outcome is the result for an object of a batch.
type outcome struct {
	result   result
	unplaced bool  // its stashes have values without a place
	err      error // if it failed
}

// batch rewrites objects, several at once. It ends early when ctx ends or trip does. Some
// outcomes are then untouched. Objects start in order.
func (m *Migrator) batch(ctx context.Context, t *target, s *session, objects []object) []outcome {
	outcomes := make([]outcome, len(objects))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(m.options.Parallel, len(objects)) {
		workers.Go(func() {
			for ctx.Err() == nil && !s.tripped.Load() {
				i := int(next.Add(1)) - 1
				if i >= len(objects) {
					return
				}
				outcomes[i] = t.rewrite(ctx, objects[i], s.succeeded.Load)
				m.note(s, objects[i], outcomes[i])
			}
		})
	}
	workers.Wait()
	return outcomes
}

// note prints an outcome, and trips when every object fails.
func (m *Migrator) note(s *session, o object, got outcome) {
	switch got.result {
	case untouched:
		return
	case failed:
		m.console.Failure(s.name, o.key(), got.err)
		if kind := bulk.Classify(got.err); kind == bulk.Broken || kind == bulk.Busy || kind == bulk.Missing {
			if s.inARow.Add(1) >= int64(max(m.options.Parallel, minInARow)) && s.tripped.CompareAndSwap(false, true) {
				s.lastError = got.err
			}
		}
	default:
		s.succeeded.Add(1)
		s.inARow.Store(0)
	}
	s.progress.Add(got.result == failed)
}
