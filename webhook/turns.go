package webhook

import "context"

// turns are for larger reviews, which are converted one after the other, as many at once
// as there are processors but one: so that one is left for all that is small.
type turns chan struct{}

// newTurns lets n reviews be converted at once, and one at least.
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
