package reach

import "sync"

// Health is whether something works that statuses depend on. Obstacle returns what keeps it
// from working, or nil.
type Health interface {
	Changing
	Obstacle() *Obstacle
}

// State is a Health that is set. Until then it is not known, and has no obstacle.
type State struct {
	mu       sync.Mutex
	known    bool
	obstacle *Obstacle
	changed  chan struct{} // closed at the next change
}

// Obstacle implements [Health].
func (s *State) Obstacle() *Obstacle {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.obstacle
}

// Known reports whether the state was ever set.
func (s *State) Known() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known
}

// Changed implements [Changing].
func (s *State) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	return s.changed
}

// Set sets the obstacle.
func (s *State) Set(obstacle *Obstacle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.obstacle
	if s.known && (before == obstacle || before != nil && obstacle != nil && *before == *obstacle) {
		return
	}
	s.known, s.obstacle = true, obstacle
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}
