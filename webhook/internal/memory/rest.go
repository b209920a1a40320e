package memory

import "time"

const (
	// lookEvery is how often the budget looks, at most, what the rest of the process holds.
	lookEvery = time.Second
	// little is the part of the process's memory that requests hold at most while what is
	// alive counts as the rest.
	little = 32
	// forgotten is how many collections it takes until nothing is alive that requests held
	// before: one may have begun earlier, and what is in a sync.Pool outlives two.
	forgotten = 3
)

// Collected is what the garbage collector has found.
type Collected struct {
	// Live is what it has found alive the last time, in bytes.
	Live int64
	// Cycles is how many collections have ended.
	Cycles uint64
}

// rest is what the process holds beside the requests: tables, policies, caches. Nobody
// counts it. The garbage collector finds it where requests hold little.
type rest struct {
	collected func() Collected
	// looked is when the budget looked the last time, and most what requests have held
	// together since then.
	looked time.Time
	most   int64
	// calm is how many collections had ended when requests held more than little the last
	// time.
	calm uint64
}

// look divides the memory anew between requests and the rest.
func (b *Budget) look() {
	r := &b.rest
	if r.collected == nil {
		return
	}
	now := b.now()
	if now.Sub(r.looked) < lookEvery {
		return
	}
	r.looked = now
	found := r.collected()
	if r.most > b.whole/little {
		r.calm = found.Cycles
	}
	r.most = b.used
	if found.Cycles >= r.calm+forgotten {
		b.divide(found.Live)
	}
}

// divide gives the requests what the rest leaves, and a quarter of all if it leaves less.
func (b *Budget) divide(rest int64) {
	b.limit = max(b.whole-rest, b.whole/4)
	b.larger = b.limit / 4 * 3
}
