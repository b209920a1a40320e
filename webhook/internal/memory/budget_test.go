package memory

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

const mb = 1 << 20

// scene is a budget of 400 MB, of which larger ones may have 300.
type scene struct {
	*testing.T
	budget *Budget
	given  int // how often memory was given back
}

// play plays f in virtual time.
func play(t *testing.T, f func(*scene)) {
	synctest.Test(t, func(t *testing.T) {
		s := &scene{T: t}
		s.budget = New(Options{Limit: 400 * mb, Now: time.Now, GiveBack: func() { s.given++ }})
		f(s)
	})
}

// request is one that the tests play.
type request struct {
	Share
	*scene
	reads, writes int // how often it was interrupted
}

func (r *request) InterruptRead()  { r.reads++ }
func (r *request) InterruptWrite() { r.writes++ }

func (s *scene) join() *request {
	r := &request{scene: s}
	s.budget.Join(&r.Share, r)
	return r
}

// larger is a request that has been granted n megabytes.
func (s *scene) larger(n int64) *request {
	s.Helper()
	r := s.join()
	s.want(nil, r.Wait(s.Context(), n*mb))
	return r
}

func (s *scene) want(want, got error) {
	s.Helper()
	if !errors.Is(got, want) || want == nil && got != nil {
		s.Errorf("got %v, want %v", got, want)
	}
}

func (s *scene) used(want int64) {
	s.Helper()
	if got := s.budget.Used(); got != want*mb {
		s.Errorf("%d MB are used, want %d", got/mb, want)
	}
}

// queues begins to wait for n megabytes, and returns what becomes of it.
func (s *scene) queues(n int64) *waiting {
	w := &waiting{request: s.join(), since: time.Now(), done: make(chan error, 1)}
	go func() { w.done <- w.Wait(s.Context(), n*mb) }()
	synctest.Wait()
	return w
}

type waiting struct {
	*request
	since time.Time
	done  chan error
}

// after fails unless the waiting ends with err, and after so long.
func (w *waiting) after(want error, least, most time.Duration) {
	w.Helper()
	w.want(want, <-w.done)
	if took := time.Since(w.since); took < least || took > most {
		w.Errorf("it took %v, want %v to %v", took, least, most)
	}
}

// still fails unless it is still waiting.
func (w *waiting) still() {
	w.Helper()
	synctest.Wait()
	select {
	case err := <-w.done:
		w.Errorf("it waits no longer: %v", err)
	default:
	}
}

// TestUse counts what is held, from the first byte to the last of the answer.
func TestUse(t *testing.T) {
	play(t, func(s *scene) {
		a, b := s.join(), s.join()
		s.want(nil, a.Receive(10*mb))
		s.want(nil, b.Receive(20*mb))
		s.used(30)
		s.want(nil, a.Work(50*mb))
		s.used(70)
		s.want(nil, a.Send(15*mb))
		s.used(35)
		a.Leave()
		s.used(20)
		b.Leave()
		s.used(0)
	})
}

// TestSmallOnesHaveAQuarter however much the larger ones want.
func TestSmallOnesHaveAQuarter(t *testing.T) {
	play(t, func(s *scene) {
		larger := s.larger(250)
		s.want(nil, larger.Receive(300*mb))
		s.want(ErrTooLarge, larger.Receive(301*mb))
		grows := s.join()
		s.want(ErrFull, grows.Grows(1))
		grows.Leave()
		small := s.join()
		s.want(nil, small.Receive(100*mb))
		s.want(ErrFull, small.Receive(101*mb))
		s.used(400)
		larger.Leave()
		s.want(nil, small.Receive(400*mb)) // they may have all of it
		s.want(ErrTooLarge, small.Receive(401*mb))
		s.want(ErrFull, s.join().Receive(1))
	})
}

// TestLargerOnesTogether have three quarters, and not each.
func TestLargerOnesTogether(t *testing.T) {
	play(t, func(s *scene) {
		s.want(nil, s.larger(200).Receive(200*mb))
		grows := s.join()
		s.want(nil, grows.Grows(50*mb))
		s.want(nil, grows.Receive(100*mb))
		s.want(ErrFull, grows.Receive(101*mb))
		s.used(300)
	})
}

