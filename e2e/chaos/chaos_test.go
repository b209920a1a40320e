package chaos

import (
	"sync"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// TestChaos plays every scenario on one installation. Each has CRDs of its own,
// which go when it is over, and leaves everything running.
func TestChaos(t *testing.T) {
	t.Parallel() // it waits most of the time, as the walk does
	w := newWorld(t, stage.Programs(t), unruly())
	// These disturb nobody, and are played at the same time.
	var playing sync.WaitGroup
	for name, play := range map[string]func(*testing.T, *world){
		"the CRD before the installation":       testBeforeInstallation,
		"the Crosswalk before its CRD":          testCrosswalkFirst,
		"the CRD before its Crosswalk":          testCRDFirst,
		"a version is added":                    testVersionAdded,
		"tables change":                         testTableChanges,
		"an installer replaces the CRD":         testInstaller,
		"somebody meddles with spec.conversion": testMeddling,
		"somebody meddles again and again":      testContention,
		"another converter had the CRD":         testTakenOver,
		"another CRD of the same name":          testAnotherCRD,
		"the API server refuses":                testRefused,
	} {
		playing.Go(func() { t.Run(name, func(t *testing.T) { play(t, w) }) })
	}
	playing.Wait()
	w.sweep(t)
	w.observer.report(t)
	for _, scenario := range []struct {
		name string
		play func(*testing.T, *world)
	}{
		{"serve before manage", testServeFirst},
		{"manage before serve", testManageFirst},
		{"manage killed while it arms", testManageKilled},
		{"leaders change while they arm", testLeaders},
		{"serve killed while the table does not compile", testServeKilledWhileBroken},
		{"rolling restart", testRollingRestart},
		{"a Crosswalk is deleted while it is needed", testDeletedWhileNeeded},
		{"a Crosswalk is deleted and made again", testCrosswalkRecreated},
		{"a CRD is deleted and made again", testCRDRecreated},
		{"revisions are deleted", testRevisionsDeleted},
		{"the canary is deleted", testCanaryDeleted},
		{"Secrets are deleted", testSecretsDeleted},
		{"what an operator sees", testOperator},
		{"roles start while the API server is away", testWithoutAPIServer},
	} {
		t.Run(scenario.name, func(t *testing.T) {
			w.everything(t)
			scenario.play(t, w)
			w.sweep(t)
			w.observer.report(t)
		})
	}
	w.observer.mu.Lock()
	defer w.observer.mu.Unlock()
	t.Logf("%d questions were answered, %d were not, while nobody could", w.observer.asked, w.observer.excused)
}
