// Package memory shares the memory of a process among the requests that it
// answers, so that no number of them can take more than there is.
//
// A request has a [Share], which counts what it holds: what has arrived of its body,
// what the work on it takes, and the answer until the client has read it. A share that
// cannot grow is refused. It never waits for room while it holds something: two that
// wait for each other would wait for ever.
//
// Three quarters of the budget are for larger requests. The last quarter is for small
// ones alone: most are, and all reads and writes of single objects. A budget that has the
// whole memory of a process leaves out what else the process holds.
//
// A larger request tells what it will need before it holds anything, and waits until
// that much is free, first come, first served ([Share.Wait]). What it has been granted
// is kept free for it while its bytes keep coming, and not a moment longer: headers
// that promise much and send nothing hold nothing, and keep nobody waiting.
//
// A client that sends its body or reads its answer too slowly is let alone as long as
// there is room for all. When somebody needs the room that it holds, it has to go
// ([Conn]).
package memory

import (
	"errors"
	"math"
	"sync"
	"time"
)

// Small is the largest body of a small request, in bytes.
const Small = 1 << 20

// idle is how long there has been no larger request when the memory is given back to
// the system.
const idle = 5 * time.Second

var (
	// ErrFull says that there is no room now.
	ErrFull = errors.New("the memory is in use")
	// ErrTooLarge says that there is never that much room.
	ErrTooLarge = errors.New("more memory than there is")
)

// Options say how a budget works.
type Options struct {
	// Limit is how many bytes there are. 0 is without a limit.
	Limit int64
	// Heap tells what the garbage collector knows, and Collect collects, if Limit is for the
	// whole process ([Budget.Look]). If Heap is nil, Limit is for the requests alone.
	Heap    func() Heap
	Collect func()
	// Now is the clock.
	Now func() time.Time
	// GiveBack returns to the system what nobody holds any more. It is called some
	// seconds after the last larger request.
	GiveBack func()
}

// Budget is the memory that requests share.
type Budget struct {
	now func() time.Time
	// whole is what there is, for the requests and the rest.
	whole int64

	mu sync.Mutex
	// limit is what all may hold together, and larger what the larger ones may.
	limit, larger int64
	rest          rest
	// used is what all hold together, and usedLarger what the larger ones do.
	used, usedLarger int64
	// shares is the ring of all requests, and itself none.
	shares Share
	// queue holds who waits, the first first.
	queue []*Share
	// largerOnes counts them. Where there are none, giveBack is called when idling fires.
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

// Used is how many bytes are held now.
func (b *Budget) Used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// Limit is how many bytes may be held now, or 0 without a limit.
func (b *Budget) Limit() int64 {
	if b.whole <= 0 {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.limit
}

// hold makes s hold n bytes, or fails and leaves it what it holds.
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

// enlarge counts s among the larger ones from now on.
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
