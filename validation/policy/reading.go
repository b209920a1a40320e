package policy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/semaphore"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// ReadTime is how long all reads from the API server for one review may take together. A read
// that is not complete by then is a failure of the policies that need it. All other policies
// are still evaluated.
const ReadTime = 3 * time.Second

// mostLive is how many requests may hold objects that they have read live. An object takes
// several times its size in memory, and anybody can cause the read of a large object with a
// small request.
const mostLive = 32

// readLimit limits the reads of a request, for all of its policies and all of its versions. The
// time starts with the first read.
type readLimit struct {
	ctx  context.Context
	stop context.CancelFunc
	// late is the error of reads after the limit.
	late error
	// turn is released at the end. It is nil if the request has none.
	turn *semaphore.Weighted
}

type lateError struct{ limit time.Duration }

func (e *lateError) Error() string {
	return fmt.Sprintf("the API server has not answered within %v", e.limit.Round(time.Millisecond))
}

// Unwrap makes it a deadline error.
func (e *lateError) Unwrap() error { return context.DeadlineExceeded }

// reading returns the context of the reads. If the caller waits less long, it ends before that,
// so that there is time to answer.
func (s *subject) reading(ctx context.Context) context.Context {
	if s.limit.ctx == nil {
		limit := ReadTime
		if deadline, ok := ctx.Deadline(); ok {
			limit = min(limit, time.Until(deadline)*4/5)
		}
		s.limit.late = &lateError{limit}
		s.limit.ctx, s.limit.stop = context.WithTimeoutCause(ctx, limit, s.limit.late)
	}
	return s.limit.ctx
}

// live returns the live reader, once it is the turn of the request, or nil if there is none.
func (s *subject) live(ctx context.Context) (Objects, error) {
	if turns := s.cluster.turns; turns != nil && s.limit.turn == nil {
		if err := turns.Acquire(s.reading(ctx), 1); err != nil {
			return nil, fmt.Errorf("%d other requests are reading from the API server: %w", mostLive, s.limit.explain(err))
		}
		s.limit.turn = turns
	}
	return s.cluster.Live, nil
}

func (r *readLimit) end() {
	if r.stop != nil {
		r.stop()
	}
	if r.turn != nil {
		r.turn.Release(1)
		r.turn = nil
	}
}

// explain replaces an error that was caused by the time limit.
func (r *readLimit) explain(err error) error {
	if r.ctx != nil && errors.Is(err, context.DeadlineExceeded) && context.Cause(r.ctx) == r.late {
		return r.late
	}
	return err
}

// timely is the authorizer for the expressions of a request, with the time limit. CEL's own
// library has no limit (k8s.io/apiserver/pkg/cel/library/authz.go).
type timely struct {
	authorizer.Authorizer
	subject *subject
	ctx     context.Context
}

func (t timely) Authorize(_ context.Context, what authorizer.Attributes) (authorizer.Decision, string, error) {
	decision, reason, err := t.Authorizer.Authorize(t.subject.reading(t.ctx), what)
	return decision, reason, t.subject.limit.explain(err)
}
