package memory

import "time"

const (
	// patience is how long a client may take for a piece of its body or answer while other
	// requests need the room.
	patience = time.Second
	// piece is the size of such a piece in bytes. A body of 100 MB that arrives within the
	// server's 30 s arrives three times as fast.
	piece = 1 << 20
	// firstBytes is how long the first bytes of a body may take after the request has waited in
	// the queue. The client has sent them meanwhile.
	firstBytes = 250 * time.Millisecond
)

// Conn is the connection of a request.
type Conn interface {
	// InterruptRead makes reading from the connection fail at once, and InterruptWrite writing
	// to it. They are called while another goroutine reads or writes, and return at once.
	InterruptRead()
	InterruptWrite()
}

// transfer is what the server waits for a client to send or to read.
type transfer struct {
	direction direction
	// since is when the last whole piece was transferred, moved is how much was transferred
	// after that, and begun reports whether anything was.
	since       time.Time
	moved       int64
	begun       bool
	interrupted bool
}

type direction int

const (
	nothing direction = iota
	receiving
	sending
)

func (t *transfer) move(n int64, now time.Time) {
	t.begun = true
	if t.moved += n; t.moved >= piece {
		t.since, t.moved = now, 0
	}
}

// slow reports whether the client is too slow for what it holds.
func (t *transfer) slow(now time.Time) bool {
	return t.direction != nothing && now.Sub(t.since) >= patience
}

// coming reports whether the rest of a body is still arriving.
func (t *transfer) coming(now time.Time) bool {
	return !t.slow(now) && (t.begun || now.Sub(t.since) < firstBytes)
}

// interruptOne interrupts the request that has been too slow for the longest time, if there is
// one, because s needs room. The room becomes free a moment later.
func (b *Budget) interruptOne(s *Share) {
	now := b.now()
	var slowest *Share
	for other := b.shares.next; other != &b.shares; other = other.next {
		t := &other.transfer
		if other == s || other.held == 0 || t.interrupted || !t.slow(now) {
			continue
		}
		if slowest == nil || t.since.Before(slowest.transfer.since) {
			slowest = other
		}
	}
	if slowest == nil {
		return
	}
	slowest.transfer.interrupted = true
	if slowest.transfer.direction == receiving {
		slowest.conn.InterruptRead()
	} else {
		slowest.conn.InterruptWrite()
	}
}
