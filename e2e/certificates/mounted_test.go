package certificates

import (
	"context"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// TestCertManagerMounted mounts cert-manager's Secret into crosswalk serve, which
// then needs no right to read it.
func TestCertManagerMounted(t *testing.T) {
	t.Parallel()
	folder := newMount(t)
	c, scene := startScene(t, harness.SceneOptions{
		Overlay: overlayWith(t, "overlays/cert-manager", map[string][]string{
			"serve": {"serve", "--certs=folder", "--certs-dir=" + folder.dir},
		}),
		Prepare: func(ctx context.Context, plane *harness.ControlPlane) error {
			if err := withCertManager(t)(ctx, plane); err != nil {
				return err
			}
			api, err := plane.API()
			folder.follow(t, cluster{ControlPlane: plane, api: api})
			return err
		},
	})
	history := c.watchCRD(t, crontabsCRD)
	if err := scene.Apply(t.Context(), c.crontabs(t)); err != nil {
		t.Fatal(err)
	}
	wantArmedAtOnce(t, history.armed(t)[0], c.issued(t).Data["ca.crt"])
	flow := c.startTraffic(t, scene.ServicePort)
	before := flow.sofar()
	wantServed(t, scene, c.renew(t, serving))
	flow.wantNoFailure(t, "the leaf's renewal", before)
	flow.end()
	c.wantConversion(t)
}
