package migrate

import (
	"fmt"
	"time"
)

// expect notes the server's estimate of how many objects are left.
func (s *session) expect(left int64) {
	s.total.Store(s.soFar() + left)
}

// soFar returns how many objects are done, by this run and earlier ones.
func (s *session) soFar() int64 { return s.earlier.done() + s.handled.Load() }

// progress returns how many objects are done, how fast this run is, and how long it will take.
func (s *session) progress(elapsed time.Duration) string {
	return s.reached() + s.speed(elapsed)
}

// reached returns how many objects are done, and of how many.
func (s *session) reached() string {
	done, total := s.soFar(), s.total.Load()
	if total < done || total == 0 {
		return objects(done)
	}
	text := fmt.Sprintf("%d of about %s (%d%%)", done, objects(total), done*100/total)
	if failures := s.failures.Load(); failures > 0 {
		text += fmt.Sprintf(", %d failed", failures)
	}
	return text
}

// speed returns how fast this run is and how long it will take.
func (s *session) speed(elapsed time.Duration) string {
	handled := s.handled.Load()
	if elapsed <= 0 || handled == 0 {
		return ""
	}
	text := fmt.Sprintf(", %.0f/s", float64(handled)/elapsed.Seconds())
	if left := s.total.Load() - s.soFar(); left > 0 {
		remaining := time.Duration(float64(elapsed) / float64(handled) * float64(left))
		text += fmt.Sprintf(", %s left", remaining.Round(time.Second))
	}
	return text
}

// all returns the results of all runs together.
func (s *session) all() counts {
	return counts{
		Rewritten: s.earlier.Rewritten + s.done.Rewritten,
		Already:   s.earlier.Already + s.done.Already,
		Gone:      s.earlier.Gone + s.done.Gone,
	}
}
