package migrate

import (
	"context"
	"time"
)

// The limits of retries. A request without an answer is tried for 23.5 s in total, longer than
// the rollout of a conversion webhook takes.
const (
	firstDelay     = 500 * time.Millisecond
	longestDelay   = 8 * time.Second
	longestAsked   = 30 * time.Second // the longest delay of a server that is obeyed
	brokenTries    = 7
	busyTries      = 12
	conflictTries  = 10
	conflictDelay  = 20 * time.Millisecond
	brokenMinTries = 3 // if other requests succeed meanwhile
	othersSucceed  = 10
	firstTries     = 4 // before anything is written, when giving up loses nothing
)

// tries counts the failures of one request, or of several related ones.
type tries struct {
	broken, busy, conflicts int
	// succeeded returns how many other requests have succeeded; it may be nil. If others
	// succeed while this one fails, the failure is not the server's, and trying again is of no
	// use.
	succeeded func() int64
	since     int64
	// most limits the tries for a server that does not work or is busy, if it is less than the
	// usual limit; 0 means the usual limit.
	most int
}

func newTries(succeeded func() int64) *tries {
	t := &tries{succeeded: succeeded}
	if succeeded != nil {
		t.since = succeeded()
	}
	return t
}

// usual returns the tries of a single request.
func usual() *tries { return new(tries) }

// few returns the tries before anything is written.
func few() *tries { return &tries{most: firstTries} }

// again waits before the next try, or returns the error if there is none.
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

// persist asks until there is an answer or trying again is of no use.
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
