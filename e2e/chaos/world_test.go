package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// world is an installation under attack: two replicas of serve behind a balancer,
// one manage, and an observer.
type world struct {
	*harness.Scene
	programs harness.Programs
	example  harness.Table
	before   table // its CRD was there before Crosswalk was installed
	observer *observer
	outages  outages
	api      atomic.Pointer[harness.API]
	// strangers says that CRDs may not know the CA of replicas, because a test has
	// taken theirs away.
	strangers atomic.Bool
}

const (
	// lag is how long the balancer takes to hear of a replica.
	lag = 50 * time.Millisecond
	// drain is how long a replica that is stopped serves on. It is far above the lag,
	// because a busy machine adds to it.
	drain = time.Second
	// echo is how long a killed replica is felt: it still gets connections.
	echo = 10 * lag
	// patience is how long a state may take to come.
	patience = 90 * time.Second
)

// unruly are the options of a world in which anything may be done.
func unruly() harness.SceneOptions {
	return harness.SceneOptions{
		Lag: lag, DrainDelay: drain,
		// Admission denies a CRD without its conversion, and a table that does not
		// compile, but it allows both if no replica answers. What comes then is
		// what is played here.
		APIServerFlags: []string{"--disable-admission-plugins=MutatingAdmissionWebhook,ValidatingAdmissionWebhook"},
		// A manage that is killed would otherwise be missed until its Lease runs
		// out. The change of leaders has a test of its own.
		ManageFlags: []string{"--leader-elect=false"},
	}
}

// newWorld starts an installation of the programs that ends with the test.
func newWorld(t *testing.T, programs harness.Programs, o harness.SceneOptions) *world {
	t.Helper()
	w := &world{programs: programs}
	var err error
	if w.example, err = harness.ReadTable(filepath.Join(w.programs.Root, "examples", "crontab")); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	o.Replicas = 2
	o.Prepare = func(ctx context.Context, plane *harness.ControlPlane) error {
		api, err := plane.API()
		if err != nil {
			return err
		}
		w.api.Store(api)
		w.before = w.newTable(t, "before", "v1")
		return w.apply(ctx, crdsPath+"/"+w.before.name(), strip(t, w.before.CRD))
	}
	w.Scene, err = harness.StartScene(t.Context(), w.programs, dir, o)
	if err != nil {
		t.Fatalf("%v\n%s", err, ends(dir))
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(w.LogEnds())
		}
		if err := w.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := w.reconnect(); err != nil {
		t.Fatal(err)
	}
	w.observer = newObserver(w)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.observer.run(ctx)
	}()
	for _, replica := range w.Serve {
		w.observer.running.Go(func() { w.observer.followReplica(ctx, replica) })
	}
	t.Cleanup(func() {
		stop()
		<-ended
		w.observer.report(t)
	})
	return w
}

// ends shows the end of every log in a folder.
func ends(dir string) string {
	paths, err := filepath.Glob(filepath.Join(dir, "*.log"))
	if err != nil {
		return err.Error()
	}
	var said strings.Builder
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err.Error()
		}
		fmt.Fprintf(&said, "the end of %s:\n%s\n", path, text[max(0, len(text)-2000):])
	}
	return said.String()
}

// API speaks to the API server as it runs now.
func (w *world) API() *harness.API { return w.api.Load() }

func (w *world) reconnect() error {
	api, err := w.ControlPlane.API()
	if err != nil {
		return err
	}
	w.api.Store(api)
	return nil
}

// restartAPIServer ends the API server and starts it with cold caches.
func (w *world) restartAPIServer(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return joinErr(w.ControlPlane.RestartAPIServer(ctx), w.reconnect())
}

// kill ends replicas as crashes would. Whoever is being answered hears nothing.
func (w *world) kill(replicas ...*harness.Role) {
	end := w.outages.begin()
	for _, r := range replicas {
		r.Kill()
	}
	for _, r := range w.Serve {
		if r.Running() {
			time.AfterFunc(echo, end)
			return
		}
	}
	// It ends when one is back: see start.
	w.outages.mu.Lock()
	defer w.outages.mu.Unlock()
	w.outages.dark = append(w.outages.dark, end)
}

// start starts roles that do not run, and waits until all are ready.
func (w *world) start(t testing.TB, roles ...*harness.Role) {
	t.Helper()
	for _, r := range roles {
		if !r.Running() {
			if err := r.Launch(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, r := range roles {
		if err := r.WaitReady(stage.Within(t, patience)); err != nil {
			t.Fatal(err)
		}
		if r != w.Manage {
			w.outages.brighten(echo)
		}
	}
}

// everything starts whatever does not run.
func (w *world) everything(t testing.TB) {
	t.Helper()
	w.start(t, append([]*harness.Role{w.Manage}, w.Serve...)...)
}

// stop ends a role as a rollout would.
func (w *world) stop(t testing.TB, role *harness.Role) {
	t.Helper()
	if err := role.Stop(); err != nil {
		t.Fatal(err)
	}
}

// routed waits until the Service leads to every replica: the balancer hears of one
// after the lag.
func (w *world) routed(t testing.TB) { pause(t.Context(), 3*lag) }

// until asks again and again until ask has no more to say against it.
func until(t testing.TB, ask func(context.Context) error) {
	t.Helper()
	stage.Until(t, patience, ask)
}

// isStatus reports whether err is the API server's answer with one of the codes.
func isStatus(err error, codes ...int) bool {
	var status *harness.StatusError
	if !errors.As(err, &status) {
		return false
	}
	for _, code := range codes {
		if status.Code == code {
			return true
		}
	}
	return false
}

func want(condition bool, format string, args ...any) error {
	if condition {
		return nil
	}
	return fmt.Errorf(format, args...)
}

// sweep removes the CRDs of scenarios that are over, and with them their objects,
// and then their Crosswalks, which nothing holds any more.
func (w *world) sweep(t testing.TB) {
	t.Helper()
	w.everything(t)
	for _, path := range []string{crdsPath, crosswalksPath} {
		for _, name := range w.scenarios(t, path) {
			w.removeIfThere(t, path+"/"+name)
		}
	}
	until(t, func(context.Context) error {
		left := append(w.scenarios(t, crdsPath), w.scenarios(t, crosswalksPath)...)
		return want(len(left) == 0, "%q are still there", left)
	})
}

// scenarios are the names of what newTable has made.
func (w *world) scenarios(t testing.TB, path string) (names []string) {
	t.Helper()
	data, err := w.API().Get(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Items []struct{ Metadata struct{ Name string } }
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	for _, item := range list.Items {
		if strings.HasSuffix(item.Metadata.Name, domain) {
			names = append(names, item.Metadata.Name)
		}
	}
	return names
}
