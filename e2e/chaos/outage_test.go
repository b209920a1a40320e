package chaos

import (
	"sync"
	"time"
)

// outages are the times in which a test itself keeps replicas, or the API server, from answering, so
// that a question in vain proves nothing.
type outages struct {
	mu    sync.Mutex
	spans []*span
	dark  []func() // end outages in which no replica runs
}

type span struct{ from, to time.Time }

// begin begins an outage. The returned function ends it.
func (o *outages) begin() (end func()) {
	s := &span{from: time.Now()}
	o.mu.Lock()
	o.spans = append(o.spans, s)
	o.mu.Unlock()
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		s.to = time.Now()
	}
}

// brighten ends the outages in which no replica runs, after a while: whoever leads
// to the one that does hears of it late.
func (o *outages) brighten(after time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, end := range o.dark {
		time.AfterFunc(after, end)
	}
	o.dark = nil
}

// touch reports whether there was an outage at any time since.
func (o *outages) touch(since time.Time) bool { return o.between(since, time.Now()) }

// between reports whether there was an outage at any time between two.
func (o *outages) between(from, to time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.spans {
		if s.from.Before(to) && (s.to.IsZero() || s.to.After(from)) {
			return true
		}
	}
	return false
}
