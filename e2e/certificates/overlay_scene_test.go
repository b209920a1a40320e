package certificates

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// TestCertManagerChart installs the chart beside cert-manager and renews everything while
// conversions go on. The overlay that is the same is installed by others.
func TestCertManagerChart(t *testing.T) {
	t.Parallel()
	c, scene := startScene(t, harness.SceneOptions{
		Install:  harness.InstallChart(stage.Programs(t), `certificates.provider="cert-manager"`),
		Replicas: 2, Prepare: withCertManager(t),
	})
	history := c.watchCRD(t, crontabsCRD)
	if err := scene.Apply(t.Context(), c.crontabs(t)); err != nil {
		t.Fatal(err)
	}
	first := c.issued(t)
	wantServed(t, scene, first)
	wantArmedAtOnce(t, history.armed(t)[0], first.Data["ca.crt"])
	c.wantConversion(t)
	c.wantRegistered(t)
	for _, i := range injectables {
		// Who is told by both leaves it to cert-manager.
		c.apply(t, i.manifest(t, map[string]string{injectAnnotation: namespace + "/" + serving, crosswalkAnnotation: "true"}))
	}
	c.settled(t, first, slices.Concat(injectables, registered, []injectable{crd(crontabsCRD)})...)
	stage.Healthy(t, scene.ControlPlane.Env())

	flow := c.startTraffic(t, scene.ServicePort)
	t.Run("the leaf is renewed", func(t *testing.T) { c.testLeafRenewal(t, scene, history, flow) })
	t.Run("the authority is renewed", func(t *testing.T) { c.testAuthorityRenewal(t, scene, history, flow) })
	t.Run("the authority is replaced", func(t *testing.T) { c.testAuthorityReplacement(t, scene, history, flow) })
	t.Run("the authority is replaced with notice", func(t *testing.T) { c.testAnnouncedReplacement(t, scene, history, flow) })
	flow.end()
	c.wantRegistered(t)
	restart(t, scene)
	c.wantConverted(t)
	for _, i := range injectables {
		got, err := c.injected(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.managers, []string{cainjectorManager}) {
			t.Errorf("%s: its bundle is managed by %q, want cainjector alone", i.kind, got.managers)
		}
	}
	t.Run("the issuer is gone", func(t *testing.T) { c.testIssuerGone(t, scene) })
}

// withCertManager starts cert-manager before anything of Crosswalk is installed.
func withCertManager(t *testing.T) func(context.Context, *harness.ControlPlane) error {
	return func(_ context.Context, plane *harness.ControlPlane) error {
		c := cluster{ControlPlane: plane, programs: stage.Programs(t)}
		c.startCertManager(t)
		return nil
	}
}

// wantArmedAtOnce holds the first write that names Crosswalk to what makes it
// safe: whom to believe came with it, and who is to keep that.
func wantArmedAtOnce(t *testing.T, s crdState, bundle []byte) {
	t.Helper()
	if err := holds(s.bundle, bundle); err != nil {
		t.Errorf("armed, but: %v", err)
	}
	if s.annotation != namespace+"/"+serving {
		t.Errorf("armed, but cainjector is told %q", s.annotation)
	}
}

// testLeafRenewal is a renewal that no CRD needs to hear of.
func (c cluster) testLeafRenewal(t *testing.T, scene *harness.Scene, crd *history, flow *traffic) {
	before, states := flow.sofar(), crd.settled(t)
	wantServed(t, scene, c.renew(t, serving))
	flow.wantNoFailure(t, "the leaf's renewal", before)
	if after := crd.settled(t); len(after) != len(states) {
		t.Errorf("a renewed leaf is no reason to write to the CRD: %d writes\n%s", len(after)-len(states), crd)
	}
}

// testAuthorityRenewal renews the authority with the key that it has, as the
// overlay says, and then the leaf.
func (c cluster) testAuthorityRenewal(t *testing.T, scene *harness.Scene, crd *history, flow *traffic) {
	before, states := flow.sofar(), crd.settled(t)
	old := states[len(states)-1].bundle
	c.renew(t, "crosswalk-ca")
	renewed := c.renew(t, serving)
	wantServed(t, scene, renewed)
	flow.wantNoFailure(t, "the authority's renewal", before)
	c.wantOneInjection(t, crd, len(states), old, renewed.Data["ca.crt"])
}

