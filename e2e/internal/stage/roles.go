package stage

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// AggregateRoles starts Kubernetes' controller that makes ClusterRoles with a label part
// of others.
func AggregateRoles(t testing.TB, scene *harness.Scene) {
	t.Helper()
	Controllers(t, scene, "--garbage-collector=false", "--namespaces=false")
}

// Controllers starts Kubernetes' controllers with flags, until the test ends.
func Controllers(t testing.TB, scene *harness.Scene, flags ...string) {
	t.Helper()
	log, err := os.Create(scene.Log("controllers.log"))
	if err != nil {
		t.Fatal(err)
	}
	controllers, err := scene.ControlPlane.StartControllers(Within(t, time.Minute), log, flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(controllers.Stop(), log.Close()); err != nil {
			t.Error(err)
		}
	})
}
