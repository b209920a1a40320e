package injection

import "sync"

// States of an object that asks for a bundle.
const (
	stateInjected = "injected"
	stateProblem  = "problem"
)

// states remembers the state of each object, so that a problem is reported when it begins and
// not at every look.
type states struct {
	mu      sync.Mutex
	known   map[target]state
	metrics *metrics
}

type state struct{ name, why string }

func newStates(m *metrics) *states { return &states{known: map[target]state{}, metrics: m} }

// set stores a state, and reports whether it is new.
func (s *states) set(t target, name, why string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was, known := s.known[t]
	if known && was == (state{name, why}) {
		return false
	}
	if known {
		s.metrics.objects.WithLabelValues(t.Kind, was.name).Dec()
	}
	s.known[t] = state{name, why}
	s.metrics.objects.WithLabelValues(t.Kind, name).Inc()
	return true
}

func (s *states) drop(t target) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if was, known := s.known[t]; known {
		s.metrics.objects.WithLabelValues(t.Kind, was.name).Dec()
		delete(s.known, t)
	}
}
