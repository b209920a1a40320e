package bulk

import (
	"fmt"
	"sync/atomic"
	"time"
)

// Progress counts objects. Its methods may be called concurrently.
type Progress struct {
	// Before is how many objects earlier runs have handled.
	Before int64
	// Noted is what is noted about some objects, such as "failed".
	Noted string

	total, handled, noted atomic.Int64
}

// Expect sets the server's estimate of how many objects are left.
func (p *Progress) Expect(left int64) { p.total.Store(p.soFar() + left) }

// Add adds an object that has been handled, and whether something is noted about it.
func (p *Progress) Add(noted bool) {
	if noted {
		p.noted.Add(1)
	}
	p.handled.Add(1)
}

// Handled returns how many objects this run has handled, and about how many something is noted.
func (p *Progress) Handled() (all, noted int64) { return p.handled.Load(), p.noted.Load() }

func (p *Progress) soFar() int64 { return p.Before + p.handled.Load() }

// Line returns how many objects are done, how fast this run is, and how long it will take.
func (p *Progress) Line(elapsed time.Duration) string { return p.Reached() + p.speed(elapsed) }

// Reached returns how many objects are done, and of how many.
func (p *Progress) Reached() string {
	done, total := p.soFar(), p.total.Load()
	if total < done || total == 0 {
		return Objects(done)
	}
	text := fmt.Sprintf("%d of about %s (%d%%)", done, Objects(total), done*100/total)
	if noted := p.noted.Load(); noted > 0 {
		text += fmt.Sprintf(", %d %s", noted, p.Noted)
	}
	return text
}

func (p *Progress) speed(elapsed time.Duration) string {
	handled := p.handled.Load()
	if elapsed <= 0 || handled == 0 {
		return ""
	}
	text := fmt.Sprintf(", %.0f/s", float64(handled)/elapsed.Seconds())
	if left := p.total.Load() - p.soFar(); left > 0 {
		remaining := time.Duration(float64(elapsed) / float64(handled) * float64(left))
		text += fmt.Sprintf(", %s left", remaining.Round(time.Second))
	}
	return text
}

// Objects returns a number of objects in words.
func Objects(n int64) string {
	if n == 1 {
		return "1 object"
	}
	return fmt.Sprintf("%d objects", n)
}
