package cost

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/cputime"
)

// Converter is what is measured: *conversion.Converter, for example.
type Converter interface {
	ConvertNoting(ctx context.Context, dst, object []byte, to string, notes *conversion.Notes) ([]byte, error)
}

// Cost is what the conversion of one object costs, and what the law compares that with.
type Cost struct {
	// Bytes is the length of the object.
	Bytes int
	// Time is the CPU time of a conversion, and Decoding that of the law.
	Time, Decoding time.Duration
	// Memory is the most that is alive at once, in bytes, or what is allocated if that is
	// within the law, or 0 where the conversion takes too long to be done once more. Tree is what
	// encoding/json makes of the object.
	Memory, Tree uint64
}

// Times returns how many times the time of decoding a conversion takes beyond the law's slack.
func (c Cost) Times(law Law) float64 {
	return max(0, float64(c.Time-law.Slack)/float64(c.Decoding))
}

// Trees returns how many times the tree's size a conversion takes beyond the law's room.
func (c Cost) Trees(law Law) float64 {
	if c.Memory <= law.Room {
		return 0
	}
	return float64(c.Memory-law.Room) / float64(c.Tree)
}

func (c Cost) String() string {
	return fmt.Sprintf("%d bytes: %v, %.1f times the %v of decoding; %.1f MB, %.1f times the tree of %.1f MB", c.Bytes,
		c.Time.Round(time.Microsecond), float64(c.Time)/float64(c.Decoding), c.Decoding.Round(time.Microsecond),
		float64(c.Memory)/1e6, float64(c.Memory)/float64(c.Tree), float64(c.Tree)/1e6)
}

const (
	// runs is how often each time is measured: the least of them counts.
	runs = 3
	// measurable is how long work takes that is measured once. Shorter work is repeated.
	measurable = 4 * time.Millisecond
	// long is what is measured once, because nothing disturbs it as much as matters.
	long = time.Second
	// endless is longer than any object is worth: nothing more is asked of such a conversion.
	endless = 2 * time.Second
)

// Measure converts an object, several times, and has the law decode it.
func Measure(c Converter, object []byte, to string, law Law) (Cost, error) {
	cost := Cost{Bytes: len(object)}
	var err error
	failing := func(do func() error) func() {
		return func() {
			if e := do(); e != nil {
				err = e
			}
		}
	}
	room := make([]byte, 0, 2*len(object)+4096)
	convert := func() error { _, err := c.ConvertNoting(context.Background(), room, object, to, nil); return err }
	decode := func() error { _, err := law.Decode(object); return err }
	cost.Decoding = timed(failing(decode))
	cost.Time = timed(failing(convert))
	if cost.Times(law) > law.Times && cost.Time < long {
		// Something else may have had the processor's caches for itself.
		cost.Decoding = min(cost.Decoding, timed(failing(decode)))
		cost.Time = min(cost.Time, timed(failing(convert)))
	}
	if err != nil {
		return cost, err
	}
	cost.Tree = treeOf(object, law)
	if cost.Time > endless {
		return cost, nil
	}
	settle()
	before := allocated()
	failing(convert)()
	if cost.Memory = allocated() - before; cost.Trees(law) > law.Trees {
		// What the collector finds alive is too much by what is allocated while it marks.
		allocates := cost.Memory
		cost.Memory = mostAlive(failing(convert), allocates)
		cost.Memory = min(cost.Memory, mostAlive(failing(convert), allocates))
	}
	return cost, err
}

// timed returns the CPU time of work, the least of several runs.
func timed(work func()) time.Duration {
	settle()
	first := cputime.Of(work)
	if first >= long {
		return first
	}
	times := 1
	if first < measurable {
		times = int(measurable/max(first, time.Microsecond)) + 1
	}
	least := time.Duration(math.MaxInt64)
	for range runs {
		took := cputime.Of(func() {
			for range times {
				work()
			}
		})
		least = min(least, took/time.Duration(times))
	}
	return min(least, first)
}

// treeOf returns how many bytes are alive because of the tree of an object.
func treeOf(object []byte, law Law) uint64 {
	settle()
	before := live()
	tree, _ := law.Decode(object) // it has been decoded before
	runtime.GC()
	after := live()
	runtime.KeepAlive(tree)
	return max(after, before+1) - before
}

// mostAlive returns how many more bytes than before are alive at once while work is done that
// allocates so many bytes. The collector runs after every 5 % of growth, or as often as some
// hundred times where that would be oftener.
func mostAlive(work func(), allocates uint64) uint64 {
	settle()
	before, most := live(), uint64(0)
	percent := max(5, int(100*(allocates/300)/max(before, 1)))
	defer debug.SetGCPercent(debug.SetGCPercent(percent))
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	for {
		select {
		case <-done:
			return most
		case <-time.After(200 * time.Microsecond):
			if now := live(); now > before {
				most = max(most, now-before)
			}
		}
	}
}

// settle collects what is not in use. It takes two collections to empty the pools.
func settle() {
	runtime.GC()
	runtime.GC()
}

// allocated returns how many bytes have been allocated since the process began.
func allocated() uint64 { return read("/gc/heap/allocs:bytes") }

// live returns how many bytes the last collection found alive.
func live() uint64 { return read("/gc/heap/live:bytes") }

func read(metric string) uint64 {
	sample := []metrics.Sample{{Name: metric}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
