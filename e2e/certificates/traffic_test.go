package certificates

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// The CRD that traffic goes through.
const crontabsCRD = "crontabs.stable.example.com"

// traffic is what a cluster does all the time: conversions in both directions
// through the API server, each answer compared, and new connections to the
// Service, as an API server makes that has just started and knows only the bundle
// in the CRD. The first need not see a certificate that changes, because the API
// server keeps its connections; the second must.
type traffic struct {
	stop context.CancelFunc
	done sync.WaitGroup

	mu    sync.Mutex
	count counts
}

// counts are what traffic has done.
type counts struct {
	Conversions, Connections int
	Failed                   []failure
}

// failure is one that went wrong.
type failure struct {
	what string // conversion or connection
	at   time.Time
	err  error
}

func (f failure) String() string {
	return fmt.Sprintf("%s %s: %v", f.at.Format("15:04:05.000"), f.what, f.err)
}

// startTraffic starts it, until the test ends or end is called.
func (c cluster) startTraffic(t *testing.T, servicePort int) *traffic {
	t.Helper()
	crd := c.watchCRD(t, crontabsCRD)
	crd.armed(t)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	f := &traffic{stop: stop}
	for i := range 2 {
		name := "traffic-" + strconv.Itoa(i)
		resource := c.createCronTab(t, name)
		f.done.Go(func() { f.run(ctx, "conversion", 5*breath, convert(resource, name)) })
	}
	f.done.Go(func() {
		f.run(ctx, "connection", breath, func(ctx context.Context, _ int) (int, error) {
			return 1, connect(ctx, crd, servicePort)
		})
	})
	t.Cleanup(f.end)
	return f
}

// createCronTab creates an object in v1, with a client of its own.
func (c cluster) createCronTab(t *testing.T, name string) harness.Resource {
	t.Helper()
	api, err := c.API()
	if err != nil {
		t.Fatal(err)
	}
	r := harness.Resource{API: api, Group: "stable.example.com", Version: "v1", Plural: "crontabs", Namespace: "default"}
	object := fmt.Appendf(nil, `{"apiVersion": "stable.example.com/v1", "kind": "CronTab", "metadata": {"name": %q},
  "spec": {"cronSpec": "* * * * */5", "image": "example.com/traffic:1", "replicas": 1, "host": "localhost", "port": "1"}}`, name)
	if _, err := r.Create(t.Context(), object); err != nil {
		t.Fatal(err)
	}
	return r
}

// breath is left between two connections, or renewals would get no processor. It is
// far shorter than any moment that the tests look for. Conversions, which see less of
// a change and cost more, have a longer one.
const breath = 40 * time.Millisecond

// run does one thing again and again, with a pause before each.
func (f *traffic) run(ctx context.Context, what string, pause time.Duration, do func(context.Context, int) (int, error)) {
	for i := 1; ctx.Err() == nil; i++ {
		time.Sleep(pause)
		done, err := do(ctx, i)
		if ctx.Err() != nil {
			return
		}
		f.mu.Lock()
		if what == "conversion" {
			f.count.Conversions += done
		} else {
			f.count.Connections += done
		}
		if err != nil {
			f.count.Failed = append(f.count.Failed, failure{what, time.Now(), err})
		}
		f.mu.Unlock()
	}
}

// end ends it.
func (f *traffic) end() {
	f.stop()
	f.done.Wait()
}

// sofar returns what has been done until now.
func (f *traffic) sofar() counts {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.count
}

// goesOn waits until some more of everything has been done, and returns the
// failures since before.
func (f *traffic) goesOn(t *testing.T, before counts) []failure {
	t.Helper()
	const more = 10
	from := f.sofar()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		now := f.sofar()
		if now.Conversions >= from.Conversions+more && now.Connections >= from.Connections+more {
			return now.Failed[len(before.Failed):]
		}
		if time.Now().After(end) {
			t.Fatalf("traffic has come to a halt: %d conversions and %d connections, of which failed %v",
				now.Conversions, now.Connections, now.Failed)
		}
	}
}

// wantNoFailure is goesOn without any.
func (f *traffic) wantNoFailure(t *testing.T, during string, before counts) {
	t.Helper()
	failed := f.goesOn(t, before)
	now := f.sofar()
	t.Logf("%s: %d conversions, %d connections, %d failed", during,
		now.Conversions-before.Conversions, now.Connections-before.Connections, len(failed))
	if len(failed) > 0 {
		t.Errorf("%s: %s", during, summary(failed))
	}
}

// summary says what failed, and for how long.
func summary(failed []failure) string {
	if len(failed) == 0 {
		return "nothing failed"
	}
	first, last := failed[0], failed[0]
	conversions := 0
	for _, one := range failed {
		if one.at.After(last.at) {
			last = one
		}
		if one.what == "conversion" {
			conversions++
		}
	}
	return fmt.Sprintf("%d conversions and %d connections failed within %s; the first: %v",
		conversions, len(failed)-conversions, last.at.Sub(first.at).Round(time.Millisecond), first)
}

// convert writes a value in each version and reads it in the other. It counts
// reads of v1beta1 and writes to it: v1 is stored.
func convert(r harness.Resource, name string) func(context.Context, int) (int, error) {
	return func(ctx context.Context, i int) (done int, err error) {
		old, current := r.In("v1beta1"), r.In("v1")
		host, port := fmt.Sprintf("host-%d.example.com", i), strconv.Itoa(i%60000+1)
		if _, err := old.MergePatch(ctx, name, fmt.Sprintf(`{"spec": {"hostPort": "%s:%s"}}`, host, port)); err != nil {
			return done, err
		}
		done++
		if err := wantSpec(ctx, current, name, map[string]string{"host": host, "port": port}); err != nil {
			return done, err
		}
		if _, err := current.MergePatch(ctx, name, fmt.Sprintf(`{"spec": {"host": "new-%s"}}`, host)); err != nil {
			return done, err
		}
		done++
		return done, wantSpec(ctx, old, name, map[string]string{"hostPort": "new-" + host + ":" + port})
	}
}

// wantSpec reads an object and compares fields of its spec.
func wantSpec(ctx context.Context, r harness.Resource, name string, want map[string]string) error {
	data, err := r.Get(ctx, name)
	if err != nil {
		return err
	}
	var object struct{ Spec map[string]any }
	if err := json.Unmarshal(data, &object); err != nil {
		return err
	}
	for field, value := range want {
		if object.Spec[field] != value {
			return fmt.Errorf("%s: spec.%s is %v, want %s", r.Version, field, object.Spec[field], value)
		}
	}
	return nil
}
