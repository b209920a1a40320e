package certs

import (
	"errors"
	"sync"
	"sync/atomic"
)

// holder keeps the current pair for a source.
type holder struct {
	pair    atomic.Pointer[Pair]
	mu      sync.Mutex
	changed chan struct{}
	why     error // why there is no pair
}

// Current implements [Source].
func (h *holder) Current() (*Pair, error) {
	if p := h.pair.Load(); p != nil {
		return p, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.why != nil {
		return nil, h.why
	}
	return nil, errors.New("there is no serving certificate yet")
}

// Changed implements [Source].
func (h *holder) Changed() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.changed == nil {
		h.changed = make(chan struct{})
	}
	return h.changed
}

// holds reports whether there is a pair.
func (h *holder) holds() bool { return h.pair.Load() != nil }

// set replaces the pair and wakes the waiting callers. It reports whether anything changed.
func (h *holder) set(p *Pair) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pair.Load().equal(p) {
		return false
	}
	h.pair.Store(p)
	if h.changed != nil {
		close(h.changed)
		h.changed = nil
	}
	return true
}

// fail records why there is no pair. If there is one, it stays.
func (h *holder) fail(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.why = err
}
