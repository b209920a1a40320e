package certificates

import (
	"slices"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// What Crosswalk's own annotations are called.
const (
	crosswalkAnnotation = "crosswalk.dev/inject-ca"
	rotateAnnotation    = "crosswalk.dev/rotate"
)

// TestAuthority lets crosswalk manage be the authority, as deploy/base has it.
func TestAuthority(t *testing.T) {
	t.Parallel()
	c, scene := startScene(t, harness.SceneOptions{Replicas: 2, ManageFlags: []string{"--ca-overlap=2s"}})
	history := c.watchCRD(t, crontabsCRD)
	if err := scene.Apply(t.Context(), c.crontabs(t)); err != nil {
		t.Fatal(err)
	}
	first := c.secret(t, serving)
	if first.Type != "kubernetes.io/tls" {
		t.Errorf("the Secret is of type %s", first.Type)
	}
	if err := trusts(first.Data["ca.crt"], first.leaf(t)); err != nil {
		t.Errorf("a client that believes in ca.crt: %v", err)
	}
	wantServed(t, scene, first)
	if err := holds(history.armed(t)[0].bundle, first.Data["ca.crt"]); err != nil {
		t.Errorf("armed, but: %v", err)
	}
	c.wantConversion(t)
	c.wantKeyForManageAlone(t)
	for _, i := range injectables {
		c.apply(t, i.manifest(t, map[string]string{crosswalkAnnotation: "true"}))
		c.wantBundles(t, i, first.Data["ca.crt"])
	}

	flow := c.startTraffic(t, scene.ServicePort)
	t.Run("the authority is rotated", func(t *testing.T) { c.testRotation(t, scene, flow) })
	t.Run("the authority is lost", func(t *testing.T) { c.testLostAuthority(t, scene, flow) })
	t.Run("the leaf is lost", func(t *testing.T) { c.testLostLeaf(t, scene, flow) })
	flow.end()
	restart(t, scene)
	c.wantConverted(t)
	for _, s := range history.armed(t) {
		if s.strategy != "Webhook" || s.annotation != "" {
			t.Errorf("meanwhile it was %s", s)
		}
	}
}

// wantKeyForManageAlone asks the real authorizer.
func (c cluster) wantKeyForManageAlone(t *testing.T) {
	t.Helper()
	for account, want := range map[string]string{"crosswalk-serve": "no", "crosswalk-manage": "yes"} {
		// Its exit code says no as well.
		got, _ := c.Kubectl(t.Context(), "auth", "can-i", "get", "secret/"+authority, "-n", namespace,
			"--as=system:serviceaccount:"+namespace+":"+account)
		if strings.TrimSpace(got) != want {
			t.Errorf("may %s read the CA's key: %q, want %s", account, got, want)
		}
	}
}

// testRotation asks for a new authority. It is believed by all before its first
// leaf is served, so nobody notices.
func (c cluster) testRotation(t *testing.T, scene *harness.Scene, flow *traffic) {
	before, old := flow.sofar(), c.secret(t, serving)
	c.kubectl(t, "annotate", "secret", authority, "-n", namespace, rotateAnnotation+"=please")
	now := c.changed(t, serving, old)
	if err := trusts(old.Data["ca.crt"], now.leaf(t)); err == nil {
		t.Error("the new leaf is of the old authority")
	}
	if err := trusts(now.Data["ca.crt"], old.leaf(t)); err != nil {
		t.Errorf("the old leaf, which a replica may still serve: %v", err)
	}
	wantServed(t, scene, now)
	for _, i := range slices.Concat(injectables, registered, []injectable{crd(crontabsCRD)}) {
		c.wantBundles(t, i, now.Data["ca.crt"])
	}
	flow.wantNoFailure(t, "the authority's rotation", before)
}

// testLostLeaf deletes the Secret that every replica serves from.
func (c cluster) testLostLeaf(t *testing.T, scene *harness.Scene, flow *traffic) {
	before, old := flow.sofar(), c.secret(t, serving)
	c.kubectl(t, "delete", "secret", serving, "-n", namespace)
	now := c.changed(t, serving, old)
	wantServed(t, scene, now)
	if err := holds(now.Data["ca.crt"], old.Data["ca.crt"]); err != nil {
		t.Errorf("a new leaf is no new authority: %v", err)
	}
	flow.wantNoFailure(t, "the leaf's loss", before)
}

// testLostAuthority deletes the CA, and then restores an old one from a backup. A next CA is
// in every bundle before it signs, so no call fails.
func (c cluster) testLostAuthority(t *testing.T, scene *harness.Scene, flow *traffic) {
	backup := c.kubectl(t, "get", "secret", authority, "-n", namespace, "-o", `jsonpath={.data}`)
	for _, lose := range [][]string{
		{"delete", "secret", authority, "-n", namespace},
		{"patch", "secret", authority, "-n", namespace, "--type=json", "-p", `[{"op": "replace", "path": "/data", "value": ` + backup + `}]`},
	} {
		before, old := flow.sofar(), c.secret(t, serving)
		c.kubectl(t, lose...)
		now := c.changed(t, serving, old)
		if err := trusts(old.Data["ca.crt"], now.leaf(t)); err == nil && lose[0] == "delete" {
			t.Error("the new leaf is of the lost authority")
		}
		if err := trusts(now.Data["ca.crt"], old.leaf(t)); err != nil {
			t.Errorf("the old leaf, which a replica may still serve: %v", err)
		}
		wantServed(t, scene, now)
		for _, i := range slices.Concat(injectables, registered, []injectable{crd(crontabsCRD)}) {
			c.wantBundles(t, i, now.Data["ca.crt"])
		}
		flow.wantNoFailure(t, "the authority's loss", before)
		c.kubectl(t, "wait", "--for=condition=Renewable", "crosswalk/"+crontabsCRD, "--timeout=20s")
		if described := c.kubectl(t, "describe", "crosswalk", crontabsCRD); !strings.Contains(described, "Warning  AuthorityLost") {
			t.Errorf("no Event reports the loss:\n%s", described)
		}
	}
}
