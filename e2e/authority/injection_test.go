package authority

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/internal/manage/injection"
)

// testInjection has an Injector to itself. Each test works on objects of its own.
func testInjection(t *testing.T, plane *harness.ControlPlane) {
	s := newStage(t, plane)
	t.Run("inject", s.testInject)
	t.Run("rotate", s.testRotate)
	t.Run("no needless write", s.testNoNeedlessWrite)
	t.Run("drift", s.testDrift)
	t.Run("garbage", s.testGarbage)
	t.Run("other managers", s.testOtherManagers)
	t.Run("opt out", s.testOptOut)
	t.Run("gone meanwhile", s.testGone)
	t.Run("does not ask", s.testDoesNotAsk)
	t.Run("cert-manager", s.testCertManager)
	t.Run("being deleted", s.testBeingDeleted)
	t.Run("armed", s.testArmed)
	t.Run("strategy", s.testStrategy)
	t.Run("APIServices", s.testAPIServices)
	t.Run("CA of a Secret", s.testSecretCA)
	t.Run("no right", s.testNoRight)
	// It stops injection, so it comes last.
	t.Run("unusable source", s.testUnusableSource)
	t.Run("told again", s.testToldAgain)
}

// testToldAgain: an Event that is told again is a patch, and so manage's right to patch
// Events is used.
func (s *stage) testToldAgain(t *testing.T) {
	eventually(t, func() string {
		allowed, err := s.plane.Allowed(harness.Accounts)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(allowed, func(r harness.Request) bool {
			return r.User == "manage" && r.Verb == "patch" && r.Group == "events.k8s.io" && r.Resource == "events"
		}) {
			return "no Event was patched"
		}
		return ""
	})
}

func (s *stage) testInject(t *testing.T) {
	for _, o := range s.subjects("inject") {
		o.apply(t, gitops)
		before := o.rest(t)
		o.waitFor(t, s.source.get())
		if got := o.ownedBy(t, injection.FieldManager); got != o.owned {
			t.Errorf("%s: we own\n%s\nwant\n%s", o.kind, got, o.owned)
		}
		if after := o.rest(t); after != before {
			t.Errorf("%s: the rest has changed\n to %s\nfrom %s", o.kind, after, before)
		}
		o.waitForEvent(t, "Normal", "Injected", "wrote Crosswalk's CA bundle to .")
	}
	if err := s.injector.Injected(t.Context(), s.source.get()); err != nil {
		t.Error(err)
	}
}

func (s *stage) testRotate(t *testing.T) {
	all := s.subjects("rotate")
	old, next := s.source.get(), newCA(t)
	for _, o := range all {
		o.apply(t, gitops)
		o.waitFor(t, old)
	}
	if err := s.injector.Injected(t.Context(), slices.Concat(old, next)); err == nil || !strings.HasPrefix(err.Error(), "CustomResourceDefinition things.") {
		t.Errorf("before the change: %v", err)
	}
	for _, bundle := range [][]byte{slices.Concat(old, next), next} {
		s.source.set(bundle)
		for _, o := range all {
			o.waitFor(t, bundle)
			if got := o.ownedBy(t, injection.FieldManager); got != o.owned {
				t.Errorf("%s: we own\n%s", o.kind, got)
			}
		}
		eventually(t, func() string {
			if err := s.injector.Injected(t.Context(), bundle); err != nil {
				return err.Error()
			}
			return ""
		})
	}
}

