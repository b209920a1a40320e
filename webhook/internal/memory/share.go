package memory

import "time"

// Share is what one request has of a budget. It goes from [Budget.Join] through Wait,
// if the request is a larger one, Receive, Work and Send to Leave, and belongs to the
// goroutine that answers the request.
type Share struct {
	budget   *Budget
	conn     Conn
	isLarger bool
	// held is what it holds, and expected what it will hold when its body is there.
	held, expected int64
	transfer       transfer
	// called tells the first of the queue that something is free.
	called         chan struct{}
	next, previous *Share
}

// Join makes s the share of a request, which has to Leave in the end. conn is the
// request's connection.
func (b *Budget) Join(s *Share, conn Conn) {
	*s = Share{budget: b, conn: conn}
	b.mu.Lock()
	defer b.mu.Unlock()
	s.next, s.previous = &b.shares, b.shares.previous
	s.previous.next, s.next.previous = s, s
}

// Leave frees what s holds.
func (s *Share) Leave() {
	s.budget.mu.Lock()
	defer s.budget.mu.Unlock()
	s.budget.remove(s)
}

// Enlarge says that the body is larger than Small. It fails with [ErrFull].
func (s *Share) Enlarge() error {
	s.budget.mu.Lock()
	defer s.budget.mu.Unlock()
	return s.budget.enlarge(s)
}

// Receive says that s holds n bytes for a body that the client sends. It fails with
// [ErrFull] or [ErrTooLarge]; then s holds what it held before.
func (s *Share) Receive(n int64) error { return s.change(receiving, n) }

// Work says that the body is there, and that s holds n bytes for it and for the work on
// it. It fails as Receive does.
func (s *Share) Work(n int64) error { return s.change(nothing, n) }

// Send says that s holds n bytes of an answer that the client reads. It never fails
// where that is no more than s held before.
func (s *Share) Send(n int64) error { return s.change(sending, n) }

func (s *Share) change(d direction, n int64) error {
	b := s.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if d != s.transfer.direction {
		s.transfer = transfer{direction: d, since: b.now()}
	}
	if d == nothing {
		s.expected = 0
	}
	return b.hold(s, n)
}

// Moved says that n more bytes of the body or of the answer have gone through.
func (s *Share) Moved(n int) {
	b := s.budget
	now := b.now()
	b.mu.Lock()
	defer b.mu.Unlock()
	s.transfer.move(int64(n), now)
}

// Interrupted reports whether s was interrupted because others needed its room.
func (s *Share) Interrupted() bool {
	s.budget.mu.Lock()
	defer s.budget.mu.Unlock()
	return s.transfer.interrupted
}

// claims is how much of the room of larger ones is not for anybody else: what s holds,
// or will hold once its body is there.
func (s *Share) claims(now time.Time) int64 {
	if s.expected > s.held && s.transfer.coming(now) {
		return s.expected
	}
	return s.held
}
