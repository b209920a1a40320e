package lookup

import (
	"errors"
	goruntime "runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// TestCache reads what it is told to keep, and follows it.
func TestCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, red, blue, green, north)
		ctx := t.Context()
		if _, err := w.cache.Get(ctx, teams, "a", "red"); !errors.Is(err, policy.ErrNotSynced) {
			t.Errorf("nobody keeps it: %v", err)
		}
		w.cache.Keep([]schema.GroupVersionKind{teams, regions, teams})
		if w.cache.Settled(teams) {
			t.Error("settled before it runs")
		}
		w.run()
		if !w.cache.Settled(teams) || !w.cache.Settled(regions) || w.cache.Settled(unheard) {
			t.Error("not settled")
		}
		for kind, want := range map[schema.GroupVersionKind]bool{teams: true, regions: false} {
			if got, err := w.cache.Namespaced(ctx, kind); got != want || err != nil {
				t.Errorf("%v: %v, %v", kind, got, err)
			}
		}
		got, err := w.cache.Get(ctx, teams, "a", "red")
		if err != nil || got.GetName() != "red" || got.GetManagedFields() != nil {
			t.Errorf("got %v, %v", got, err)
		}
		if _, err := w.cache.Get(ctx, teams, "b", "red"); !apierrors.IsNotFound(err) {
			t.Errorf("it is elsewhere: %v", err)
		}
		if got, err := w.cache.Get(ctx, regions, "", "north"); err != nil || got.GetName() != "north" {
			t.Errorf("got %v, %v", got, err)
		}
		small, err := labels.Parse("size=small")
		if err != nil {
			t.Fatal(err)
		}
		for namespace, want := range map[string][]string{"": {"a/red", "b/green"}, "a": {"a/red"}, "c": nil} {
			if got, err := w.cache.List(ctx, teams, namespace, small); err != nil || !slices.Equal(names(got), want) {
				t.Errorf("%q: got %v, %v", namespace, names(got), err)
			}
		}
		resource := schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "teams"}
		if err := w.client.Resource(resource).Namespace("a").Delete(ctx, "red", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if _, err := w.cache.Get(ctx, teams, "a", "red"); !apierrors.IsNotFound(err) {
			t.Errorf("it has been deleted: %v", err)
		}
		w.cache.Keep([]schema.GroupVersionKind{regions})
		if _, err := w.cache.Get(ctx, teams, "a", "blue"); !errors.Is(err, policy.ErrNotSynced) {
			t.Errorf("nobody keeps it any more: %v", err)
		}
		if got, err := w.cache.Get(ctx, regions, "", "north"); err != nil || got.GetName() != "north" {
			t.Errorf("got %v, %v", got, err)
		}
	})
}

// TestManyChanges leaves nothing behind: neither of kinds that nobody looks up any
// more, nor of policies.
func TestManyChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, red, north)
		w.run()
		before := goruntime.NumGoroutine() // those of others come and go, too
		for range 1000 {
			w.cache.Keep([]schema.GroupVersionKind{teams, unheard})
			synctest.Wait()
			w.cache.Keep([]schema.GroupVersionKind{regions})
		}
		w.cache.Keep(nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		if after := goruntime.NumGoroutine(); after > before+10 {
			t.Errorf("%d goroutines before, %d after", before, after)
		}
		if n := len(w.cache.kept); n != 0 {
			t.Errorf("%d kinds are kept", n)
		}
	})
}
