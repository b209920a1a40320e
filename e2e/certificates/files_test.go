package certificates

import (
	"bytes"
	"slices"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// TestFiles runs both roles on certificates in a folder, which is how it is where
// neither Crosswalk nor cert-manager may issue any. The folder's owner brings a
// new authority the way that never fails: first it is believed, then used, and
// last the old one is forgotten.
func TestFiles(t *testing.T) {
	t.Parallel()
	folder, first := newMount(t), newIssuer(t)
	leaf := first.issue(t)
	if err := folder.write(leaf); err != nil {
		t.Fatal(err)
	}
	c, scene := startScene(t, harness.SceneOptions{Overlay: overlayWith(t, "base", map[string][]string{
		"serve":  {"serve", "--certs=folder", "--certs-dir=" + folder.dir},
		"manage": {"manage", "--certs=folder", "--certs-dir=" + folder.dir},
	})})
	history := c.watchCRD(t, crontabsCRD)
	if err := scene.Apply(t.Context(), c.crontabs(t)); err != nil {
		t.Fatal(err)
	}
	if err := holds(history.armed(t)[0].bundle, first.PEM()); err != nil {
		t.Errorf("armed, but: %v", err)
	}
	wantServed(t, scene, leaf)
	c.wantConversion(t)
	for _, i := range injectables {
		c.apply(t, i.manifest(t, map[string]string{crosswalkAnnotation: "true"}))
		c.wantBundles(t, i, first.PEM())
	}

	flow := c.startTraffic(t, scene.ServicePort)
	second := newIssuer(t)
	both := bytes.Join([][]byte{first.PEM(), second.PEM()}, nil)
	for _, step := range []struct {
		name   string
		leaf   secret
		bundle []byte
	}{
		{"another leaf", first.issue(t), first.PEM()},
		{"a second authority is believed", first.issue(t), both},
		{"the second authority is used", second.issue(t), both},
		{"the first authority is forgotten", second.issue(t), second.PEM()},
	} {
		before := flow.sofar()
		step.leaf.Data["ca.crt"] = step.bundle
		if err := folder.write(step.leaf); err != nil {
			t.Fatal(err)
		}
		wantServed(t, scene, step.leaf)
		for _, i := range slices.Concat(injectables, registered, []injectable{crd(crontabsCRD)}) {
			c.wantBundles(t, i, step.bundle)
		}
		flow.wantNoFailure(t, step.name, before)
	}
	flow.end()
	c.wantConverted(t)
}
