package certificates

import (
	"slices"
	"testing"
)

// cainjectorManager is cainjector's field manager.
const cainjectorManager = "cert-manager-cainjector"

// TestWithoutManage is what happens where nobody of ours writes: two things that have
// nothing to do with each other, on one control plane.
func TestWithoutManage(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	t.Run("cert-manager", func(t *testing.T) { t.Parallel(); c.testCertManager(t) })
	t.Run("armed by hand", func(t *testing.T) { t.Parallel(); c.testByHand(t) })
}

// testCertManager shows what cert-manager does for Crosswalk's Certificate, and
// that it is cert-manager who does it: no Crosswalk runs here. What the overlay of
// deploy/ and the documentation say of a renewal rests on this.
func (c cluster) testCertManager(t *testing.T) {
	certManager := c.startCertManager(t)
	for _, i := range injectables {
		c.apply(t, i.manifest(t, map[string]string{injectAnnotation: namespace + "/" + serving}))
	}
	c.applyCertificates(t)
	first, bundle := c.settled(t, c.issued(t), injectables...)
	if err := trusts(first.Data["ca.crt"], first.leaf(t)); err != nil {
		t.Fatalf("a client that believes in ca.crt: %v", err)
	}
	before := map[string]injected{}
	for _, i := range injectables {
		got := c.wantBundles(t, i, bundle)
		if !slices.Equal(got.managers, []string{cainjectorManager}) {
			t.Errorf("%s: its bundle is managed by %q, want cainjector alone", i.kind, got.managers)
		}
		before[i.kind] = got
	}
	for _, i := range injectables {
		certManager.waitSettled(t, c, i)
	}

	// A renewed leaf is nobody's business but its server's.
	second := c.renew(t, serving)
	if err := trusts(first.Data["ca.crt"], second.leaf(t)); err != nil {
		t.Errorf("the renewed leaf: %v", err)
	}
	if err := holds(second.Data["ca.crt"], first.Data["ca.crt"]); err != nil {
		t.Errorf("the leaf was renewed, and with it the authority: %v", err)
	}

	// A renewed authority keeps its key, so that both of its certificates stand for
	// the same leaves.
	renewed := c.renew(t, "crosswalk-ca")
	third := c.renew(t, serving)
	if err := holds(third.Data["ca.crt"], renewed.Data["tls.crt"]); err != nil {
		t.Fatalf("the leaf's ca.crt is not the renewed authority: %v", err)
	}
	if err := trusts(first.Data["ca.crt"], third.leaf(t)); err != nil {
		t.Errorf("a client that knows only the authority's first certificate: %v", err)
	}
	if err := trusts(renewed.Data["tls.crt"], second.leaf(t)); err != nil {
		t.Errorf("a client that knows only the authority's second certificate: %v", err)
	}
	// cainjector adds and takes nothing away before it expires.
	for _, i := range injectables {
		got := c.wantBundles(t, i, bundle, renewed.Data["tls.crt"])
		if got.resourceVersion == before[i.kind].resourceVersion {
			t.Errorf("%s: other bundles under the same resourceVersion", i.kind)
		}
	}
	for _, i := range injectables {
		certManager.waitSettled(t, c, i)
	}

	// An authority with another key shares nothing with the first: who does not know
	// its certificate yet believes none of its leaves.
	replaced := c.replaceAuthority(t)
	fourth := c.renew(t, serving)
	if err := trusts(slices.Concat(first.Data["ca.crt"], renewed.Data["tls.crt"]), fourth.leaf(t)); err == nil {
		t.Error("a client that has not heard of the new authority believes its leaf")
	}
	for _, i := range injectables {
		c.wantBundles(t, i, bundle, renewed.Data["tls.crt"], replaced.Data["tls.crt"])
	}
}
