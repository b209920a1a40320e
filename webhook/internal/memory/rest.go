package memory

import "time"

const (
	// collectEvery is how often the budget asks for a collection, at most.
	collectEvery = 10 * time.Second
	// forgotten is how many collections it takes until nothing is alive that requests held
	// before: one may have begun earlier, and what is in a sync.Pool outlives two.
	forgotten = 3
)

// Heap is what the garbage collector knows of the process, in bytes.
type Heap struct {
	// Live is what it has found alive the last time, and Gaps the room between, which only
	// small objects can use.
	Live, Gaps int64
	// Objects is what is alive, or was allocated since and may be.
	Objects int64
	// Cycles is how many collections have ended.
	Cycles uint64
}

// rest is what the process holds beside the requests: tables, policies, caches. Nobody
// counts it. The garbage collector finds it where requests hold little.
type rest struct {
	heap    func() Heap
	collect func()
	// asked is when the budget asked for a collection the last time.
	asked time.Time
	// most is what requests have held together since it looked.
	most int64
	// calm is how many collections had ended when requests held more than little the last
	// time.
	calm uint64
}

// little is what requests hold at most while what is alive counts as the rest. As much of
// the rest is left out: a process has it without any table, beside its limit.
func (b *Budget) little() int64 { return b.whole / 16 }

// Look divides the memory of the process anew between requests and the rest. It is to be
// called again and again, about once a second.
func (b *Budget) Look() {
	r := &b.rest
	if r.heap == nil {
		return
	}
	heap, now := r.heap(), b.now()
	b.mu.Lock()
	defer b.mu.Unlock()
	isCalm := r.most <= b.little()
	r.most = b.used
	switch {
	case !isCalm:
		r.calm = heap.Cycles
	case heap.Cycles >= r.calm+forgotten:
		b.divide(heap.Live + heap.Gaps)
	}
	if isCalm && heap.Objects-heap.Live > b.little() && now.Sub(r.asked) >= collectEvery {
		r.asked = now
		go r.collect()
	}
}

// divide gives the requests what the rest leaves, and a quarter of all if it leaves less.
func (b *Budget) divide(rest int64) {
	b.limit = max(b.whole-max(rest-b.little(), 0), b.whole/4)
	b.larger = b.limit / 4 * 3
}
