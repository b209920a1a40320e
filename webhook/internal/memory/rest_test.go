package memory

import (
	"testing"
	"testing/synctest"
	"time"
)

// process is a scene in which 400 MB are those of the process.
type process struct {
	*scene
	heap      Heap
	collected int
}

func playProcess(t *testing.T, f func(*process)) {
	synctest.Test(t, func(t *testing.T) {
		p := &process{scene: &scene{T: t}}
		p.budget = New(Options{Limit: 400 * mb, Now: time.Now, GiveBack: func() {}, Collect: func() { p.collected++ }, Heap: func() Heap { return p.heap }})
		f(p)
	})
}

// finds plays collections that find so many megabytes alive, and lets the budget look.
func (p *process) finds(times uint64, megabytes int64) {
	p.heap = Heap{Live: megabytes * mb, Objects: megabytes * mb, Cycles: p.heap.Cycles + times}
	p.budget.Look()
}

func (p *process) limit(want int64) {
	p.Helper()
	if got := p.budget.Limit(); got != want*mb {
		p.Errorf("the limit is %d MB, want %d", got/mb, want)
	}
}

// TestRestIsLeftOut: requests have what tables leave, or a quarter. What any process has is
// not among it: 25 MB of 400.
func TestRestIsLeftOut(t *testing.T) {
	playProcess(t, func(p *process) {
		p.limit(400)
		p.finds(forgotten, 25)
		p.limit(400)
		p.finds(1, 125)
		p.limit(300)
		p.larger(225).Leave()
		p.want(ErrTooLarge, p.join().Wait(p.Context(), 226*mb))
		p.finds(1, 65)
		p.limit(360)
		p.finds(1, 399)
		p.limit(100)
		p.larger(75).Leave()
	})
}

// TestGapsAreTaken: no buffer fits between small objects.
func TestGapsAreTaken(t *testing.T) {
	playProcess(t, func(p *process) {
		p.heap = Heap{Live: 125 * mb, Gaps: 50 * mb, Objects: 125 * mb, Cycles: forgotten}
		p.budget.Look()
		p.limit(250)
	})
}

// TestRestIsNotWhatRequestsHold: the live heap is the rest only if nothing in it was held by requests.
func TestRestIsNotWhatRequestsHold(t *testing.T) {
	playProcess(t, func(p *process) {
		p.finds(forgotten, 35)
		p.limit(390)
		small := p.join()
		p.want(nil, small.Work(25*mb))
		p.finds(forgotten, 45)
		p.limit(380)
		// One that is there now, one between two looks, and what they leave behind.
		p.want(nil, small.Work(100*mb))
		p.finds(forgotten, 145)
		p.limit(380)
		small.Leave()
		p.finds(forgotten, 145)
		p.limit(380)
		between := p.join()
		p.want(nil, between.Work(200*mb))
		between.Leave()
		p.finds(forgotten, 245)
		p.limit(380)
		p.finds(forgotten-1, 245)
		p.limit(380)
		p.finds(1, 65)
		p.limit(360)
	})
}

// TestAsksForACollection where much has come since the last and may stay, but not while
// requests hold much, and not again and again.
func TestAsksForACollection(t *testing.T) {
	playProcess(t, func(p *process) {
		asked := func(want int) {
			p.Helper()
			p.budget.Look()
			synctest.Wait()
			if p.collected != want {
				p.Errorf("asked %d times, want %d", p.collected, want)
			}
		}
		p.heap = Heap{Live: 40 * mb, Objects: 65 * mb, Cycles: 1}
		asked(0)
		p.heap.Objects = 66 * mb
		asked(1)
		time.Sleep(collectEvery - 1)
		asked(1)
		busy := p.join()
		p.want(nil, busy.Work(100*mb))
		time.Sleep(collectEvery)
		asked(1)
		busy.Leave()
		asked(1)
		asked(2)
	})
}
