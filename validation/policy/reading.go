package policy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/semaphore"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// ReadTime is how long everything that one review reads from the API server may take
// together. What is not there then is a failure of the policies that need it, and all
// others are still heard.
const ReadTime = 3 * time.Second

// mostLive is how many requests at a time may hold what they have read live. An object
// takes a few times its size in memory, and a small request, of anybody, is enough to have
// a large one read.
const mostLive = 32

// readLimit bounds the reads of a request, the same for all of its policies and in all of
// its versions. Its time begins with the first of them.
type readLimit struct {
	ctx  context.Context
	stop context.CancelFunc
	// late is what is wrong with what comes after it.
	late error
	// turn is given back at the end; nil where the request has none.
	turn *semaphore.Weighted
}

type lateError struct{ limit time.Duration }

func (e *lateError) Error() string {
	return fmt.Sprintf("the API server has not answered within %v", e.limit.Round(time.Millisecond))
}

// Unwrap makes it a deadline that is over.
func (e *lateError) Unwrap() error { return context.DeadlineExceeded }

// reading gives the context of the reads. Where whoever asks waits less long, it ends
// before that, so that there is time to answer.
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

// live gives what reads live, once it is the turn of the request; nil where nothing does.
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

// explain says of a read that has failed for want of time that it has.
func (r *readLimit) explain(err error) error {
	if r.ctx != nil && errors.Is(err, context.DeadlineExceeded) && context.Cause(r.ctx) == r.late {
		return r.late
	}
	return err
}

// timely is the authorizer as the expressions of a request ask it: CEL's own library
// asks without a limit (k8s.io/apiserver/pkg/cel/library/authz.go).
type timely struct {
	authorizer.Authorizer
	subject *subject
	ctx     context.Context
}

func (t timely) Authorize(_ context.Context, what authorizer.Attributes) (authorizer.Decision, string, error) {
	decision, reason, err := t.Authorizer.Authorize(t.subject.reading(t.ctx), what)
	return decision, reason, t.subject.limit.explain(err)
}
