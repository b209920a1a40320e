package chaos

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// Variables of the environment that say how a walk goes.
const (
	seedVariable = "CROSSWALK_CHAOS_SEED"
	timeVariable = "CROSSWALK_CHAOS_TIME" // such as 10m
)

// TestWalk does at random what the scenarios do in order, while objects are
// written and read through every version all the time.
func TestWalk(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(seedVariable); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	length := 15 * time.Second
	if text := os.Getenv(timeVariable); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%s=%d %s=%s", seedVariable, seed, timeVariable, length)
	w := newWorld(t, stage.Programs(t).Racing(), unruly()) // which does all that the scenarios do, at once
	walk := newWalk(t, w, seed)
	end := time.Now().Add(length)
	for i := 0; time.Now().Before(end) && !t.Failed(); i++ {
		if i%8 == 7 {
			walk.check(t)
			continue
		}
		walk.step(t)
	}
	walk.check(t)
	w.observer.mu.Lock()
	defer w.observer.mu.Unlock()
	t.Logf("%d questions were answered, %d were not, while nobody could", w.observer.asked, w.observer.excused)
}

// walker is where the walk is.
type walker struct {
	*world
	random *rand.Rand
	tables []*walked
	ops    []operation
	total  int
}

// walked is a table on the walk.
type walked struct {
	table
	load  *load
	extra int // which of the tables that mean the same
	bad   bool
}

type operation struct {
	name   string
	weight int
	do     func(testing.TB)
}

func newWalk(t *testing.T, w *world, seed uint64) *walker {
	t.Helper()
	walk := &walker{world: w, random: rand.New(rand.NewPCG(seed, 0))}
	for i, stored := range versions() {
		tab := w.newTable(t, "walk-"+stored, stored)
		tab.install(t)
		walk.tables = append(walk.tables, &walked{table: tab, load: startLoad(t, tab, seed+uint64(i)+1, 2)})
	}
	walk.ops = []operation{
		{"kill manage", 3, func(testing.TB) { w.Manage.Kill() }},
		{"stop manage", 1, func(t testing.TB) { w.stop(t, w.Manage) }},
		{"start manage", 4, func(t testing.TB) { w.start(t, w.Manage) }},
		{"kill a replica", 3, func(testing.TB) { w.kill(w.Serve[walk.random.IntN(2)]) }},
		{"kill both replicas", 1, func(testing.TB) { w.kill(w.Serve...) }},
		{"start a replica", 3, func(t testing.TB) { w.start(t, w.Serve[walk.random.IntN(2)]) }},
		{"start everything", 3, func(t testing.TB) { w.everything(t) }},
		{"restart a replica gently", 2, walk.restartReplica},
		{"change a table", 5, walk.changeTable},
		{"break a table", 3, walk.breakTable},
		{"add a version", 1, walk.addVersion},
		{"store another version", 2, walk.switchStorage},
		{"let an installer replace a CRD", 3, walk.replace},
		{"delete a revision", 2, walk.deleteRevision},
		{"delete and make a Crosswalk", 2, walk.recreateCrosswalk},
		{"restart the API server", 1, walk.restartAPIServer},
		{"delete the canary's Crosswalk", 1, func(t testing.TB) { w.removeIfThere(t, crosswalksPath+"/canaries.crosswalk.dev") }},
		{"delete the serving Secret", 1, func(t testing.TB) { w.removeIfThere(t, secretsPath("crosswalk-serving")) }},
	}
	for _, op := range walk.ops {
		walk.total += op.weight
	}
	return walk
}

// step does one operation.
func (walk *walker) step(t testing.TB) {
	t.Helper()
	n := walk.random.IntN(walk.total)
	for _, op := range walk.ops {
		if n -= op.weight; n < 0 {
			t.Logf("%s %s", time.Now().Format("15:04:05.000"), op.name)
			op.do(t)
			break
		}
	}
	pause(t.Context(), time.Duration(walk.random.IntN(400))*time.Millisecond)
}

// check mends everything, and wants every table to be ready and every object to
// be as it was written.
func (walk *walker) check(t testing.TB) {
	t.Helper()
	t.Logf("%s check", time.Now().Format("15:04:05.000"))
	walk.everything(t)
	for _, k := range walk.tables {
		if k.bad {
			k.mend(t)
		}
		k.waitReady(t)
		k.load.wantRight(t)
		k.load.moved(t, 1)
	}
	walk.observer.report(t)
	for _, k := range walk.tables {
		for _, lapse := range walk.observer.lapsesOf(k.name()) {
			t.Log(lapse)
			if lapse.by != "installer" {
				t.Errorf("%s", lapse)
			}
		}
	}
}

