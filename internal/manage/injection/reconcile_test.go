package injection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestReconcile runs one table over every kind.
func TestReconcile(t *testing.T) {
	ours, stale := newCA(t), newCA(t)
	annotated := func(more ...string) map[string]string {
		all := wanted()
		for i := 0; i < len(more); i += 2 {
			all[more[i]] = more[i+1]
		}
		return all
	}
	for _, test := range []struct {
		name        string
		found       []byte
		annotations map[string]string
		deleted     bool
		source      []byte // ours where nil
		fails       error  // of the source

		want  []byte // at every place afterwards
		event string // how the events go
		state string
		again time.Duration
	}{
		{name: "absent", annotations: wanted(), want: ours, event: "Normal Injected", state: "injected"},
		{name: "equal", found: ours, annotations: wanted(), want: ours, state: "injected"},
		{name: "equal with a comment", found: slices.Concat([]byte("# ours\n"), ours), annotations: wanted(),
			want: slices.Concat([]byte("# ours\n"), ours), state: "injected"},
		{name: "stale", found: stale, annotations: wanted(), want: ours, event: "Normal Injected", state: "injected"},
		{name: "garbage", found: []byte("garbage"), annotations: wanted(), want: ours,
			event: "Normal Injected, Warning Repaired", state: "injected"},
		{name: "being deleted", found: stale, annotations: wanted(), deleted: true, want: ours, event: "Normal Injected", state: "injected"},
		{name: "does not ask", found: stale, want: stale},
		{name: "asks not to", found: stale, annotations: annotated("crosswalk.dev/inject-ca", "false"), want: stale},
		{name: "asks unclearly", found: stale, annotations: annotated("crosswalk.dev/inject-ca", "yes"), want: stale,
			event: "Warning InvalidAnnotation", state: "problem"},
		{name: "asks cert-manager too", found: stale, annotations: annotated("cert-manager.io/inject-ca-from", "a/b"), want: stale,
			event: "Warning LeftToCertManager", state: "problem"},
		{name: "asks cert-manager too, garbage", found: []byte("garbage"), annotations: annotated("cert-manager.io/inject-ca-from", "a/b"), want: ours,
			event: "Normal Injected, Warning Repaired, Warning LeftToCertManager", state: "problem"},
		{name: "garbage in the source", found: stale, annotations: wanted(), source: []byte("garbage"), want: stale,
			event: "Warning NoUsableBundle", state: "problem", again: time.Minute},
		{name: "half a certificate in the source", found: stale, annotations: wanted(), source: slices.Concat(ours, stale[:99]), want: stale,
			event: "Warning NoUsableBundle", state: "problem", again: time.Minute},
		{name: "no bundle in the source", found: stale, annotations: wanted(), source: []byte{}, want: stale,
			event: "Warning NoUsableBundle", state: "problem", again: time.Minute},
		{name: "no source", found: stale, annotations: wanted(), fails: errors.New("no certificate yet"), want: stale,
			event: "Warning NoUsableBundle", state: "problem", again: time.Minute},
	} {
		for kind := range manifests() {
			t.Run(test.name+"/"+kind, func(t *testing.T) {
				before := object(t, kind, test.found, test.annotations)
				if test.deleted {
					before.SetDeletionTimestamp(&metav1.Time{Time: time.Now()})
					before.SetFinalizers([]string{"example.com/wait"})
				}
				source := test.source
				if source == nil {
					source = ours
				}
				r := newRig(t, source, before)
				r.source.fails = test.fails
				before = r.get(t, before)
				for round := range 2 { // the second must do nothing
					result, err := r.Reconcile(t.Context(), targetOf(before))
					if err != nil || result.RequeueAfter != test.again {
						t.Fatalf("round %d: %+v, %v", round, result, err)
					}
					event := test.event
					if round > 0 {
						event = ""
					}
					if got := r.told(); !sameEvents(got, event) {
						t.Errorf("round %d: events %q, want %q", round, got, event)
					}
				}
				after := r.get(t, before)
				for _, got := range bundles(t, after) {
					if got != string(test.want) {
						t.Errorf("bundle is\n%s\nwant\n%s", got, test.want)
					}
				}
				writes := 0
				if strings.Contains(test.event, "Injected") {
					writes = 1
				} else if after.GetResourceVersion() != before.GetResourceVersion() {
					t.Error("it was written to")
				}
				if r.applied != writes {
					t.Errorf("%d writes, want %d", r.applied, writes)
				}
				for _, state := range []string{"injected", "problem"} {
					want := 0.0
					if state == test.state {
						want = 1
					}
					if got := testutil.ToFloat64(r.metrics.objects.WithLabelValues(kind, state)); got != want {
						t.Errorf("objects in state %s: %v, want %v", state, got, want)
					}
				}
			})
		}
	}
}

