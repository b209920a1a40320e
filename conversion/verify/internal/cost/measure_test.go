package cost

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/cputime"
)

// with is a converter that works on an object and copies it.
type with func(object []byte) error

func (w with) ConvertNoting(_ context.Context, dst, object []byte, _ string, _ *conversion.Notes) ([]byte, error) {
	return append(dst[:0], object...), w(object)
}

// listing is an object of a list.
func listing(size int) []byte {
	return []byte(`{"a":[` + strings.Repeat(`{"b":1},`, size/8) + `{}]}`)
}

// decode keeps nothing of what it decodes, times times.
func decode(times int) with {
	return func(object []byte) error {
		for range times {
			var tree any
			if err := json.Unmarshal(object, &tree); err != nil {
				return err
			}
		}
		return nil
	}
}

// hold decodes an object some times and holds all of that until it ends.
func hold(times int) with {
	return func(object []byte) error {
		trees := make([]any, times)
		for i := range trees {
			if err := json.Unmarshal(object, &trees[i]); err != nil {
				return err
			}
		}
		sink = trees
		sink = nil
		return nil
	}
}

var sink any

// busy works for some time for each byte.
func busy(of func(size int) time.Duration) with {
	return func(object []byte) error {
		const step = 50 * time.Microsecond
		end := of(len(object))
		for spent := time.Duration(0); spent < end; {
			spent += cputime.Of(func() {
				for begin := time.Now(); time.Since(begin) < step; {
				}
			})
		}
		return nil
	}
}

// What is measured is what was done.
func TestMeasure(t *testing.T) {
	const elements = 10_000
	object := listing(8 * elements)
	for _, test := range []struct {
		name string
		with
		times, trees [2]float64 // at least, at most
	}{
		{"copying", func([]byte) error { return nil }, [2]float64{0, 0}, [2]float64{0, 0}},
		{"decoding 40 times, one after the other", decode(40), [2]float64{10, 45}, [2]float64{0, 3.5}},
		{"holding 6 trees", hold(6), [2]float64{0, 20}, [2]float64{4.5, 7}},
		{"working for 150 ms", busy(func(int) time.Duration { return 150 * time.Millisecond }), [2]float64{3, 100}, [2]float64{0, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			law := Ordinary()
			law.Room = 0
			cost, err := Measure(test, object, "v1", law)
			if err != nil {
				t.Fatal(err)
			}
			times, trees := cost.Times(law), cost.Trees(law)
			if strings.HasPrefix(test.name, "copying") || strings.HasPrefix(test.name, "working") {
				trees = math.Floor(trees) // what reading the clock and the like allocates
			}
			if times < test.times[0] || times > test.times[1] || trees < test.trees[0] || trees > test.trees[1] {
				t.Errorf("%v: %.1f times, %.1f trees", cost, times, trees)
			}
			if each := cost.Tree / elements; cost.Bytes != len(object) || each < 64 || each > 1000 {
				t.Errorf("%v: the tree has %d bytes for each element", cost, each)
			}
		})
	}
}

// What was slow because of something else is measured anew.
func TestMeasureAnew(t *testing.T) {
	calls := 0
	cost, err := Measure(with(func([]byte) error {
		if calls++; calls < 5 {
			return busy(func(int) time.Duration { return 100 * time.Millisecond })(nil)
		}
		return nil
	}), listing(8_000), "v1", Ordinary())
	if err != nil || cost.Time > 10*time.Millisecond {
		t.Errorf("%v, %v", cost, err)
	}
}

// What would take hours is not done again and again.
func TestMeasureEndless(t *testing.T) {
	impatient(t)
	calls := 0
	cost, err := Measure(with(func([]byte) error {
		calls++
		return tooLong(nil)
	}), listing(8_000), "v1", Ordinary())
	if err != nil || calls != 1 || cost.Time < endless || cost.Memory != 0 {
		t.Errorf("%d calls: %v, %v", calls, cost, err)
	}
}

func TestMeasureFailing(t *testing.T) {
	failed := errors.New("failed")
	if _, err := Measure(with(func([]byte) error { return failed }), listing(100), "v1", Ordinary()); !errors.Is(err, failed) {
		t.Error(err)
	}
	if _, err := Measure(decode(0), []byte("{"), "v1", Ordinary()); err == nil {
		t.Error("what is no JSON was measured")
	}
}
