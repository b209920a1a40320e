package lookup

import (
	"errors"
	"slices"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// TestLive asks every time, and tells a missing object from a missing kind.
func TestLive(t *testing.T) {
	w := newWorld(t, red, green)
	ctx := t.Context()
	for range 3 {
		if got, err := w.live.Get(ctx, teams, "a", "red"); err != nil || got.GetName() != "red" {
			t.Fatalf("got %v, %v", got, err)
		}
	}
	if n := w.asked.Load(); n != 3 {
		t.Errorf("asked %d times, want 3", n)
	}
	if _, err := w.live.Get(ctx, teams, "a", "none"); !apierrors.IsNotFound(err) || errors.Is(err, policy.ErrUnknownKind) {
		t.Errorf("no such object: %v", err)
	}
	if got, err := w.live.List(ctx, teams, "", labels.Everything()); err != nil || !slices.Equal(names(got), []string{"a/red", "b/green"}) {
		t.Errorf("got %v, %v", names(got), err)
	}
	if _, err := w.live.List(ctx, unheard, "", labels.Everything()); !errors.Is(err, policy.ErrUnknownKind) {
		t.Errorf("no such kind: %v", err)
	}
	w.refuse(apierrors.NewForbidden(schema.GroupResource{Resource: "teams"}, "", nil))
	if _, err := w.live.List(ctx, teams, "", labels.Everything()); !apierrors.IsForbidden(err) {
		t.Errorf("forbidden: %v", err)
	}
	// Its CRD has been deleted: the API server knows the path no more.
	w.refuse(apierrors.NewGenericServerResponse(404, "get", schema.GroupResource{Resource: "teams"}, "red", "404 page not found", 0, true))
	if _, err := w.live.Get(ctx, teams, "a", "red"); !errors.Is(err, policy.ErrUnknownKind) {
		t.Errorf("the kind has gone: %v", err)
	}
}
