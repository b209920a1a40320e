// Package memory divides the memory of a process among its requests, so that no number of
// requests can exhaust it.
//
// A request has a [Share]: the memory that it holds for the received part of its body, for the
// work on it, and for the answer until the client has read it. A share that cannot grow is
// refused. A share never waits for room while it holds something, because two shares could then
// wait for each other for ever.
//
// Three quarters of the budget are for larger requests. The last quarter is for small requests
// alone: most requests are small, and so are all reads and writes of single objects. A budget
// for the whole memory of a process leaves out what else the process holds.
//
// A larger request announces how much it will need before it holds anything. It then waits
// until that much is free, first come, first served ([Share.Wait]). The budget keeps the
// granted room free only while the bytes of the request keep arriving. So headers that promise
// much and send nothing hold nothing, and no other request waits for them.
//
// A client may send its body or read its answer slowly as long as there is room for all
// requests. When another request needs the room, the slow client is disconnected ([Conn]).
package memory

import (
	"errors"
	"math"
	"sync"
	"time"
)

// Small is the largest body of a small request, in bytes.
const Small = 1 << 20

// idle is how long there must have been no larger request before the memory is returned to the
// system.
const idle = 5 * time.Second

var (
	// ErrFull means that there is no room now.
	ErrFull = errors.New("the memory is in use")
	// ErrTooLarge means that there will never be that much room.
	ErrTooLarge = errors.New("more memory than there is")
)

// Options configure a budget.
type Options struct {
	// Limit is the size of the budget in bytes. 0 means no limit.
	Limit int64
	// If Limit is for the whole process, Heap returns the statistics of the garbage collector,
	// and Collect starts a collection ([Budget.Look]). If Heap is nil, Limit is for the
	// requests alone.
	Heap    func() Heap
	Collect func()
	// Now is the clock.
	Now func() time.Time
	// GiveBack returns unused memory to the system. It is called some seconds after the last
	// larger request.
	GiveBack func()
}

// Budget is the memory that requests share.
type Budget struct {
	now func() time.Time
	// whole is the memory for the requests and for the rest of the process.
	whole int64

	mu sync.Mutex
	// limit is what all requests together may hold, and larger what the larger requests may
	// hold.
	limit, larger int64
	rest          rest
	// used is what all requests hold, and usedLarger what the larger requests hold.
	used, usedLarger int64
	// shares is the head of the ring of all requests. It is not a request itself.
	shares Share
	// queue holds the waiting requests, the first in front.
	queue []*Share
	// largerOnes is the number of larger requests. While it is 0, giveBack is called when
	// idling fires.
	largerOnes int
	giveBack   func()
	idling     *time.Timer
}

// New returns a budget.
func New(o Options) *Budget {
	b := &Budget{now: o.Now, giveBack: o.GiveBack, whole: o.Limit}
	b.divide(0)
	if o.Limit <= 0 {
		b.limit, b.larger = math.MaxInt64, math.MaxInt64
	} else {
		b.rest.heap, b.rest.collect = o.Heap, o.Collect
	}
	b.shares.next, b.shares.previous = &b.shares, &b.shares
	return b
}

// Used returns how many bytes are held now.
func (b *Budget) Used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// Limit returns how many bytes may be held now, or 0 if there is no limit.
func (b *Budget) Limit() int64 {
	if b.whole <= 0 {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.limit
}

// hold sets what s holds to n bytes. If it fails, s holds the same as before.
func (b *Budget) hold(s *Share, n int64) error {
	limit := b.limit
	if s.isLarger {
		limit = b.larger
	}
	more := n - s.held
	switch {
	case more <= 0:
	case n > limit:
		return ErrTooLarge
	case b.used > b.limit-more, s.isLarger && b.usedLarger > b.larger-more:
		b.interruptOne(s)
		return ErrFull
	}
	s.held = n
	b.used += more
	b.rest.most = max(b.rest.most, b.used)
	if s.isLarger {
		b.usedLarger += more
	}
	if more < 0 {
		b.callFirst()
	}
	return nil
}

// enlarge makes s one of the larger requests.
func (b *Budget) enlarge(s *Share) error {
	switch {
	case s.isLarger:
		return nil
	case b.usedLarger > b.larger-s.held:
		b.interruptOne(s)
		return ErrFull
	}
	s.isLarger = true
	b.usedLarger += s.held
	b.largerOnes++
	if b.idling != nil {
		b.idling.Stop()
	}
	return nil
}

// remove ends s.
func (b *Budget) remove(s *Share) {
	s.next.previous, s.previous.next = s.previous, s.next
	b.used -= s.held
	if s.isLarger {
		b.usedLarger -= s.held
		b.largerOnes--
		if b.largerOnes == 0 {
			b.giveBackSoon()
		}
	}
	b.callFirst()
}

func (b *Budget) giveBackSoon() {
	if b.idling == nil {
		b.idling = time.AfterFunc(idle, b.giveBack)
	} else {
		b.idling.Reset(idle)
	}
}
