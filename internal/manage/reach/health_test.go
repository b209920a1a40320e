package reach

import "testing"

func TestState(t *testing.T) {
	s := new(State)
	changed := s.Changed()
	news := func() bool {
		select {
		case <-changed:
			changed = s.Changed()
			return true
		default:
			return false
		}
	}
	if s.Known() || s.Obstacle() != nil || news() {
		t.Error("it is known before it is set")
	}
	for _, step := range []struct {
		set  *Obstacle
		news bool
	}{
		{nil, true}, // now it is known
		{nil, false},
		{&Obstacle{"A", "a"}, true},
		{&Obstacle{"A", "a"}, false},
		{&Obstacle{"A", "b"}, true},
		{nil, true},
	} {
		s.Set(step.set)
		if got := news(); got != step.news {
			t.Errorf("%v is news: %v", step.set, got)
		}
		if got := s.Obstacle(); got != step.set && *got != *step.set || !s.Known() {
			t.Errorf("got %v, want %v", got, step.set)
		}
	}
}