// A look that finds the same certificates leaves the object alone, whatever
// their order.
func (s *stage) testNoNeedlessWrite(t *testing.T) {
	all := s.subjects("needless")
	a, b := newCA(t), newCA(t)
	s.source.set(slices.Concat(a, b))
	versions := map[string]string{}
	for _, o := range all {
		o.apply(t, gitops)
		o.waitFor(t, slices.Concat(a, b))
	}
	for _, o := range all {
		// managedFields are in the order of time: the first that applies again after
		// somebody else moves to the end, and that is written, the next does not.
		o.apply(t, gitops)
		versions[o.kind] = o.settled(t)
	}
	looks := s.source.looks()
	s.source.set(slices.Concat(b, a))
	for _, o := range all {
		o.apply(t, gitops) // what is applied again changes nothing either
	}
	eventually(t, func() string {
		if s.source.looks() < looks+1+len(all) {
			return "not every object was looked at"
		}
		return ""
	})
	// The queue is in order: what was asked for before this one has been done.
	for _, last := range s.subjects("needless-last") {
		last.apply(t, gitops)
		last.waitFor(t, slices.Concat(b, a))
	}
	for _, o := range all {
		if got := o.get(t).GetResourceVersion(); got != versions[o.kind] {
			t.Errorf("%s: resourceVersion went from %s to %s", o.kind, versions[o.kind], got)
		}
	}
}

// Whoever changes or takes away a bundle is corrected.
func (s *stage) testDrift(t *testing.T) {
	stale := newCA(t)
	for _, o := range s.subjects("drift") {
		o.apply(t, gitops)
		o.waitFor(t, s.source.get())
		if err := o.holding(stale).tryApply(t, "somebody", "&force=true"); err != nil {
			t.Fatal(err)
		}
		o.waitFor(t, s.source.get())
		// Applying without the bundle, which is now ours again, changes nothing.
		o.apply(t, "somebody")
		if lacks := o.lacks(t, s.source.get()); lacks != "" {
			t.Error(lacks)
		}
		switch o.kind {
		case "APIService":
			o.patch(t, `spec: {caBundle: null}`)
		case "CustomResourceDefinition":
			o.patch(t, `spec: {conversion: {webhook: {clientConfig: {caBundle: null}}}}`)
		default: // a merge patch replaces lists
			if _, err := s.plane.Kubectl(t.Context(), "patch", o.kind, o.name, "--type=json",
				"-p", `[{"op": "remove", "path": "/webhooks/0/clientConfig/caBundle"}]`); err != nil {
				t.Fatal(err)
			}
		}
		o.waitFor(t, s.source.get())
	}
}

// A bundle that nobody can read is replaced, and that is told.
func (s *stage) testGarbage(t *testing.T) {
	for _, o := range s.subjects("garbage") {
		// The API server refuses it for a CRD that is established, not for a new one.
		if err := o.holding([]byte("garbage")).tryApply(t, "installer", ""); err != nil {
			t.Fatal(err)
		}
		o.waitFor(t, s.source.get())
		o.waitForEvent(t, "Warning", "Repaired", "(there is no PEM certificate)")
	}
}

func (s *stage) testDoesNotAsk(t *testing.T) {
	stale := newCA(t)
	for _, value := range []string{"false", "yes"} {
		for _, o := range s.subjects("ask-" + value) {
			o = o.withManifest(strings.Replace(o.manifest, `"true"`, `"`+value+`"`, 1)).holding(stale)
			o.apply(t, gitops)
			before := o.settled(t)
			if value == "yes" {
				o.waitForEvent(t, "Warning", "InvalidAnnotation", `the annotation crosswalk.dev/inject-ca is "yes", want "true" or "false"`)
			}
			last := s.subjects("ask-" + value + "-last")[0]
			last.apply(t, gitops)
			last.waitFor(t, s.source.get())
			if lacks := o.lacks(t, stale); lacks != "" || o.get(t).GetResourceVersion() != before {
				t.Errorf("%s was written to: %s", o.kind, lacks)
			}
		}
	}
}

// What belongs to cert-manager's cainjector is left to it.
func (s *stage) testCertManager(t *testing.T) {
	theirs := newCA(t)
	for _, o := range s.subjects("certmanager") {
		o = o.withManifest(strings.Replace(o.manifest, "annotations: {", "annotations: {cert-manager.io/inject-ca-from: default/x, ", 1))
		o.holding(theirs).apply(t, "cainjector")
		before := o.settled(t)
		o.waitForEvent(t, "Warning", "LeftToCertManager", "the annotation cert-manager.io/inject-ca-from makes cert-manager's cainjector write the caBundle")
		if lacks := o.lacks(t, theirs); lacks != "" || o.get(t).GetResourceVersion() != before {
			t.Errorf("%s was written to: %s", o.kind, lacks)
		}
	}
	if err := s.injector.Injected(t.Context(), s.source.get()); err != nil {
		t.Errorf("it holds up a change of CA: %v", err)
	}
}

