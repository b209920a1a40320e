package memory

import (
	"context"
	"slices"
	"time"
)

const (
	// maxQueue is how many wait at most. Each costs a goroutine, a connection, and the
	// part of the body that the kernel has taken from it already.
	maxQueue = 64
	// maxWait is how long one waits at most. The API server gives up after 30 s, and the
	// body has to come and be answered within them, too.
	maxWait = 15 * time.Second
	// lookAgain is how soon the first of the queue looks whether somebody has become
	// silent or slow. Of what becomes free it is told.
	lookAgain = 20 * time.Millisecond
)

// Wait makes s one of the larger ones, and waits until there is room for a body and its
// answer, of n bytes together. It fails with [ErrFull] where too many wait or it takes
// too long, with [ErrTooLarge], and when ctx is done.
func (s *Share) Wait(ctx context.Context, n int64) error {
	b := s.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.enlarge(s); err != nil {
		return err
	}
	if n > b.larger {
		return ErrTooLarge
	}
	if len(b.queue) == 0 && b.admit(s, n) {
		return nil
	}
	if len(b.queue) == maxQueue {
		return ErrFull
	}
	return b.stand(ctx, s, n)
}

// stand waits in the queue.
func (b *Budget) stand(ctx context.Context, s *Share, n int64) error {
	s.called = make(chan struct{}, 1)
	b.queue = append(b.queue, s)
	defer func() {
		b.queue = slices.DeleteFunc(b.queue, func(other *Share) bool { return other == s })
		b.callFirst()
	}()
	ctx, cancel := context.WithTimeoutCause(ctx, maxWait, ErrFull)
	defer cancel()
	look := time.NewTicker(lookAgain)
	defer look.Stop()
	for {
		b.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-s.called:
		case <-look.C:
		}
		b.mu.Lock()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if b.queue[0] != s {
			continue
		}
		if b.admit(s, n) {
			return nil
		}
		b.interruptOne(s)
	}
}

// admit keeps n bytes free for s, if they are.
func (b *Budget) admit(s *Share, n int64) bool {
	now := b.now()
	free := b.larger
	for other := b.shares.next; other != &b.shares; other = other.next {
		if other.isLarger {
			free -= other.claims(now)
		}
	}
	if n > min(free, b.limit-b.used) {
		return false
	}
	s.expected = n
	s.transfer = transfer{direction: receiving, since: now}
	return true
}

// callFirst tells the first of the queue that something is free.
func (b *Budget) callFirst() {
	if len(b.queue) == 0 {
		return
	}
	select {
	case b.queue[0].called <- struct{}{}:
	default:
	}
}
