package certificates

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// startScene starts a control plane with Crosswalk, which may inject, without any table yet.
func startScene(t *testing.T, o harness.SceneOptions) (cluster, *harness.Scene) {
	t.Helper()
	c := cluster{programs: stage.Programs(t)}
	scene := stage.StartWith(t, c.programs, o)
	c.ControlPlane = scene.ControlPlane
	var err error
	if c.api, err = c.API(); err != nil {
		t.Fatal(err)
	}
	c.kubectl(t, "apply", "-f", filepath.Join(c.programs.Root, "deploy", "components", "injection", "rbac.yaml"))
	return c, scene
}

// restart kills Crosswalk and starts it again, so that the API server has to make
// new connections, and Crosswalk to find all that it needs once more.
func restart(t *testing.T, scene *harness.Scene) {
	t.Helper()
	if err := scene.KillCrosswalk(); err != nil {
		t.Fatal(err)
	}
	if err := scene.StartCrosswalk(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// wantServed waits until every replica serves a certificate.
func wantServed(t *testing.T, scene *harness.Scene, s secret) {
	t.Helper()
	leaf := s.leaf(t)
	stage.Until(t, time.Minute, func(ctx context.Context) error {
		for _, replica := range scene.Serve {
			got, err := served(ctx, replica.Port)
			if err != nil {
				return err
			}
			if !bytes.Equal(got, leaf.Raw) {
				return fmt.Errorf("the replica with the log %s does not serve the certificate yet", replica.Log())
			}
		}
		return nil
	})
}
