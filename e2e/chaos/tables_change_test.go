package chaos

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// Tables that change, and tables that fit no longer.

// Every replica ends while the table no longer compiles, and while the CRD has got
// a version that the last good table does not know. Its revision carries it.
func testServeKilledWhileBroken(t *testing.T, w *world) {
	c := w.newTable(t, "broken", "v1beta1")
	c.install(t)
	load := startLoad(t, c, 1, 2)
	load.moved(t, 2)
	good := c.fingerprint(t)

	c.broken(t).applyCrosswalk(t)
	const fault = "v1beta1 row 2: spoke path .spec.hots is not in the v1beta1 schema; did you mean .spec.host?"
	message := c.waitCondition(t, v1alpha1.ConditionCompiled, "InvalidTable")
	if !strings.Contains(message, ".spec.hots is not in the v1beta1 schema") {
		t.Errorf("the message is %s, want something like %s", message, fault)
	}
	wantMessage(t, c.waitCondition(t, v1alpha1.ConditionArmed, "LastGoodTable"),
		"spec.conversion names the Service crosswalk-system/crosswalk and the last good table, "+good+", because the current one does not compile")
	wantMessage(t, c.waitCondition(t, v1alpha1.ConditionReady, "InvalidTable"), message)
	w.kill(w.Serve...)
	w.start(t, w.Serve...)
	load.wantRight(t)

	c.withVersion(false).applyCRD(t)
	w.kill(w.Serve...)
	w.Manage.Kill()
	w.start(t, w.Serve...)
	load.wantRight(t)
	load.moved(t, 2)
	w.everything(t)
	load.wantRight(t)
	if got := c.fingerprint(t); got != good {
		t.Errorf("the status says %s, want the last good table %s", got, good)
	}

	c = c.withVersion(false)
	c.applyCrosswalk(t)
	c.waitReady(t)
	load.wantRight(t)
	load.moved(t, 1)
	load.wantRight(t)
}

// A version comes while the CRD is armed: first served, then stored.
func testVersionAdded(t *testing.T, w *world) {
	c := w.newTable(t, "version", "v1")
	c.install(t)
	load := startLoad(t, c, 2, 2)
	load.moved(t, 1)
	load.wantNoFailure(t)

	before := c.fingerprint(t)
	c = c.withVersion(false)
	c.applyCRD(t)
	until(t, func(ctx context.Context) error {
		return joinErr(c.isReady(ctx), want(c.fingerprint(t) != before, "still armed with the table that does not know v2"))
	})
	load.moved(t, 1)
	load.wantRight(t)
	load.wantNoFailure(t)
	w.wantSame(t, c, "load-0", "v1", "v2")

	stored := c.CRD.DeepCopy()
	for i := range stored.Spec.Versions {
		stored.Spec.Versions[i].Storage = stored.Spec.Versions[i].Name == "v2"
	}
	c.CRD = stored
	c.applyCRD(t)
	c.waitReady(t)
	load.moved(t, 2)
	load.wantRight(t)
	w.wantSame(t, c, "load-0", "v1", "v2")
}

// wantSame wants the same spec in two versions.
func (w *world) wantSame(t testing.TB, c table, name, a, b string) {
	t.Helper()
	until(t, func(ctx context.Context) error {
		var specs []exact.Value
		for _, version := range []string{a, b} {
			data, err := c.in(version).Get(ctx, name)
			if err != nil {
				return err
			}
			value, err := exact.Decode(data)
			if err != nil {
				return err
			}
			spec, _ := exact.At(value, "spec")
			specs = append(specs, spec)
		}
		// A writer may come between.
		diff := exact.Diff(specs[1], specs[0])
		return want(diff == "", "%s in %s and %s: %s", name, b, a, diff)
	})
}

// Replicas end and start again one after the other, and no request fails.
func testRollingRestart(t *testing.T, w *world) {
	c := w.newTable(t, "rolling", "v1")
	c.install(t)
	load := startLoad(t, c, 3, 3)
	load.moved(t, 1)
	for _, replica := range w.Serve {
		w.stop(t, replica)
		load.moved(t, 1)
		w.start(t, replica)
		w.routed(t)
		load.moved(t, 1)
	}
	load.wantRight(t)
	load.wantNoFailure(t)
}

