package registration

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/rehearsal"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// bundles are the caBundles of both configurations, in order.
func (s *stage) bundles() [][]byte {
	mutating, validating := s.configurations()
	var all [][]byte
	for _, side := range (webhooks.Pair{Mutating: mutating, Validating: validating}).Sides() {
		for _, w := range side.Webhooks {
			all = append(all, w.Client.CABundle)
		}
	}
	return all
}

func (s *stage) wantBundles(want []byte) {
	s.t.Helper()
	all := s.bundles()
	if len(all) != 4 {
		s.t.Errorf("there are %d bundles", len(all))
	}
	parsed, err := inject.ParseBundle(want)
	if err != nil {
		s.t.Fatal(err)
	}
	for i, text := range all {
		if got, err := inject.ParseBundle(text); err != nil || !got.Equal(parsed) {
			s.t.Errorf("bundle %d is another: %v", i, err)
		}
	}
}

// with is a pair with a longer bundle: a CA that comes beside the old one.
func with(pair *certs.Pair, more ...*certs.Pair) *certs.Pair {
	next := *pair
	for _, p := range more {
		next.CABundle = append(bytes.Clone(next.CABundle), p.CABundle...)
	}
	return &next
}

func TestBundleFollows(t *testing.T) {
	s := newStage(t, crd(crontabs, asking, "v1"), crosswalk(crontabs))
	s.look(crontabs)
	first, second := s.serving.Pair, rehearsal.Pair(t)
	s.wantBundles(first.CABundle)
	if err := webhooks.Injected(t.Context(), s.client, first.CABundle, Names()); err != nil {
		t.Error(err)
	}

	both := with(first, second)
	const lacks = "the webhook guard.crosswalk.dev of 0-crosswalk does not hold the new CA yet"
	if err := webhooks.Injected(t.Context(), s.client, both.CABundle, Names()); err == nil || err.Error() != lacks {
		t.Errorf("got %v", err)
	}
	s.serving.Pair = both
	s.pass()
	s.wantBundles(both.CABundle)
	if err := webhooks.Injected(t.Context(), s.client, both.CABundle, Names()); err != nil {
		t.Error(err)
	}

	// A bundle by which nobody is believed that answers now is not written.
	s.serving.Pair = second
	if after := s.pass(); after == 0 {
		t.Error("it does not look again")
	}
	s.wantBundles(both.CABundle)
	s.wantStatus(crontabs, "False Settling: waiting for the API servers to pick up the change")

	// Without a bundle, nothing is removed or added.
	s.serving.Err = errors.New("the Secret is missing")
	s.look(crontabs)
	s.wantBundles(both.CABundle)
	s.wantRules(own(of("crontabs.stable.example.com [v1]")...))
}

func TestNoBundle(t *testing.T) {
	s := newStage(t, crd(crontabs, asking, "v1"), crosswalk(crontabs))
	s.serving.Err = errors.New("the Secret is missing")
	s.look(crontabs)
	s.wantRules(nil)
	if s.applied > 0 {
		t.Error("configurations are written without a bundle")
	}
	s.wantStatus(crontabs, "False NoCertificate: there is no CA bundle: the Secret is missing")
	if err := webhooks.Injected(t.Context(), s.client, s.serving.Pair.CABundle, Names()); err != nil {
		t.Errorf("what is not there keeps a CA from changing: %v", err)
	}
}

// With cert-manager the first bundle is the Secret's; from then on cainjector's
// stays.
func TestBundleIsLeftToCAInjector(t *testing.T) {
	s := newStage(t, crd(crontabs, asking, "v1"), crosswalk(crontabs))
	s.Serve.CertManagerCertificate = "crosswalk-serving"
	s.look(crontabs)
	s.wantBundles(s.serving.Pair.CABundle)
	mutating, validating := s.configurations()
	for _, o := range []client.Object{mutating, validating} {
		if got := o.GetAnnotations()[reach.InjectCAFrom]; got != "crosswalk-system/crosswalk-serving" {
			t.Errorf("the annotation is %q", got)
		}
	}

	// cainjector adds a CA, which the Secret may not hold yet.
	both := with(s.serving.Pair, rehearsal.Pair(t))
	for i := range mutating.Webhooks {
		mutating.Webhooks[i].ClientConfig.CABundle = both.CABundle
	}
	for i := range validating.Webhooks {
		validating.Webhooks[i].ClientConfig.CABundle = both.CABundle
	}
	for _, o := range []client.Object{mutating, validating} {
		if err := s.client.Update(t.Context(), o, client.FieldOwner("cainjector")); err != nil {
			t.Fatal(err)
		}
	}
	applied := s.applied
	s.pass()
	if s.applied != applied {
		t.Error("what cainjector has written is written over")
	}
	s.delete(crosswalk(crontabs)) // a reason to write
	s.look(crontabs)
	s.wantRules(own())
	s.wantBundles(both.CABundle)

	// What nobody can read is cainjector's no more.
	mutating, _ = s.configurations()
	mutating.Webhooks[0].ClientConfig.CABundle = []byte("broken")
	s.update(mutating)
	s.pass()
	mutating, _ = s.configurations()
	if !strings.HasPrefix(string(mutating.Webhooks[0].ClientConfig.CABundle), "-----BEGIN") {
		t.Error("a bundle that nobody can read stays")
	}
}