// TestSmallOnesMayHaveMore than their quarter; then less is left for larger ones.
func TestSmallOnesMayHaveMore(t *testing.T) {
	play(t, func(s *scene) {
		small := s.join()
		s.want(nil, small.Receive(250*mb))
		next := s.queues(200)
		time.Sleep(patience / 2)
		next.still()
		s.want(nil, small.Work(200*mb))
		next.after(nil, patience/2, patience/2)
	})
}

// Grows receives n bytes of a body that turns out to be a larger one.
func (r *request) Grows(n int64) error {
	if err := r.Receive(n); err != nil {
		return err
	}
	return r.Enlarge()
}

// TestRefusedHoldsWhatItHeld and what is refused never waits.
func TestRefusedHoldsWhatItHeld(t *testing.T) {
	play(t, func(s *scene) {
		other := s.join()
		s.want(nil, other.Receive(390*mb))
		r, start := s.join(), time.Now()
		s.want(nil, r.Receive(5*mb))
		s.want(ErrFull, r.Work(11*mb))
		s.used(395)
		s.want(nil, r.Work(10*mb))
		s.used(400)
		if waited := time.Since(start); waited > 0 {
			s.Errorf("it waited for %v", waited)
		}
	})
}

// TestPromisesHoldNothing: what headers announce is counted only for the queue.
func TestPromisesHoldNothing(t *testing.T) {
	play(t, func(s *scene) {
		for range 100 {
			s.queues(300)
		}
		s.used(0)
		s.want(nil, s.join().Receive(400*mb))
	})
}

// TestFirstComeFirstServed: one that would fit does not overtake one that waits.
func TestFirstComeFirstServed(t *testing.T) {
	play(t, func(s *scene) {
		first, second := s.larger(200), s.larger(100)
		s.want(nil, first.Work(200*mb))
		s.want(nil, second.Work(100*mb))
		big, little := s.queues(250), s.queues(50)
		time.Sleep(2 * time.Second)
		second.Leave() // room for the little one
		little.still()
		big.still()
		first.Leave()
		big.after(nil, 2*time.Second, 2*time.Second)
		little.after(nil, 2*time.Second, 2*time.Second)
	})
}

// TestWhatIsComingIsKeptFree for a body whose bytes come, and only for that.
func TestWhatIsComingIsKeptFree(t *testing.T) {
	play(t, func(s *scene) {
		comes := s.larger(200)
		next := s.queues(200)
		for range 20 {
			time.Sleep(90 * time.Millisecond)
			comes.Moved(mb)
		}
		next.still()
		s.want(nil, comes.Receive(200*mb))
		next.still()
		s.want(nil, comes.Work(200*mb))
		comes.Leave()
		next.after(nil, 1800*time.Millisecond, 1800*time.Millisecond)
	})
	// Once the body has arrived, a request holds only what the work takes.
	play(t, func(s *scene) {
		works := s.larger(200)
		next := s.queues(200)
		works.Moved(mb)
		s.want(nil, works.Work(100*mb))
		next.still() // until something is free
		s.want(nil, works.Send(90*mb))
		next.after(nil, 0, 0)
	})
	// Of one nothing comes at all, and the other stops.
	for begun, least := range map[bool]time.Duration{false: firstBytes, true: patience} {
		play(t, func(s *scene) {
			stops := s.larger(200)
			if begun {
				stops.Moved(1)
			}
			s.queues(200).after(nil, least, least+2*lookAgain)
			if stops.reads > 0 {
				s.Error("it was interrupted, though it holds nothing")
			}
		})
	}
}

