package webhook

import (
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestTurns: larger reviews are converted one after the other where there are two
// processors, and small ones all at once.
func TestTurns(t *testing.T) {
	play(t, 0, func(c *crowd) {
		c.handler.turns = newTurns(2 - 1)
		large := slices.Repeat([]string{starOf(10_000, "")}, 150)
		large = append(large, starOf(10, "waits"))
		var all []<-chan answer
		for range 3 {
			all = append(all, c.sends(large...))
		}
		if n := c.converting.Load(); n != 1 {
			t.Errorf("%d larger reviews are converted at once, want 1", n)
		}
		// Who waits holds what the work needs already.
		if used, least := c.memory.budget.Used(), int64(3*3*len(review1(large...))); used < least {
			t.Errorf("%d bytes are held, want %d at least", used, least)
		}
		for range 3 {
			all = append(all, c.sends(starOf(10, "waits")))
		}
		if n := c.converting.Load(); n != 4 {
			t.Errorf("%d reviews are converted at once, want the 3 small ones, too", n)
		}
		for range all {
			c.goOn <- struct{}{}
			synctest.Wait()
		}
		for _, one := range all {
			c.answered(<-one)
		}
	})
}

// TestLargeReviewsLetOthersWork, though it takes less than the ten milliseconds after which
// a goroutine gives way by itself. The time of the others is not that of the objects.
func TestLargeReviewsLetOthersWork(t *testing.T) {
	var clock, rests atomic.Int64
	registry := prometheus.NewRegistry()
	metrics := NewMetrics(registry)
	h := NewHandler(Options{
		Metrics: metrics, Now: func() time.Time { return time.Unix(0, clock.Load()) },
		Tables: loaded(t, metrics, func(dst, object []byte, to string, n *conversion.Notes) ([]byte, error) {
			clock.Add(int64(100 * time.Microsecond))
			return appendV1(dst, object, to, n)
		}),
	})
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	// One rest for eleven objects, and a few where the test itself had to wait.
	for _, test := range []struct{ objects, least, most int }{{10, 0, 5}, {220, 15, 30}} {
		rests.Store(0)
		var done atomic.Bool
		body := review1(slices.Repeat([]string{star}, test.objects)...)
		go func() {
			for !done.Load() {
				rests.Add(1)
				clock.Add(int64(time.Minute))
				runtime.Gosched()
			}
		}()
		post(t, h, "/convert", body)
		if got := int(rests.Load()); got < test.least || got > test.most {
			t.Errorf("%d objects: others have worked %d times, want %d to %d", test.objects, got, test.least, test.most)
		}
		done.Store(true)
		runtime.Gosched()
	}
	_, quick, _ := strings.Cut(counted(t, registry, "crosswalk_conversion_duration_seconds"), `le="0.0001"} `)
	quick, _, _ = strings.Cut(quick, "\n")
	if n, err := strconv.Atoi(quick); err != nil || n < 220 {
		t.Errorf("%q of 230 objects took 0.1 ms, want nearly all", quick)
	}
}
