package lookup

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// TestTrouble tells what may not be read, what is not read yet and what does not
// exist apart, and gets over all three.
func TestTrouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, red)
		ctx := t.Context()
		forbidden := apierrors.NewForbidden(schema.GroupResource{Group: "example.com", Resource: "teams"}, "", errors.New("no role says so"))
		w.refuse(forbidden)
		w.cache.Keep([]schema.GroupVersionKind{teams, unheard})
		w.run()
		if _, err := w.cache.Get(ctx, teams, "a", "red"); !apierrors.IsForbidden(err) || !w.cache.Settled(teams) {
			t.Errorf("forbidden: %v, settled: %v", err, w.cache.Settled(teams))
		}
		if _, err := w.cache.List(ctx, unheard, "a", labels.Everything()); !errors.Is(err, policy.ErrUnknownKind) || !w.cache.Settled(unheard) {
			t.Errorf("unheard of: %v", err)
		}
		// Whoever has just been given the right is not kept waiting, and nobody asks
		// all the time.
		asked := w.asked.Load()
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := w.asked.Load() - asked; n < 25 || n > 31 {
			t.Errorf("asked %d times in a minute", n)
		}
		w.refuse(nil)
		time.Sleep(again)
		synctest.Wait()
		if got, err := w.cache.Get(ctx, teams, "a", "red"); err != nil || got.GetName() != "red" {
			t.Errorf("now it may be read: %v, %v", got, err)
		}
		w.cache.Keep([]schema.GroupVersionKind{unheard})
		w.refuse(errors.New("connection refused"))
		w.cache.Keep([]schema.GroupVersionKind{unheard, teams})
		time.Sleep(time.Minute)
		synctest.Wait()
		if _, err := w.cache.Get(ctx, teams, "a", "red"); !errors.Is(err, policy.ErrNotSynced) || w.cache.Settled(teams) {
			t.Errorf("unreachable: %v, settled: %v", err, w.cache.Settled(teams))
		}
		w.refuse(nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		if got, err := w.cache.Get(ctx, teams, "a", "red"); err != nil || got.GetName() != "red" {
			t.Errorf("mended: %v, %v", got, err)
		}
		before := w.mapper.count()
		for range 100 {
			if _, err := w.cache.Namespaced(ctx, unheard); !errors.Is(err, policy.ErrUnknownKind) {
				t.Error(err)
			}
		}
		if more := w.mapper.count() - before; more > 1 {
			t.Errorf("a kind that is not served was asked about %d times at once", more)
		}
		w.mapper.serve(unheard)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if namespaced, err := w.cache.Namespaced(ctx, unheard); namespaced || err != nil {
			t.Errorf("now it is served: %v, %v", namespaced, err)
		}
	})
}

// TestCRDsComeBack as others: under another name, and with another scope.
func TestCRDsComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, red)
		ctx := t.Context()
		var stream atomic.Pointer[watch.RaceFreeFakeWatcher]
		w.client.PrependWatchReactor("*", func(clienttesting.Action) (bool, watch.Interface, error) {
			stream.Store(watch.NewRaceFreeFake())
			return true, stream.Load(), nil
		})
		w.cache.Keep([]schema.GroupVersionKind{teams})
		w.run()
		if got, err := w.cache.Get(ctx, teams, "a", "red"); err != nil || got == nil {
			t.Fatal(err)
		}
		gone := apierrors.NewGenericServerResponse(404, "list", schema.GroupResource{Resource: "teams"}, "", "404 page not found", 0, true)
		w.client.PrependReactor("list", "teams", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, gone })
		w.client.PrependWatchReactor("teams", func(clienttesting.Action) (bool, watch.Interface, error) { return true, nil, gone })
		w.mapper.move(teams, "squads", meta.RESTScopeNamespace)
		stream.Load().Stop()
		time.Sleep(time.Minute)
		synctest.Wait()
		if got, err := w.cache.List(ctx, teams, "", labels.Everything()); err != nil || len(got) != 0 {
			t.Errorf("it has come back under another name: %v, %v", got, err)
		}
		// Nobody has seen that it was gone.
		w.mapper.move(teams, "squads", meta.RESTScopeRoot)
		if namespaced, err := w.cache.Namespaced(ctx, teams); !namespaced || err != nil {
			t.Errorf("nothing has happened yet: %v, %v", namespaced, err)
		}
		stream.Load().Stop()
		time.Sleep(time.Minute)
		synctest.Wait()
		if namespaced, err := w.cache.Namespaced(ctx, teams); namespaced || err != nil || !w.cache.Settled(teams) {
			t.Errorf("it has come back with another scope: %v, %v", namespaced, err)
		}
		asked := w.mapper.count()
		stream.Load().Stop()
		time.Sleep(time.Minute)
		synctest.Wait()
		if w.mapper.count() != asked+1 || !w.cache.Settled(teams) {
			t.Errorf("it has not changed, and was asked about %d times", w.mapper.count()-asked)
		}
	})
}
