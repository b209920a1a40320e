package install

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

const crontabs = "crontabs.stable.example.com"

// TestInstall takes an installation that works away, and installs what deploy/ has
// in its place.
func TestInstall(t *testing.T) {
	programs := stage.Programs(t)
	table, err := harness.ReadTable(filepath.Join(programs.Root, example))
	if err != nil {
		t.Fatal(err)
	}
	scene := stage.Start(t, programs, table)
	c := &cluster{programs: programs, plane: scene.ControlPlane}
	if c.api, err = c.plane.API(); err != nil {
		t.Fatal(err)
	}
	t.Run("removed", func(t *testing.T) { c.testRemove(t, scene) })
	// Without their rights the roles end by themselves, perhaps now, and not in order.
	if err := scene.KillCrosswalk(); err != nil {
		t.Fatal(err)
	}
	c.testInstall(t)
	t.Run("people", func(t *testing.T) { c.testUsers(t, scene) })
}

const example = "examples/crontab"

// testRemove removes Crosswalk as deploy/README.md says, from under objects that
// stay.
func (c *cluster) testRemove(t *testing.T, scene *harness.Scene) {
	log, err := os.Create(scene.Log("controllers.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	controllers, err := scene.ControlPlane.StartControllers(stage.Within(t, time.Minute), log, "--discovery-period=1s")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := controllers.Stop(); err != nil {
			t.Error(err)
		}
	}()
	c.kubectl(t, "apply", "-f", filepath.Join(c.programs.Root, example, "objects", "v1beta1.yaml"))

	if err := c.removal(t, "delete validationpolicies,mutationpolicies --all"); err != nil {
		t.Fatal(err)
	}
	first := make(chan error, 1)
	go func() { first <- c.removal(t, "delete crosswalks --all") }()
	stage.Until(t, 20*time.Second, func(ctx context.Context) error {
		said, err := c.plane.Kubectl(ctx, "describe", "crosswalk", crontabs)
		if err != nil || strings.Contains(said, "set `served: false` in the CRD for v1beta1") {
			return err
		}
		return fmt.Errorf("it does not say what to do:\n%s", said)
	})
	if got := c.strategy(t); got != "Webhook" {
		t.Errorf("while v1beta1 is served, the strategy is %s", got)
	}
	select {
	case err := <-first:
		t.Fatalf("the Crosswalks are gone before v1beta1 is no longer served: %v", err)
	default:
	}
	c.unserve(t)
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	if got := c.strategy(t); got != "None" {
		t.Errorf("after the Crosswalk is gone, the strategy is %s", got)
	}

	c.plane.ExpectRefusals() // the roles still run, and have no rights any more
	if err := c.removal(t, "delete -k deploy/base"); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"namespace/" + namespace, "crd/crosswalks.crosswalk.dev", "crd/canaries.crosswalk.dev", "clusterrole/crosswalk-manage",
		"mutatingwebhookconfiguration/0-crosswalk", "validatingwebhookconfiguration/crosswalk"} {
		if said, err := c.plane.Kubectl(t.Context(), "get", gone); err == nil {
			t.Errorf("still there: %s", said)
		}
	}
	if got := c.kubectl(t, "get", crontabs, "nightly", "-o", "jsonpath={.spec.host} {.spec.port}"); got != "localhost 1234" {
		t.Errorf("what was created in v1beta1 is now %s", got)
	}
}

// unserve has v1beta1 no longer served, so that only the stored version is.
func (c *cluster) unserve(t *testing.T) {
	t.Helper()
	c.kubectl(t, "patch", "crd", crontabs, "--type=json", `--patch=[
		{"op": "test", "path": "/spec/versions/0/name", "value": "v1beta1"},
		{"op": "replace", "path": "/spec/versions/0/served", "value": false}]`)
}

// removal runs a command of deploy/README.md, from the repository's root.
func (c *cluster) removal(t *testing.T, command string) error {
	readme, err := os.ReadFile(c.path("README.md"))
	if err != nil {
		return err
	}
	if !strings.Contains(string(readme), "\n$ kubectl "+command+"\n") {
		return fmt.Errorf("deploy/README.md has no command %q", command)
	}
	args := strings.Fields(strings.ReplaceAll(command, "deploy/", filepath.Join(c.programs.Root, "deploy")+"/"))
	_, err = c.plane.Kubectl(stage.Within(t, time.Minute), append(args, "--timeout=50s")...)
	return err
}

func (c *cluster) strategy(t *testing.T) string {
	t.Helper()
	return c.kubectl(t, "get", "crd", crontabs, "-o", "jsonpath={.spec.conversion.strategy}")
}