// testAuthorityReplacement gives the authority another key and then renews the
// leaf. cert-manager publishes the new authority together with the leaf that it
// has signed, so between the Secret's change and cainjector's there is a moment
// in which a new connection fails; it must pass by itself.
func (c cluster) testAuthorityReplacement(t *testing.T, scene *harness.Scene, crd *history, flow *traffic) {
	before, states := flow.sofar(), crd.settled(t)
	old := states[len(states)-1].bundle
	c.replaceAuthority(t)
	replaced := c.renew(t, serving)
	c.wantOneInjection(t, crd, len(states), old, replaced.Data["ca.crt"])
	wantServed(t, scene, replaced)

	failed := flow.goesOn(t, before)
	t.Logf("until cainjector wrote the new authority, %s", summary(failed))
	flow.wantNoFailure(t, "after the authority's replacement", flow.sofar())
}

// testAnnouncedReplacement is how an operator spares new connections that moment:
// the new authority is added to what CRDs believe before it signs. cainjector
// keeps what it finds in a bundle, and so does crosswalk manage.
func (c cluster) testAnnouncedReplacement(t *testing.T, scene *harness.Scene, crd *history, flow *traffic) {
	before, states := flow.sofar(), crd.settled(t)
	old := states[len(states)-1].bundle
	next := c.replaceAuthority(t).Data["tls.crt"]
	c.believe(t, crontabsCRD, old, next)
	c.believe(t, "canaries.crosswalk.dev", old, next)
	for _, i := range registered {
		encoded := base64.StdEncoding.EncodeToString(slices.Concat(old, next))
		c.kubectl(t, "patch", i.kind, i.name, "--type=json", "-p", fmt.Sprintf(
			`[{"op": "replace", "path": "/webhooks/0/clientConfig/caBundle", "value": %[1]q}, {"op": "replace", "path": "/webhooks/1/clientConfig/caBundle", "value": %[1]q}]`, encoded))
	}
	renewed := c.renew(t, serving)
	wantServed(t, scene, renewed)
	flow.wantNoFailure(t, "the authority's replacement with notice", before)
	c.wantOneInjection(t, crd, len(states), old, renewed.Data["ca.crt"])
}

// testIssuerGone: where there is no certificate, a Crosswalk's status tells what
// cert-manager has to say of it. It is all that manage reads a Certificate for.
func (c cluster) testIssuerGone(t *testing.T, scene *harness.Scene) {
	if err := scene.Manage.Stop(); err != nil {
		t.Fatal(err)
	}
	c.kubectl(t, "patch", "certificate", serving, "-n", namespace, "--type=merge", "-p", `{"spec": {"issuerRef": {"name": "absent"}}}`)
	c.kubectl(t, "delete", "secret", serving, "-n", namespace)
	if err := scene.Manage.Launch(); err != nil {
		t.Fatal(err)
	}
	const want = "; cert-manager reports about the Certificate " + namespace + "/" + serving + ": "
	stage.Until(t, time.Minute, func(ctx context.Context) error {
		said, err := c.Kubectl(ctx, "get", "crosswalk", crontabsCRD, "--request-timeout=5s", "-o", `jsonpath={.status.conditions[?(@.type=="Ready")].message}`)
		if err != nil || strings.Contains(said, want) {
			return err
		}
		return fmt.Errorf("the status tells: %s", said)
	})
}

// believe makes certificates the bundle of a CRD.
func (c cluster) believe(t *testing.T, name string, parts ...[]byte) {
	t.Helper()
	c.kubectl(t, "patch", "crd", name, "--type=json", "-p", fmt.Sprintf(
		`[{"op": "replace", "path": "/spec/conversion/webhook/clientConfig/caBundle", "value": %q}]`,
		base64.StdEncoding.EncodeToString(slices.Concat(parts...))))
}

// wantOneInjection waits until the CRD's bundle has one certificate more, and sees
// that this was all: nobody took it back, nothing else changed, and the bundle is
// cainjector's.
func (c cluster) wantOneInjection(t *testing.T, history *history, from int, old, added []byte) {
	t.Helper()
	c.wantBundles(t, crd(crontabsCRD), old, added)
	states := history.settled(t)
	last, changes := states[from-1], 0
	for _, s := range states[from:] {
		if s.strategy != last.strategy || s.path != last.path || s.annotation != last.annotation {
			t.Errorf("it was\n%s\nand became\n%s", last, s)
		}
		if holds(s.bundle, last.bundle) != nil {
			changes++
		}
		last = s
	}
	if changes != 1 {
		t.Errorf("the bundle changed %d times, want once\n%s", changes, history)
	}
	if !slices.Contains(last.managers, cainjectorManager) {
		t.Errorf("the bundle is managed by %q, and not by cainjector", last.managers)
	}
}
