package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// load are writers and readers of a table's objects, one of each for every
// object, at work all the time.
type load struct {
	objects []*object
	stop    context.CancelFunc
	running sync.WaitGroup
	gates   []sync.Mutex // one for each object; a holder keeps it at rest

	mu       sync.Mutex
	failures []string // requests that failed
	lost     []string // objects that read wrong
	writes   int      // that were acknowledged
	reads    int      // that were right
}

// startLoad creates objects and goes to work on them.
func startLoad(t testing.TB, tab table, seed uint64, n int) *load {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	l := &load{stop: stop, gates: make([]sync.Mutex, n)}
	for i := range n {
		o, err := create(ctx, tab, fmt.Sprintf("load-%d", i), versions()[i%2])
		if err != nil {
			stop()
			t.Fatal(err)
		}
		l.objects = append(l.objects, o)
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		l.running.Go(func() { l.work(ctx, o, &l.gates[i], random) })
	}
	t.Cleanup(func() {
		l.stop()
		l.running.Wait()
	})
	return l
}

// work writes one object and reads it in every version, over and over.
func (l *load) work(ctx context.Context, o *object, gate *sync.Mutex, random *rand.Rand) {
	for pause(ctx, time.Duration(random.IntN(100))*time.Millisecond) {
		gate.Lock()
		version := versions()[random.IntN(2)]
		// The outcome of the last write may have to be found out first.
		if len(o.states) == 1 {
			l.count(ctx, o.write(ctx, random, version), &l.writes)
		}
		for _, version := range versions() {
			l.count(ctx, o.check(ctx, version), &l.reads)
		}
		gate.Unlock()
	}
}

func (l *load) count(ctx context.Context, err error, right *int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := time.Now().Format("15:04:05.000 ")
	switch {
	case err == nil:
		*right++
	case ctx.Err() != nil:
	case errors.Is(err, errLost):
		l.lost = append(l.lost, at+err.Error())
	case isStatus(err, 429): // the API server fills its caches; clients ask again
	default:
		l.failures = append(l.failures, at+err.Error())
	}
}

// rest keeps the load at rest until the returned function is called.
func (l *load) rest() (resume func()) {
	for i := range l.gates {
		l.gates[i].Lock()
	}
	return func() {
		for i := range l.gates {
			l.gates[i].Unlock()
		}
	}
}

// wantRight wants every object to read as it was written, now.
func (l *load) wantRight(t testing.TB) {
	t.Helper()
	resume := l.rest()
	defer resume()
	until(t, func(ctx context.Context) error {
		for _, o := range l.objects {
			if err := o.checkAll(ctx); errors.Is(err, errLost) {
				t.Fatal(err)
			} else if err != nil {
				return err
			}
		}
		return nil
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, lost := range l.lost {
		t.Error(lost)
	}
	l.lost = nil
}

// wantNoFailure wants that no request has failed since the last call, and that
// there were some.
func (l *load) wantNoFailure(t testing.TB) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, failure := range l.failures[:min(5, len(l.failures))] {
		t.Error(failure)
	}
	if l.writes == 0 {
		t.Error("there were no writes")
	}
	t.Logf("%d writes, %d reads, %d failed", l.writes, l.reads, len(l.failures))
	l.failures, l.writes, l.reads = nil, 0, 0
}

// forget forgives the requests that have failed.
func (l *load) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failures, l.writes, l.reads = nil, 0, 0
}

// moved waits until every writer has been at work n more times.
func (l *load) moved(t testing.TB, n int) {
	t.Helper()
	l.mu.Lock()
	goal := l.writes + n*len(l.objects)
	l.mu.Unlock()
	until(t, func(context.Context) error {
		l.mu.Lock()
		defer l.mu.Unlock()
		return want(l.writes >= goal, "%d writes, want %d; the last failures: %v", l.writes, goal, l.failures[max(0, len(l.failures)-2):])
	})
}
