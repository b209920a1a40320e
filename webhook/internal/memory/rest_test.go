package memory

import (
	"testing"
	"testing/synctest"
	"time"
)

// process is a scene in which the 400 MB are those of the process.
type process struct {
	*scene
	found Collected
	looks int
}

func playProcess(t *testing.T, f func(*process)) {
	synctest.Test(t, func(t *testing.T) {
		p := &process{scene: &scene{T: t}}
		p.budget = New(Options{Limit: 400 * mb, Now: time.Now, GiveBack: func() {}, Collected: func() Collected {
			p.looks++
			return p.found
		}})
		f(p)
	})
}

// collects plays collections that find so many megabytes alive, of which the budget hears.
func (p *process) collects(times uint64, megabytes int64) {
	p.found = Collected{Live: megabytes * mb, Cycles: p.found.Cycles + times}
	time.Sleep(lookEvery)
	p.join().Leave()
}

func (p *process) limit(want int64) {
	p.Helper()
	if got := p.budget.Limit(); got != want*mb {
		p.Errorf("the limit is %d MB, want %d", got/mb, want)
	}
}

// TestRestIsLeftOut: requests have what tables leave, or a quarter.
func TestRestIsLeftOut(t *testing.T) {
	playProcess(t, func(p *process) {
		p.limit(400)
		p.collects(forgotten, 100)
		p.limit(300)
		p.larger(225).Leave()
		p.want(ErrTooLarge, p.join().Wait(p.Context(), 226*mb))
		p.collects(1, 40)
		p.limit(360)
		p.collects(1, 399)
		p.limit(100)
		p.larger(75).Leave()
	})
}

// TestRestIsNotWhatRequestsHold: what is alive counts when nothing is that requests held.
func TestRestIsNotWhatRequestsHold(t *testing.T) {
	playProcess(t, func(p *process) {
		p.collects(forgotten, 20)
		p.limit(380)
		small := p.join()
		p.want(nil, small.Work(400/little*mb))
		p.collects(forgotten, 30)
		p.limit(370)
		// One that is there now, one between two looks, and what they leave behind.
		p.want(nil, small.Work(100*mb))
		p.collects(forgotten, 130)
		p.limit(370)
		small.Leave()
		p.collects(forgotten, 130)
		p.limit(370)
		between := p.join()
		p.want(nil, between.Work(200*mb))
		between.Leave()
		p.collects(forgotten, 230)
		p.limit(370)
		p.collects(forgotten-1, 230)
		p.limit(370)
		p.collects(1, 50)
		p.limit(350)
	})
}

// TestLooksOnceASecond: it costs more than the rest of a small request's share.
func TestLooksOnceASecond(t *testing.T) {
	playProcess(t, func(p *process) {
		for range 100 {
			p.join().Leave()
		}
		if p.looks != 1 {
			t.Errorf("%d looks at once, want 1", p.looks)
		}
		time.Sleep(lookEvery)
		for range 100 {
			p.budget.Limit()
		}
		if p.looks != 2 {
			t.Errorf("%d looks in a second, want 2", p.looks)
		}
	})
}
