package memory

import "time"

// Share is the part of a budget that one request holds. It begins with [Budget.Join] and ends
// with Leave. Between them a larger request calls Wait, and every request calls Receive, Work
// and Send, in this order. A share belongs to the goroutine that answers the request.
type Share struct {
	budget   *Budget
	conn     Conn
	isLarger bool
	// held is what the request holds, and expected what it will hold when its body has arrived.
	held, expected int64
	transfer       transfer
	// called notifies the first of the queue that memory is free.
	called         chan struct{}
	next, previous *Share
}

// Join makes s the share of a request. The request must call Leave at the end. conn is the
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

// Enlarge reports that the body is larger than Small. It fails with [ErrFull].
func (s *Share) Enlarge() error {
	s.budget.mu.Lock()
	defer s.budget.mu.Unlock()
	return s.budget.enlarge(s)
}

// Receive sets what s holds for a body that the client is sending. It fails with [ErrFull] or
// [ErrTooLarge], and s then holds the same as before.
func (s *Share) Receive(n int64) error { return s.change(receiving, n) }

// Work sets what s holds for a complete body and for the work on it. It fails as Receive does.
func (s *Share) Work(n int64) error { return s.change(nothing, n) }

// Send sets what s holds for an answer that the client is reading. It never fails if s held at
// least as much before.
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

// Moved reports that n more bytes of the body or of the answer were transferred.
func (s *Share) Moved(n int) {
	b := s.budget
	now := b.now()
	b.mu.Lock()
	defer b.mu.Unlock()
	s.transfer.move(int64(n), now)
}

// Interrupted reports whether s was interrupted because other requests needed its room.
func (s *Share) Interrupted() bool {
	s.budget.mu.Lock()
	defer s.budget.mu.Unlock()
	return s.transfer.interrupted
}

// claims is how much of the larger requests' room is taken by s: what s holds, or will hold
// when its body has arrived.
func (s *Share) claims(now time.Time) int64 {
	if s.expected > s.held && s.transfer.coming(now) {
		return s.expected
	}
	return s.held
}
