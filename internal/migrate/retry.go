package migrate

import (
	"context"
	"time"
)

// Bounds of retries. Together the waits of a request that gets no answer are
// longer than a rollout of a conversion webhook makes it wait: 23.5 s.
const (
	firstDelay     = 500 * time.Millisecond
	longestDelay   = 8 * time.Second
	longestAsked   = 30 * time.Second // what a server may ask for
	brokenTries    = 7
	busyTries      = 12
	conflictTries  = 10
	conflictDelay  = 20 * time.Millisecond
	brokenMinTries = 3 // where others succeed meanwhile
	othersSucceed  = 10
	firstTries     = 4 // before anything is written, when nothing is lost by giving up
)

// tries counts the failures of one request, or of several that belong together.
type tries struct {
	broken, busy, conflicts int
	// succeeded counts what others achieve; it may be nil. If they do while this
	// fails, the failure is not the server's, and asking on is of no use.
	succeeded func() int64
	since     int64
	// most bounds those of a server that does not work or is busy, where that is
	// less than the usual; 0 is no such bound.
	most int
}

func newTries(succeeded func() int64) *tries {
	t := &tries{succeeded: succeeded}
	if succeeded != nil {
		t.since = succeeded()
	}
	return t
}

// usual are the tries of a request that nobody else knows the like of.
func usual() *tries { return new(tries) }

// few are the tries before anything is written.
func few() *tries { return &tries{most: firstTries} }

// again waits before the next try, or returns the error that ends them.
func (t *tries) again(ctx context.Context, err error) error {
	var delay time.Duration
	switch classify(err) {
	case conflict:
		if t.conflicts++; t.conflicts >= conflictTries {
			return err
		}
		delay = min(conflictDelay<<(t.conflicts-1), longestDelay)
	case busy:
		if t.busy++; t.busy >= t.bound(busyTries) {
			return err
		}
		delay = max(min(delayAsked(err), longestAsked), backoff(t.busy))
	case broken:
		if t.broken++; t.broken >= t.bound(brokenTries) || t.broken >= brokenMinTries && t.othersSucceed() {
			return err
		}
		delay = max(min(delayAsked(err), longestAsked), backoff(t.broken))
	default:
		return err
	}
	if !wait(ctx, delay) {
		return context.Canceled
	}
	return nil
}

func (t *tries) bound(usual int) int {
	if t.most > 0 {
		return min(t.most, usual)
	}
	return usual
}

func (t *tries) othersSucceed() bool {
	return t.succeeded != nil && t.succeeded()-t.since >= othersSucceed
}

func backoff(failures int) time.Duration {
	return min(firstDelay<<(failures-1), longestDelay)
}

// wait reports whether the time passed before ctx ended.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// persist asks until there is an answer or asking on is of no use.
func persist(ctx context.Context, ask func() error) error {
	return usual().persist(ctx, ask)
}

func (t *tries) persist(ctx context.Context, ask func() error) error {
	for {
		err := ask()
		if err == nil || classify(err) == conflict {
			return err
		}
		if err = t.again(ctx, err); err != nil {
			return err
		}
	}
}
