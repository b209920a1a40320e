package memory

import "time"

const (
	// collectEvery is the shortest time between two collections that the budget starts.
	collectEvery = 10 * time.Second
	// forgotten is the number of collections after which nothing that requests held is alive:
	// one collection may have begun earlier, and the content of a sync.Pool survives two.
	forgotten = 3
)

// Heap holds statistics of the garbage collector, in bytes.
type Heap struct {
	// Live is what the last collection found alive. Gaps is the free room between live objects,
	// which only small objects can use.
	Live, Gaps int64
	// Objects is the size of all objects that may be alive: Live, and what was allocated since.
	Objects int64
	// Cycles is the number of finished collections.
	Cycles uint64
}

// rest estimates what the process holds besides the requests: tables, policies, caches. That
// memory is not counted anywhere else. It is what the garbage collector finds alive while
// requests hold little.
type rest struct {
	heap    func() Heap
	collect func()
	// asked is when the budget last started a collection.
	asked time.Time
	// most is the most that requests have held together since the last look.
	most int64
	// calm is the number of collections that had finished when requests last held more than
	// little.
	calm uint64
}

// little is the most that requests may hold when the live heap is taken as the rest. The same
// amount is left out of the rest: a process has that much without any table, besides its limit.
func (b *Budget) little() int64 { return b.whole / 16 }

// Look divides the memory of the process anew between requests and the rest. Call it about once
// a second.
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

// divide gives the requests what the rest leaves, but at least a quarter.
func (b *Budget) divide(rest int64) {
	b.limit = max(b.whole-max(rest-b.little(), 0), b.whole/4)
	b.larger = b.limit / 4 * 3
}
