package injection

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Every object is looked at again when the bundle changes, also when it comes
// late or goes bad meanwhile.
func TestWatchBundle(t *testing.T) {
	ours := newCA(t)
	r := newRig(t, ours)
	synctest.Test(t, func(t *testing.T) {
		r.source.changed = make(chan struct{}) // of this bubble
		rounds := 0
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			r.watchBundle(ctx, func(context.Context) { rounds++ })
		}()
		for n, step := range []struct {
			set    func()
			usable float64
		}{
			{func() {}, 1},
			{func() { r.source.set(ours, nil) }, 1},
			{func() { r.source.set([]byte("garbage"), nil) }, 0},
			{func() { r.source.set(nil, errors.New("no certificate")) }, 0},
			{func() { r.source.set(ours, nil) }, 1},
		} {
			step.set()
			synctest.Wait()
			if rounds != n+1 {
				t.Errorf("step %d: %d rounds", n, rounds)
			}
			if got := testutil.ToFloat64(r.metrics.usable); got != step.usable {
				t.Errorf("step %d: usable is %v, want %v", n, got, step.usable)
			}
		}
		cancel()
		<-done
	})
	if !strings.Contains(r.log.String(), "is not injected: there is no PEM certificate; fix ca.crt") {
		t.Errorf("log\n%s", r.log)
	}
}

// A bundle whose time is over is not spread.
func TestExpiredBundle(t *testing.T) {
	r := newRig(t, newCA(t))
	r.clock = r.clock.Add(11 * 365 * 24 * time.Hour)
	_, err := r.own()
	if err == nil || !strings.Contains(err.Error(), "its last certificate expired on ") {
		t.Error(err)
	}
}

func TestConcerns(t *testing.T) {
	managed := func(manager string, operation metav1.ManagedFieldsOperationType) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{Manager: manager, Operation: operation}
	}
	for _, test := range []struct {
		name        string
		annotations map[string]string
		entries     []metav1.ManagedFieldsEntry
		want        bool
	}{
		{"nothing", nil, nil, false},
		{"asks", wanted(), nil, true},
		{"asks for a Secret's", map[string]string{"crosswalk.dev/inject-ca-from": "a/b"}, nil, true},
		{"asks unclearly", map[string]string{"crosswalk.dev/inject-ca": "yes"}, nil, true},
		{"other annotation", map[string]string{"crosswalk.dev/x": "true"}, nil, false},
		{"is ours", nil, []metav1.ManagedFieldsEntry{managed("kubectl", "Apply"), managed(FieldManager, "Apply")}, true},
		{"is not ours", nil, []metav1.ManagedFieldsEntry{managed("kubectl", "Apply"), managed(FieldManager, "Update")}, false},
	} {
		object := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Annotations: test.annotations, ManagedFields: test.entries}}
		if got := concerns(object); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
	}
}

type queue struct{ added []target }

func (q *queue) Add(t target) { q.added = append(q.added, t) }

func TestEnqueueAll(t *testing.T) {
	var objects []client.Object
	var want []string
	for kind := range manifests() {
		silent := object(t, kind, nil, nil)
		silent.SetName("silent")
		objects = append(objects, object(t, kind, nil, wanted()), silent)
		want = append(want, kind+" it")
	}
	r, q := newRig(t, newCA(t), objects...), &queue{}
	r.enqueueAll(t.Context(), q)
	var got []string
	for _, t := range q.added {
		got = append(got, t.String())
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("enqueued %q, want %q", got, want)
	}
}

// unreadable fails for a while.
type unreadable struct {
	client.Reader
	failures int
}

func (u *unreadable) List(ctx context.Context, list client.ObjectList, o ...client.ListOption) error {
	if u.failures--; u.failures >= 0 {
		return errors.New("no cache yet")
	}
	return u.Reader.List(ctx, list, o...)
}

func TestEnqueueAllWaitsForTheCache(t *testing.T) {
	r := newRig(t, newCA(t), object(t, "APIService", nil, wanted()))
	r.cache = &unreadable{r.client, 3}
	synctest.Test(t, func(t *testing.T) {
		q, start := &queue{}, time.Now()
		r.enqueueAll(t.Context(), q)
		if waited := time.Since(start); len(q.added) != 1 || waited != 3*retryList {
			t.Errorf("after %s: %v", waited, q.added)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r.cache = &unreadable{r.client, 1000}
		r.enqueueAll(ctx, q) // returns
	})
}

func TestContentionNamesOthers(t *testing.T) {
	o := object(t, "APIService", nil, nil)
	o.SetManagedFields([]metav1.ManagedFieldsEntry{
		{Manager: FieldManager, FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:caBundle":{}}}`)},
		{Manager: "gitops", FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:caBundle":{}}}`)},
		{Manager: "kubectl", FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:group":{}}}`)},
		{Manager: "none"},
	})
	if got, want := contention(o), "gitops keeps changing the caBundle: it was corrected 5 times within 1m0s; "+
		"remove the field from what that client applies, or remove the annotation"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestTarget(t *testing.T) {
	got := target{schema.GroupVersionKind{Group: "g", Version: "v1", Kind: "APIService"}, "v1.x"}.String()
	if got != "APIService v1.x" {
		t.Error(got)
	}
}