// sameEvents compares events with their types and reasons.
func sameEvents(got, want string) bool {
	if want == "" {
		return got == ""
	}
	lines, prefixes := strings.Split(got, "\n"), strings.Split(want, ", ")
	return slices.EqualFunc(lines, prefixes, func(line, prefix string) bool { return strings.HasPrefix(line, prefix+" ") })
}

// Whoever else writes meanwhile is not overwritten: the object is read again.
func TestConflict(t *testing.T) {
	ours := newCA(t)
	for kind := range manifests() {
		t.Run(kind, func(t *testing.T) {
			o := object(t, kind, nil, wanted())
			r := newRig(t, ours, o)
			meddled := false
			r.fail = func() error {
				if meddled {
					return nil
				}
				meddled = true
				other := r.get(t, o)
				other.SetLabels(map[string]string{"by": "somebody"})
				return r.client.Update(t.Context(), other)
			}
			if _, err := r.Reconcile(t.Context(), targetOf(o)); err != nil {
				t.Fatal(err)
			}
			after := r.get(t, o)
			if after.GetLabels()["by"] != "somebody" || bundles(t, after)[0] != string(ours) || r.applied != 2 {
				t.Errorf("after %d writes: %v, %q", r.applied, after.GetLabels(), bundles(t, after))
			}
		})
	}
}

// A conflict that never ends is left to the queue.
func TestEndlessConflict(t *testing.T) {
	o := object(t, "APIService", nil, wanted())
	r := newRig(t, newCA(t), o)
	r.fail = func() error { return apierrors.NewConflict(schema.GroupResource{}, "it", errors.New("moved")) }
	if _, err := r.Reconcile(t.Context(), targetOf(o)); !apierrors.IsConflict(err) || r.applied != attempts {
		t.Errorf("%d writes, then %v", r.applied, err)
	}
	if got := r.told(); got != "" {
		t.Errorf("events %q", got)
	}
}

// A refused write is reported once and tried again.
func TestRefused(t *testing.T) {
	o := object(t, "MutatingWebhookConfiguration", nil, wanted())
	r := newRig(t, newCA(t), o)
	r.fail = func() error { return apierrors.NewForbidden(schema.GroupResource{}, "it", errors.New("no")) }
	for range 2 {
		_, err := r.Reconcile(t.Context(), targetOf(o))
		if err == nil || !strings.HasPrefix(err.Error(), "MutatingWebhookConfiguration it: writing the caBundle: ") {
			t.Errorf("%v", err)
		}
	}
	if got := r.told(); !sameEvents(got, "Warning WriteRefused") {
		t.Errorf("events %q", got)
	}
	if got := testutil.ToFloat64(r.metrics.writes.WithLabelValues(o.GetKind(), "failure")); got != 2 {
		t.Errorf("%v failures", got)
	}
	r.fail = nil
	if _, err := r.Reconcile(t.Context(), targetOf(o)); err != nil {
		t.Error(err)
	}
	if got := r.told(); !sameEvents(got, "Normal Injected") {
		t.Errorf("events %q", got)
	}
}

