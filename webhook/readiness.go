package webhook

import (
	"errors"
	"sync"
	"sync/atomic"
)

// Readiness reports whether this process should receive requests, and if not, which check
// fails. Checks run in the order in which they were added.
type Readiness struct {
	mu       sync.Mutex
	checks   []readinessCheck
	draining atomic.Bool
}

type readinessCheck struct {
	name  string
	check func() error
}

// NewReadiness returns a Readiness whose only check is "draining".
func NewReadiness() *Readiness {
	r := &Readiness{}
	r.Add("draining", func() error {
		if r.Draining() {
			return errors.New("the process is shutting down")
		}
		return nil
	})
	return r
}

// Add adds a check. The check must be quick and safe for concurrent use.
func (r *Readiness) Add(name string, check func() error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.checks = append(r.checks, readinessCheck{name, check})
}

// Drain makes the process permanently not ready.
func (r *Readiness) Drain() { r.draining.Store(true) }

// Draining reports whether Drain has been called.
func (r *Readiness) Draining() bool { return r.draining.Load() }

// state is the outcome of one check.
type state struct {
	name string
	err  error
}

// states runs every check.
func (r *Readiness) states() []state {
	r.mu.Lock()
	checks := r.checks // the list is only appended to
	r.mu.Unlock()
	states := make([]state, len(checks))
	for i, c := range checks {
		states[i] = state{c.name, c.check()}
	}
	return states
}