// Until its finalizers are gone, an object works.
func (s *stage) testBeingDeleted(t *testing.T) {
	for _, o := range s.subjects("deleted") {
		o = o.withManifest(strings.Replace(o.manifest, "  annotations:", "  finalizers: [example.com/wait]\n  annotations:", 1))
		o.apply(t, gitops)
		o.waitFor(t, s.source.get())
		if _, err := s.api.Do(t.Context(), http.MethodDelete, o.path, "", nil); err != nil {
			t.Fatal(err)
		}
		if o.get(t).GetDeletionTimestamp() == nil {
			t.Fatalf("%s is not being deleted", o.kind)
		}
		if err := o.holding(newCA(t)).tryApply(t, "somebody", "&force=true"); err != nil {
			t.Fatal(err)
		}
		o.waitFor(t, s.source.get())
		o.patch(t, `metadata: {finalizers: null}`)
	}
}

// A CRD that is armed may ask for injection too: both write the same bundle.
func (s *stage) testArmed(t *testing.T) {
	o := s.subjects("armed")[0]
	o.holding(s.source.get()).apply(t, arming)
	before := o.settled(t)
	last := s.subjects("armed-last")[0]
	last.apply(t, gitops)
	last.waitFor(t, s.source.get())
	if got := o.get(t).GetResourceVersion(); got != before || o.ownedBy(t, injection.FieldManager) != "" {
		t.Errorf("resourceVersion went from %s to %s, and we own %s", before, got, o.ownedBy(t, injection.FieldManager))
	}
	// Whoever comes first with a new bundle, the other agrees.
	both := slices.Concat(s.source.get(), newCA(t))
	s.source.set(both)
	o.waitFor(t, both)
	generation := o.get(t).GetGeneration()
	if err := o.holding(both).tryApply(t, arming, "&force=true"); err != nil {
		t.Fatal(err)
	}
	if got := o.get(t).GetGeneration(); got != generation || generation != 2 {
		t.Errorf("generation is %d, was %d, want 2: made, and one new bundle", got, generation)
	}
	if lacks := o.lacks(t, both); lacks != "" {
		t.Error(lacks)
	}
}

// What has no place for a bundle says so, and gets one when it has.
func (s *stage) testStrategy(t *testing.T) {
	o := s.subjects("strategy")[0]
	webhook := o.manifest[strings.Index(o.manifest, "    strategy:"):strings.Index(o.manifest, "  versions:")]
	o.withManifest(strings.Replace(o.manifest, webhook, "    strategy: None\n", 1)).apply(t, gitops)
	o.waitForEvent(t, "Warning", "NothingToInject", "spec.conversion.strategy is not Webhook")
	o.apply(t, gitops)
	o.waitFor(t, s.source.get())
}

// A source that breaks leaves everything as it is, and says so.
func (s *stage) testUnusableSource(t *testing.T) {
	good, stale := s.source.get(), newCA(t)
	all := s.subjects("unusable")
	for _, o := range all {
		o.apply(t, gitops)
		o.waitFor(t, good)
	}
	s.source.set(append(slices.Clone(good), "-----BEGIN CERTIFICATE-----\ngarbage"...))
	for _, o := range all {
		o.waitForEvent(t, "Warning", "NoUsableBundle", "is not injected: 1 of ")
		if err := o.holding(stale).tryApply(t, "somebody", "&force=true"); err != nil {
			t.Fatal(err)
		}
		if lacks := o.lacks(t, stale); lacks != "" {
			t.Error(lacks)
		}
	}
	s.source.set(good)
	for _, o := range all {
		o.waitFor(t, good)
	}
}