// A table changes again and again in two rows at once. No request fails, and
// nobody sees one row of one table and one of the other.
func testTableChanges(t *testing.T, w *world) {
	c := w.newTable(t, "changes", "v1")
	both := []table{c.tying(t, ":", "a"), c.tying(t, "/", "b")}
	c = both[0]
	c.install(t)
	const objects = 5
	for i := range objects {
		object := fmt.Appendf(nil, `{"apiVersion":%q,"kind":"CronTab","metadata":{"name":"o%d"},
			"spec":{"cronSpec":"1 1 1 1 1","image":"i","host":"h","port":"1","timeZone":"X"}}`, c.CRD.Spec.Group+"/v1", i)
		if _, err := c.in("v1").Create(t.Context(), object); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	readers := reading{seen: map[string]int{}}
	readers.running.Go(func() {
		for ctx.Err() == nil {
			data, err := c.in("v1beta1").Get(ctx, "o0")
			readers.note(ctx, err, data)
		}
	})
	readers.running.Go(func() {
		for pause(ctx, 1) {
			items, _, err := c.in("v1beta1").List(ctx)
			var all [][]byte
			for _, item := range items {
				all = append(all, item)
			}
			if err == nil && len(items) != objects {
				err = fmt.Errorf("a list of %d", len(items))
			}
			readers.note(ctx, err, all...)
		}
	})
	readers.running.Go(func() { // writes through the version that is stored
		for i := 0; pause(ctx, 1); i++ {
			_, err := c.in("v1").MergePatch(ctx, fmt.Sprintf("o%d", i%objects), fmt.Sprintf(`{"spec":{"image":"i%d"}}`, i))
			readers.note(ctx, err)
		}
	})
	for i := range 4 {
		both[(i+1)%2].applyCrosswalk(t)
		until(t, func(ctx context.Context) error {
			data, err := c.in("v1beta1").Get(ctx, "o0")
			if err != nil {
				return err
			}
			got := shown(data)
			return want(got == []string{"h/1 b", "h:1 a"}[i%2], "it shows %s", got)
		})
	}
	stop()
	readers.running.Wait()
	for _, problem := range readers.problems[:min(5, len(readers.problems))] {
		t.Error(problem)
	}
	t.Logf("seen: %v", readers.seen)
	if len(readers.seen) != 2 {
		t.Errorf("seen: %v, want both tables", readers.seen)
	}
}

// tying is a table that ties host and port with a separator, and timeZone X with
// a shell.
func (t table) tying(tb testing.TB, separator, shell string) table {
	return t.edited(tb, func(c *v1alpha1.Crosswalk) {
		c.Spec.Versions[0].Rows[0].Template = "{host}" + separator + "{port}"
	}).withRow(tb, fmt.Sprintf(`{"spoke": ".spec.shell", "hub": ".spec.timeZone", "values": {%q: "X"}}`, shell))
}

// shown is what two rows made of an object.
func shown(object []byte) string {
	value, err := exact.Decode(object)
	if err != nil {
		return err.Error()
	}
	hostPort, _ := exact.At(value, "spec", "hostPort")
	shell, _ := exact.At(value, "spec", "shell")
	return fmt.Sprintf("%v %v", hostPort, shell)
}

// reading is what readers saw.
type reading struct {
	running  sync.WaitGroup
	mu       sync.Mutex
	seen     map[string]int
	problems []string
}

// note takes what one answer held: all of it by the same table.
func (r *reading) note(ctx context.Context, err error, objects ...[]byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err == nil:
	case ctx.Err() != nil || isStatus(err, 429):
		return
	default:
		r.problems = append(r.problems, err.Error())
		return
	}
	first := ""
	for _, object := range objects {
		now := shown(object)
		if r.seen[now]++; now != "h:1 a" && now != "h/1 b" || first != "" && now != first {
			r.problems = append(r.problems, fmt.Sprintf("a mixture: %s after %s", now, first))
		}
		first = now
	}
}
