package memory

import (
	"context"
	"slices"
	"time"
)

const (
	// maxQueue is how many requests may wait. Each takes a goroutine, a connection, and the
	// part of the body that the kernel has received already.
	maxQueue = 64
	// maxWait is how long a request may wait. The API server gives up after 30 s, and within
	// that time the body must also be received and answered.
	maxWait = 15 * time.Second
	// lookAgain is how often the first of the queue checks whether another client has become
	// silent or slow. It is notified when memory becomes free.
	lookAgain = 20 * time.Millisecond
)

// Wait makes s one of the larger requests, and waits until there is room for a body and its
// answer, of n bytes together. It fails with [ErrFull] if too many requests wait or it waits
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
	return b.enqueue(ctx, s, n)
}

// enqueue waits in the queue.
func (b *Budget) enqueue(ctx context.Context, s *Share, n int64) error {
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

// admit keeps n bytes free for s, if they are free.
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

// callFirst notifies the first of the queue that memory is free.
func (b *Budget) callFirst() {
	if len(b.queue) == 0 {
		return
	}
	select {
	case b.queue[0].called <- struct{}{}:
	default:
	}
}