// A write that is cut off because we end is no problem of the object.
func TestEnding(t *testing.T) {
	o := object(t, "APIService", nil, wanted())
	r := newRig(t, newCA(t), o)
	ctx, cancel := context.WithCancel(t.Context())
	r.fail = func() error { cancel(); return ctx.Err() }
	if _, err := r.Reconcile(ctx, targetOf(o)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got := r.told(); got != "" {
		t.Errorf("events %q", got)
	}
}

// An object that is gone leaves nothing behind.
func TestGone(t *testing.T) {
	o := object(t, "APIService", []byte("garbage"), wanted())
	r := newRig(t, newCA(t), o)
	for range 2 {
		if _, err := r.Reconcile(t.Context(), targetOf(o)); err != nil {
			t.Fatal(err)
		}
		if err := r.client.Delete(t.Context(), o); err != nil && !apierrors.IsNotFound(err) {
			t.Fatal(err)
		}
	}
	if len(r.states.known) != 0 || len(r.writes.at) != 0 {
		t.Errorf("left: %v, %v", r.states.known, r.writes.at)
	}
	if got := testutil.ToFloat64(r.metrics.objects.WithLabelValues("APIService", "injected")); got != 0 {
		t.Errorf("%v objects", got)
	}
	if got := testutil.ToFloat64(r.metrics.repairs.WithLabelValues("APIService")); got != 1 {
		t.Errorf("%v repairs", got)
	}
}

// insecureSkipTLSVerify goes in the same write, and is told.
func TestVerification(t *testing.T) {
	o := object(t, "APIService", nil, wanted())
	unstructured.RemoveNestedField(o.Object, "spec", "caBundle")
	o.Object["spec"].(map[string]any)["insecureSkipTLSVerify"] = true
	r := newRig(t, newCA(t), o)
	if _, err := r.Reconcile(t.Context(), targetOf(o)); err != nil {
		t.Fatal(err)
	}
	if on, _, err := unstructured.NestedBool(r.get(t, o).Object, "spec", "insecureSkipTLSVerify"); on || err != nil || r.applied != 1 {
		t.Errorf("after %d writes insecureSkipTLSVerify is %t, %v", r.applied, on, err)
	}
	if got := r.told(); !sameEvents(got, "Normal Injected, Normal VerificationOn") {
		t.Errorf("events %q", got)
	}
}

// Somebody who keeps changing the bundle is corrected at once, but not for ever.
func TestContention(t *testing.T) {
	ours := newCA(t)
	o := object(t, "CustomResourceDefinition", nil, wanted())
	r := newRig(t, ours, o)
	spoil := func() {
		t.Helper()
		other := r.get(t, o)
		err := unstructured.SetNestedField(other.Object, "Z2FyYmFnZQ==", "spec", "conversion", "webhook", "clientConfig", "caBundle")
		if err != nil {
			t.Fatal(err)
		}
		if err := r.client.Update(t.Context(), other, client.FieldOwner("meddler")); err != nil {
			t.Fatal(err)
		}
	}
	for n := range writesAtOnce {
		spoil()
		r.clock = r.clock.Add(time.Second)
		if result, err := r.Reconcile(t.Context(), targetOf(o)); err != nil || result.RequeueAfter != 0 || r.applied != n+1 {
			t.Fatalf("%d: %d writes, %+v, %v", n, r.applied, result, err)
		}
	}
	if got, want := r.told(), "Warning Restored meddler changed the caBundle, and it has been restored: wrote Crosswalk's CA bundle to "; strings.Count(got, want) != writesAtOnce-1 {
		t.Errorf("events %q, want %d with %q", got, writesAtOnce-1, want)
	}
	spoil()
	result, err := r.Reconcile(t.Context(), targetOf(o))
	if err != nil || result.RequeueAfter != writesWindow-(writesAtOnce-1)*time.Second || r.applied != writesAtOnce {
		t.Errorf("then: %d writes, %+v, %v", r.applied, result, err)
	}
	if got := r.told(); !sameEvents(got, "Warning Contended") || !strings.Contains(got, "keeps changing the caBundle: it was corrected 5 times within 1m0s") {
		t.Errorf("events %q", got)
	}
	r.clock = r.clock.Add(result.RequeueAfter)
	if result, err := r.Reconcile(t.Context(), targetOf(o)); err != nil || result.RequeueAfter != 0 || r.applied != writesAtOnce+1 {
		t.Errorf("later: %d writes, %+v, %v", r.applied, result, err)
	}
}

func TestLongNote(t *testing.T) {
	o := object(t, "APIService", nil, wanted())
	r := newRig(t, newCA(t), o)
	send(r.recorder, o, nil, "Normal", "Long", strings.Repeat("é%", 1000))
	if got := len(r.told()); got > len("Normal Long ")+1024 || got < 1024 {
		t.Errorf("%d bytes", got)
	}
}

// No event or log line holds more of a bundle than what is wrong with it.
func TestNoBundleInLogs(t *testing.T) {
	o := object(t, "APIService", []byte("secret garbage"), wanted())
	r := newRig(t, newCA(t), o)
	if _, err := r.Reconcile(t.Context(), targetOf(o)); err != nil {
		t.Fatal(err)
	}
	if all := fmt.Sprint(r.told(), r.log); strings.Contains(all, "secret") || strings.Contains(all, "BEGIN") || !strings.Contains(all, ".spec.caBundle") {
		t.Errorf("printed\n%s", all)
	}
}
