package webhook

import "context"

// turns limits how many larger reviews are converted at once: to the number of processors minus
// one, so that one processor is left for small reviews.
type turns chan struct{}

// newTurns allows n reviews at once, but at least one.
func newTurns(n int) turns { return make(turns, max(n, 1)) }

// take waits for a turn, first come, first served. It fails when ctx is done.
func (t turns) take(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// give ends a turn.
func (t turns) give() { <-t }