func (walk *walker) any() *walked { return walk.tables[walk.random.IntN(len(walk.tables))] }

func (walk *walker) restartReplica(t testing.TB) {
	replica := walk.Serve[walk.random.IntN(2)]
	if other := walk.Serve[0]; replica != other && !other.Running() || replica == other && !walk.Serve[1].Running() {
		walk.kill(replica) // the last one
	} else if replica.Running() {
		walk.stop(t, replica)
	}
	walk.start(t, replica)
}

func (walk *walker) restartAPIServer(t testing.TB) {
	if err := walk.world.restartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// changeTable applies another of the tables that mean the same.
func (walk *walker) changeTable(t testing.TB) {
	k := walk.any()
	k.extra = (k.extra + 1 + walk.random.IntN(2)) % 3
	k.mend(t)
}

// mend applies a table that fits.
func (k *walked) mend(t testing.TB) {
	t.Helper()
	k.bad = false
	k.current(t).applyCrosswalk(t)
}

// current is the table as it should be.
func (k *walked) current(t testing.TB) table {
	t.Helper()
	rows := []string{`{"spoke": ".spec.image", "hub": ".spec.image"}`, `{"spoke": ".spec.replicas", "hub": ".spec.replicas"}`}
	c := k.table
	if k.extra > 0 {
		c = c.withRow(t, rows[k.extra-1])
	}
	return c
}

func (k *walked) hasVersion(name string) bool {
	for _, v := range k.CRD.Spec.Versions {
		if v.Name == name {
			return true
		}
	}
	return false
}

func (walk *walker) breakTable(t testing.TB) {
	k := walk.any()
	k.bad = true
	k.current(t).broken(t).applyCrosswalk(t)
}

// addVersion adds a version to the CRD, or takes it out again. No object is ever
// stored in it.
func (walk *walker) addVersion(t testing.TB) {
	k := walk.any()
	if k.hasVersion("v2") {
		crd := k.CRD.DeepCopy()
		crd.Spec.Versions = crd.Spec.Versions[:len(crd.Spec.Versions)-1]
		k.CRD = crd
	} else {
		k.table = k.withVersion(false)
	}
	k.applyCRD(t)
}

// switchStorage makes the other version the one that is stored from now on.
func (walk *walker) switchStorage(t testing.TB) {
	k := walk.any()
	crd := k.CRD.DeepCopy()
	for i := range crd.Spec.Versions {
		v := &crd.Spec.Versions[i]
		v.Storage = !v.Storage && v.Name != "v2"
	}
	k.CRD = crd
	k.applyCRD(t)
}

// replace takes the conversion away from a CRD. What is written until it is back
// is lost, so nothing is.
func (walk *walker) replace(t testing.TB) {
	k := walk.any()
	resume := k.load.rest()
	defer resume()
	k.replaceCRD(t)
	if walk.random.IntN(2) == 0 {
		walk.Manage.Kill()
	}
	walk.everything(t)
	k.waitRestored(t)
}

func (walk *walker) deleteRevision(t testing.TB) {
	k := walk.any()
	for _, name := range k.revisions(t) {
		walk.removeIfThere(t, revisionsPath+"/"+name)
	}
	if !walk.Manage.Running() {
		walk.start(t, walk.Manage)
	}
	k.mend(t) // or nobody could make it again
	k.waitRevision(t)
}

// waitRevision waits until the table that the CRD is armed with has its revision.
func (k *walked) waitRevision(t testing.TB) {
	t.Helper()
	until(t, func(ctx context.Context) error {
		crd, err := k.liveCRD(ctx)
		if err != nil {
			return err
		}
		a := armedOf(crd)
		if a == nil {
			return want(false, "%s is not armed", k.name())
		}
		_, err = k.API().Get(ctx, revisionsPath+"/"+k.name()+"-"+a.path[len("/convert/"):])
		return err
	})
}

// recreateCrosswalk deletes a Crosswalk that is still needed, sees that it is
// held, takes the finalizer away by force and makes it again. Its CRD stays armed
// meanwhile, with a table that only its revision holds.
func (walk *walker) recreateCrosswalk(t testing.TB) {
	k := walk.any()
	k.deleteCrosswalk(t)
	walk.start(t, walk.Manage)
	until(t, func(ctx context.Context) error {
		c, err := k.condition(ctx, v1alpha1.ConditionReady)
		if isStatus(err, 404) {
			return nil // it was so new that nobody held it yet
		}
		return joinErr(err, want(c.Reason == "StillNeeded", "it is not held: %+v", c))
	})
	k.force(t)
	pause(t.Context(), time.Duration(walk.random.IntN(300))*time.Millisecond)
	k.mend(t)
}
