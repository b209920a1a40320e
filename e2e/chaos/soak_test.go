package chaos

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// size is how much of everything a soak has.
type size struct {
	calls        float64 // that the API server makes
	certificates int     // that are served one after the other
	authorities  int     // that sign them, one after the other
	rollouts     int     // of both replicas, and of manage
	reloads      int     // of tables, CRDs and policies, broken ones too
	restarts     int     // of the API server
}

// soakSize is what there is time for.
func soakSize() size {
	if testing.Short() {
		return size{calls: 5_000, certificates: 3, authorities: 1, rollouts: 3, reloads: 10, restarts: 1}
	}
	return size{calls: 100_000, certificates: 20, authorities: 5, rollouts: 20, reloads: 50, restarts: 3}
}

// soak is a world in which clients make requests, each once, while everything is replaced
// that may be replaced during operation. No call of the API server may fail.
type soak struct {
	*world
	size
	tables []*soaked
	calls  *calls
}

// TestSoak is the world of a good operator: nothing is killed. What a rollout, a renewal or a
// reload does must not be noticed by any client.
func TestSoak(t *testing.T) {
	s := &soak{size: soakSize()}
	s.world = newWorld(t, stage.Programs(t), harness.SceneOptions{
		Lag: 200 * time.Millisecond, DrainDelay: 2 * time.Second,
		// The overlap must exceed the time in which API servers hear of a bundle.
		ManageFlags: []string{"--ca-overlap=2s"},
	})
	for _, stored := range versions() {
		s.tables = append(s.tables, s.newSoaked(t, stored))
	}
	s.calls = s.startCalls(t)
	s.disturb(t)
	s.calls.stop()
	s.calls.want(t, s.size)
	for _, k := range s.tables {
		k.waitReady(t)
	}
}

// disturb does everything at the same time, each kind of disturbance spread over the calls.
func (s *soak) disturb(t *testing.T) {
	var running sync.WaitGroup
	for name, d := range map[string]struct {
		times int
		do    func(t *testing.T, n int)
	}{
		"certificates": {s.certificates, s.renew},
		"rollouts":     {s.rollouts, s.rollOut},
		"reloads":      {s.reloads, s.reload},
		"restarts":     {s.restarts, s.restart},
	} {
		running.Go(func() {
			t.Run(name, func(t *testing.T) {
				for n := range d.times {
					s.reach(t, s.size.calls*float64(n)/float64(d.times))
					d.do(t, n)
				}
				t.Logf("%d", d.times)
			})
		})
	}
	running.Go(func() { t.Run("calls", func(t *testing.T) { s.reach(t, s.size.calls) }) })
	running.Wait()
}

// reach waits until the API server has made so many calls.
func (s *soak) reach(t *testing.T, calls float64) {
	t.Helper()
	stage.Until(t, 20*time.Minute, func(context.Context) error {
		made := s.calls.made()
		return want(made >= calls, "%.0f calls", made)
	})
}

// rollOut is a rolling restart. It is over when manage works again: if it could not give its
// Lease back, because the API server was down, the next one waits until the Lease has expired.
func (s *soak) rollOut(t *testing.T, _ int) {
	if err := s.RollingRestart(stage.Within(t, 3*patience)); err != nil {
		t.Fatal(err)
	}
	until(t, func(ctx context.Context) error {
		metrics, err := s.Manage.Metrics(ctx)
		return joinErr(err, want(stage.Total(t, metrics, "leader_election_master_status", "") == 1, "manage does not lead"))
	})
}

// restart restarts the API server. What it refuses meanwhile is counted apart.
func (s *soak) restart(t *testing.T, _ int) {
	end := s.calls.down.begin()
	defer end()
	if err := s.restartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.calls.restarted()
}