// TestSlowOnesGiveWay when others need what they hold, and not before.
func TestSlowOnesGiveWay(t *testing.T) {
	play(t, func(s *scene) {
		pinned := s.larger(200)
		s.want(nil, pinned.Receive(200*mb))
		time.Sleep(time.Minute)
		s.larger(50).Leave()
		if pinned.reads > 0 {
			s.Error("it was interrupted, though there was room")
		}
		next := s.queues(150)
		time.Sleep(lookAgain)
		synctest.Wait()
		if pinned.reads != 1 || !pinned.Interrupted() {
			s.Errorf("interrupted %d times, want once", pinned.reads)
		}
		time.Sleep(10 * lookAgain)
		if pinned.reads != 1 {
			s.Errorf("interrupted %d times, want once", pinned.reads)
		}
		pinned.Leave()
		next.after(nil, 11*lookAgain, 11*lookAgain)
	})
	// One that was quick at first.
	play(t, func(s *scene) {
		trickles := s.larger(200)
		s.want(nil, trickles.Receive(200*mb))
		trickles.Moved(100 * mb)
		s.queues(150)
		for range 2 * patience / (100 * time.Millisecond) {
			trickles.Moved(1000)
			time.Sleep(100 * time.Millisecond)
		}
		if trickles.reads != 1 {
			s.Errorf("interrupted %d times, want once", trickles.reads)
		}
	})
}

// TestTheSlowestGivesWay first, an answer that nobody reads like a body that does not
// come; what works, or waits for its turn, does not.
func TestTheSlowestGivesWay(t *testing.T) {
	play(t, func(s *scene) {
		promises := s.larger(10) // holds nothing, so it is in nobody's way
		time.Sleep(patience)
		works := s.join()
		s.want(nil, works.Work(100*mb))
		sends := s.join()
		s.want(nil, sends.Work(200*mb))
		s.want(nil, sends.Send(100*mb))
		time.Sleep(100 * time.Millisecond)
		receives := s.join()
		s.want(nil, receives.Receive(100*mb))
		moves := s.join()
		s.want(nil, moves.Receive(100*mb))
		for range 10 {
			time.Sleep(100 * time.Millisecond)
			moves.Moved(mb / 5)
		}
		r := s.join()
		for i, want := range [][2]int{{1, 0}, {1, 1}, {1, 1}} {
			s.want(ErrFull, r.Receive(1))
			if got := [2]int{sends.writes, receives.reads}; got != want {
				s.Errorf("refused %d times: %v interrupted, want %v", i+1, got, want)
			}
		}
		if n := promises.reads + works.reads + works.writes + moves.reads; n > 0 {
			s.Errorf("%d others interrupted", n)
		}
	})
}

// TestQueueEnds by itself, and when the caller does.
func TestQueueEnds(t *testing.T) {
	play(t, func(s *scene) {
		s.want(ErrTooLarge, s.join().Wait(s.Context(), 301*mb))
		s.want(nil, s.larger(300).Work(300*mb))
		ctx, cancel := context.WithCancel(s.Context())
		gone := s.join()
		time.AfterFunc(time.Second, cancel)
		s.want(context.Canceled, gone.Wait(ctx, mb))
		var all []*waiting
		for range maxQueue {
			all = append(all, s.queues(1))
		}
		s.want(ErrFull, s.join().Wait(s.Context(), mb))
		for _, w := range all {
			w.after(ErrFull, maxWait, maxWait)
		}
		s.used(300)
	})
}

// TestGivingBack happens once nothing large is there any more.
func TestGivingBack(t *testing.T) {
	play(t, func(s *scene) {
		s.join().Leave()
		time.Sleep(time.Minute)
		for i := range 2 {
			s.larger(100).Leave()
			time.Sleep(idle - 1)
			stays := s.larger(100)
			time.Sleep(time.Minute)
			if s.given != i {
				s.Errorf("given back %d times, want %d", s.given, i)
			}
			stays.Leave()
			time.Sleep(idle)
			synctest.Wait()
			if s.given != i+1 {
				s.Errorf("given back %d times, want %d", s.given, i+1)
			}
		}
	})
}

// TestWithoutALimit everything is counted, and nothing refused.
func TestWithoutALimit(t *testing.T) {
	b := New(Options{Now: time.Now, GiveBack: func() {}})
	var r Share
	b.Join(&r, nil)
	if err := errors.Join(r.Wait(t.Context(), 1<<50), r.Receive(1<<50), r.Work(1<<51)); err != nil || b.Used() != 1<<51 {
		t.Errorf("%v, used %d", err, b.Used())
	}
}
