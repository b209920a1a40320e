package caller

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
)

// looked is a context that is done once it has been looked at so many times.
type looked struct {
	context.Context
	left int
}

func (l *looked) Err() error {
	if l.left--; l.left < 0 {
		return context.Canceled
	}
	return nil
}

// work does some, and says how much.
func work(c *Caller, units, times int) (done int, err error) {
	defer Catch(&err)
	for range times {
		c.Work(units)
		done++
	}
	return done, nil
}

func TestWorkEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	c := Of(ctx)
	if done, err := work(&c, 1, 10); done != 10 || err != nil {
		t.Errorf("%d, %v", done, err)
	}
	why := errors.New("the connection is closed")
	cancel(why)
	if done, err := work(&c, 1, 10*every); done == 0 || done > every || !errors.Is(err, why) ||
		err.Error() != "it was ended, because nobody waits for it any more: the connection is closed" {
		t.Errorf("%d, %v", done, err)
	}
	if done, err := work(&c, every, 10); done > 1 || !errors.Is(err, why) {
		t.Errorf("%d, %v", done, err)
	}
	gone := Of(ctx)
	if done, err := work(&gone, 1, 10); done != 0 || !errors.Is(err, why) {
		t.Errorf("work for one who has gone before: %d, %v", done, err)
	}
}

// A context is looked at once for so much work, however it is counted.
func TestLooks(t *testing.T) {
	for _, units := range []int{1, 7, every} {
		ctx, cancel := context.WithCancel(t.Context())
		l := &looked{ctx, 1 << 30}
		c := Of(l)
		if _, err := work(&c, units, 20*every/units); err != nil {
			t.Error(err)
		}
		if looks := 1<<30 - l.left; looks < 18 || looks > 22 {
			t.Errorf("%d looks for %d units at a time", looks, units)
		}
		cancel()
	}
}

func TestNobodyGoes(t *testing.T) {
	var none *Caller
	for name, c := range map[string]*Caller{"no caller": none, "zero": {}, "in the background": new(Of(context.Background()))} {
		if done, err := work(c, every, 10); done != 10 || err != nil {
			t.Errorf("%s: %d, %v", name, done, err)
		}
	}
}

// Other panics pass.
func TestCatchesNothingElse(t *testing.T) {
	defer func() {
		if p := recover(); p != "else" {
			t.Errorf("got %v", p)
		}
	}()
	func() {
		var err error
		defer Catch(&err)
		panic("else")
	}()
	t.Error("it was caught")
}

// TestOthersWork: who works for long lets others work, and who works briefly does not
// wait for them.
func TestOthersWork(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for units, want := range map[int]bool{every: false, 3 * every: true} {
		var others atomic.Bool
		c := Of(t.Context())
		go others.Store(true)
		if _, err := work(&c, 1, units); err != nil || others.Load() != want {
			t.Errorf("%d units: others have worked: %v, want %v, %v", units, others.Load(), want, err)
		}
		runtime.Gosched()
	}
}
