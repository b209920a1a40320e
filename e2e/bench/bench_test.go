package bench

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"runtime"
	"testing"
)

// Both are what the project wants to reach at least.
const (
	wantThroughput  = 10 // times that of controller-runtime
	wantAllocations = 10 // times fewer than controller-runtime
)

// rounds is how often each handler is measured with each review.
const rounds = 3

// measured is what one exchange costs; zero says that it was not measured.
type measured struct{ nanoseconds, allocations float64 }

func (m measured) best(other measured) measured {
	if m == (measured{}) || other != (measured{}) && other.nanoseconds < m.nanoseconds {
		return other
	}
	return m
}

// BenchmarkConversion measures both handlers on the same reviews and prints how
// they compare. It fails where an answer differs or Crosswalk is not as much
// better as it has to be.
func BenchmarkConversion(b *testing.B) {
	ours, theirs := crosswalk(b), controllerRuntime(b)
	var table []string
	for _, size := range []int{1200, 10000} {
		for _, count := range []int{1, 1500} {
			content := review(size, count)
			sameAnswer(b, ours, theirs, content)
			name := fmt.Sprintf("%dx%dB", count, size)
			// In turns, and the best counts: what else runs on the machine
			// meanwhile should strike neither more than the other.
			var peer, mine measured
			for range rounds {
				peer = peer.best(measure(b, name+"/controller-runtime", theirs, convertPath, content))
				mine = mine.best(measure(b, name+"/crosswalk", ours, convertPath, content))
			}
			if peer == (measured{}) || mine == (measured{}) {
				continue // not chosen by -bench
			}
			faster, fewer := peer.nanoseconds/mine.nanoseconds, peer.allocations/mine.allocations
			table = append(table, fmt.Sprintf("%4d of %5d B: %5.1f µs, %5.1f MB/s, %5.1f times as fast; %4.0f allocations, %7.1f times fewer",
				count, size, mine.nanoseconds/1e3, float64(len(content))/mine.nanoseconds*1e3, faster, mine.allocations, fewer))
			if faster < wantThroughput || fewer < wantAllocations {
				b.Errorf("%s: %.1f times the throughput and %.1f times fewer allocations, want %d and %d", name, faster, fewer, wantThroughput, wantAllocations)
			}
		}
	}
	fmt.Println("\nCrosswalk against controller-runtime:")
	for _, line := range table {
		fmt.Println(line)
	}
	fmt.Println()
}

// measure runs one handler, if -bench chooses it.
func measure(b *testing.B, name string, h http.Handler, path string, content []byte) measured {
	var m measured
	b.Run(name, func(b *testing.B) {
		e := newExchange(h, path, content)
		e.post() // fills pools and caches
		b.SetBytes(int64(len(content)))
		b.ReportAllocs()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for b.Loop() {
			e.post()
		}
		runtime.ReadMemStats(&after)
		n := float64(b.N)
		m = measured{float64(b.Elapsed().Nanoseconds()) / n, float64(after.Mallocs-before.Mallocs) / n}
	})
	return m
}

// answer is what the API server reads of an answer.
type answer struct {
	Kind, APIVersion string
	Response         struct {
		UID              string
		ConvertedObjects []any
		Result           struct{ Status, Message string }
	}
}

func sameAnswer(tb testing.TB, ours, theirs http.Handler, content []byte) {
	tb.Helper()
	a, b := ask(tb, ours, content), ask(tb, theirs, content)
	if a.Response.Result.Status != "Success" || len(a.Response.ConvertedObjects) == 0 {
		tb.Fatalf("not converted: %+v", a.Response.Result)
	}
	if !reflect.DeepEqual(a, b) {
		for i := range a.Response.ConvertedObjects {
			if x, y := a.Response.ConvertedObjects[i], b.Response.ConvertedObjects[i]; !reflect.DeepEqual(x, y) {
				tb.Fatalf("object %d differs\n     crosswalk %v\ncontroller-runtime %v", i, x, y)
			}
		}
		tb.Fatalf("the answers differ:\n%.500v\n%.500v", a, b)
	}
}

func ask(tb testing.TB, h http.Handler, content []byte) answer {
	tb.Helper()
	e := newExchange(h, convertPath, content)
	e.keep = true
	e.post()
	var a answer
	if err := json.Unmarshal(e.answer, &a); err != nil || e.status != http.StatusOK {
		tb.Fatalf("answered %d %.500s: %v", e.status, e.answer, err)
	}
	return a
}

// TestSameAnswers keeps the two comparable when nobody measures.
func TestSameAnswers(t *testing.T) {
	ours, theirs := crosswalk(t), controllerRuntime(t)
	for _, size := range []int{1200, 10000} {
		sameAnswer(t, ours, theirs, review(size, 3))
	}
}
