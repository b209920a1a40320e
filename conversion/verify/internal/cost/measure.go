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

// Converter is the converter to measure, for example *conversion.Converter.
type Converter interface {
	ConvertNoting(ctx context.Context, dst, object []byte, to string, notes *conversion.Notes) ([]byte, error)
}

// Cost is what the conversion of one object costs, and what it is compared with.
type Cost struct {
	// Bytes is the length of the object.
	Bytes int
	// Time is the CPU time of a conversion, and Decoding that of the law.
	Time, Decoding time.Duration
	// Memory is the most memory in bytes that is alive at once, or the memory that is allocated if
	// that is within the law. It is 0 if the conversion takes too long to be done once more. Tree
	// is the memory of the object decoded by encoding/json.
	Memory, Tree uint64
}

// Times returns the ratio of the time beyond the law's slack to that of decoding.
func (c Cost) Times(law Law) float64 {
	return max(0, float64(c.Time-law.Slack)/float64(c.Decoding))
}

// Trees returns the ratio of the memory beyond the law's room to that of the tree.
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
	// runs is how often each time is measured. The least is taken.
	runs = 3
	// measurable is the least time that is measured in one go. Shorter work is repeated.
	measurable = 4 * time.Millisecond
)

// endless is more time than any object is worth. A conversion that takes longer is not measured
// further. Work that takes half of it is measured once, because disturbances no longer matter.
var endless = 2 * time.Second

func isLong(d time.Duration) bool { return d >= endless/2 }

// Measure converts an object, and decodes it by the law. It measures a time again if the time
// breaks the law, or if the law limits the growth, which needs exact times. The program must have
// called StopTheWorld.
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
	cost.Decoding = timeOf(failing(decode))
	settle()
	before := allocated()
	cost.Time = cputime.Of(failing(convert))
	cost.Memory = allocated() - before
	breaks := func() bool { return cost.Times(law) > law.Times && !isLong(cost.Time) }
	if breaks() || !math.IsInf(law.Exponent, 1) && !isLong(cost.Time) {
		cost.Time = min(cost.Time, timeOf(failing(convert)))
	}
	if breaks() {
		// Other processes may have used the processor's caches.
		cost.Decoding = min(cost.Decoding, timeOf(failing(decode)))
		cost.Time = min(cost.Time, timeOf(failing(convert)))
	}
	if err != nil {
		return cost, err
	}
	cost.Tree = treeOf(object, law)
	if cost.Time > endless {
		cost.Memory = 0
		return cost, nil
	}
	if cost.Trees(law) > law.Trees {
		allocates := cost.Memory
		cost.Memory = 0
		for i := 0; i < runs && cost.Trees(law) <= law.Trees; i++ {
			cost.Memory = max(cost.Memory, mostAlive(failing(convert), allocates))
		}
	}
	return cost, err
}

// timeOf returns the CPU time of work, the least of several runs.
func timeOf(work func()) time.Duration {
	settle()
	first := cputime.Of(work)
	if isLong(first) {
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
	tree, _ := law.Decode(object) // it was decoded before
	runtime.GC()
	after := live()
	runtime.KeepAlive(tree)
	return max(after, before+1) - before
}

// mostAlive returns how many more bytes are alive at once while work is done, which allocates a
// number of bytes. The collector runs after every 5 % of growth, but at most some hundred times. On a
// busy machine some of that may not be seen.
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
	for working := true; working; {
		select {
		case <-done: // the last collection may have been since the last look
			working = false
		case <-time.After(200 * time.Microsecond):
		}
		if now := live(); now > before {
			most = max(most, now-before)
		}
	}
	return most
}

// settle collects all memory that is not in use. It takes two collections to empty the pools.
func settle() {
	runtime.GC()
	runtime.GC()
}

// allocated returns how many bytes were allocated since the process began.
func allocated() uint64 { return read("/gc/heap/allocs:bytes") }

// live returns how many bytes the last collection found alive.
func live() uint64 { return read("/gc/heap/live:bytes") }

func read(metric string) uint64 {
	sample := []metrics.Sample{{Name: metric}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
