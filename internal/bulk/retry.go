package bulk

import (
	"context"
	"time"
)

// The limits of tries. A request without an answer is tried for 23.5 s in total, longer than the
// rollout of a conversion webhook takes.
const (
	firstDelay     = 500 * time.Millisecond
	longestDelay   = 8 * time.Second
	LongestAsked   = 30 * time.Second // the longest delay of a server that is obeyed
	BrokenTries    = 7
	BusyTries      = 12
	ConflictTries  = 10
	ConflictDelay  = 20 * time.Millisecond
	BrokenMinTries = 3 // if other requests succeed meanwhile
	othersSucceed  = 10
	FirstTries     = 4 // before anything is written, when giving up loses nothing
)

// Tries counts the failures of one request, or of several related ones.
type Tries struct {
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

// NewTries returns the tries of a request among others; succeeded returns how many of the others
// have succeeded.
func NewTries(succeeded func() int64) *Tries {
	t := &Tries{succeeded: succeeded}
	if succeeded != nil {
		t.since = succeeded()
	}
	return t
}

// Usual returns the tries of a single request.
func Usual() *Tries { return new(Tries) }

// Few returns the tries before anything is written.
func Few() *Tries { return &Tries{most: FirstTries} }

// Again waits before the next try, or returns the error if there is none.
func (t *Tries) Again(ctx context.Context, err error) error {
	var delay time.Duration
	switch Classify(err) {
	case Conflict:
		if t.conflicts++; t.conflicts >= ConflictTries {
			return err
		}
		delay = min(ConflictDelay<<(t.conflicts-1), longestDelay)
	case Busy:
		if t.busy++; t.busy >= t.bound(BusyTries) {
			return err
		}
		delay = max(min(delayAsked(err), LongestAsked), backoff(t.busy))
	case Broken:
		if t.broken++; t.broken >= t.bound(BrokenTries) || t.broken >= BrokenMinTries && t.othersSucceed() {
			return err
		}
		delay = max(min(delayAsked(err), LongestAsked), backoff(t.broken))
	default:
		return err
	}
	if !Wait(ctx, delay) {
		return context.Canceled
	}
	return nil
}

func (t *Tries) bound(usual int) int {
	if t.most > 0 {
		return min(t.most, usual)
	}
	return usual
}

func (t *Tries) othersSucceed() bool {
	return t.succeeded != nil && t.succeeded()-t.since >= othersSucceed
}

func backoff(failures int) time.Duration {
	return min(firstDelay<<(failures-1), longestDelay)
}

// Wait reports whether the time passed before ctx ended.
func Wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Persist asks until there is an answer or trying again is of no use.
func Persist(ctx context.Context, ask func() error) error {
	return Usual().Persist(ctx, ask)
}

func (t *Tries) Persist(ctx context.Context, ask func() error) error {
	for {
		err := ask()
		if err == nil || Classify(err) == Conflict {
			return err
		}
		if err = t.Again(ctx, err); err != nil {
			return err
		}
	}
}
