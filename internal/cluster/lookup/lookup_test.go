package lookup

import (
	"context"
	"errors"
	"log/slog"
	goruntime "runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	clienttesting "k8s.io/client-go/testing"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

var (
	teams    = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Team"}
	regions  = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Region"}
	unheard  = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Unheard"}
	allKinds = map[schema.GroupVersionKind]meta.RESTScope{teams: meta.RESTScopeNamespace, regions: meta.RESTScopeRoot}
)

// world is a cluster with lookups in it.
type world struct {
	*Lookups
	t      *testing.T
	client *dynamicfake.FakeDynamicClient
	mapper *mapper
	// asked counts lists, watches and gets.
	asked atomic.Int32
	// refusal is what the API server answers to all of them; nil lets them pass.
	refusal atomic.Pointer[error]
}

// mapper counts how often it is asked.
type mapper struct {
	*meta.DefaultRESTMapper
	mu    sync.Mutex
	asked int
}

func (m *mapper) RESTMapping(kind schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked++
	return m.DefaultRESTMapper.RESTMapping(kind, versions...)
}

// remembering is a mapper that goes on saying what it has said once, as that of
// controller-runtime does.
type remembering struct {
	*mapper
	said sync.Map
}

func (r *remembering) RESTMapping(kind schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	if said, ok := r.said.Load(kind); ok {
		return said.(*meta.RESTMapping), nil
	}
	mapping, err := r.mapper.RESTMapping(kind, versions...)
	if err == nil {
		r.said.Store(kind, mapping)
	}
	return mapping, err
}

// move has a kind come back as another resource.
func (m *mapper) move(kind schema.GroupVersionKind, plural string, scope meta.RESTScope) {
	m.mu.Lock()
	defer m.mu.Unlock()
	version := kind.GroupVersion()
	m.AddSpecific(kind, version.WithResource(plural), version.WithResource(plural), scope)
}

// serve begins to serve a kind.
func (m *mapper) serve(kind schema.GroupVersionKind) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Add(kind, meta.RESTScopeRoot)
}

func (m *mapper) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asked
}

func newWorld(t *testing.T, objects ...string) *world {
	t.Helper()
	served := meta.NewDefaultRESTMapper(nil)
	lists := map[schema.GroupVersionResource]string{
		teams.GroupVersion().WithResource("squads"): "TeamList",
		{Version: "v1", Resource: "namespaces"}:     "NamespaceList", unheard.GroupVersion().WithResource("unheards"): "UnheardList",
	}
	for kind, scope := range allKinds {
		served.Add(kind, scope)
		resource, _ := meta.UnsafeGuessKindToResource(kind)
		lists[resource] = kind.Kind + "List"
	}
	served.Add(schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, meta.RESTScopeRoot)
	var all []runtime.Object
	for _, text := range objects {
		all = append(all, object(t, text))
	}
	w := &world{t: t, mapper: &mapper{DefaultRESTMapper: served}}
	w.client = dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), lists, all...)
	for _, verb := range []string{"list", "get"} {
		w.client.PrependReactor(verb, "*", func(clienttesting.Action) (bool, runtime.Object, error) {
			w.asked.Add(1)
			if refusal := w.refusal.Load(); refusal != nil && *refusal != nil {
				return true, nil, *refusal
			}
			return false, nil, nil
		})
	}
	newMapper := func() (meta.RESTMapper, error) { return &remembering{mapper: w.mapper}, nil }
	w.Lookups = assemble(w.client, newMapper, nil, nil, slog.New(slog.DiscardHandler), time.Now)
	return w
}

func (w *world) refuse(err error) { w.refusal.Store(&err) }

// run runs the cache until the test ends.
func (w *world) run() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { w.cache.run(ctx); close(done) }()
	w.t.Cleanup(func() { cancel(); <-done })
	synctest.Wait()
}

func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	u := new(unstructured.Unstructured)
	if err := yaml.Unmarshal([]byte(text), &u.Object); err != nil {
		t.Fatal(err)
	}
	return u
}

func names(objects []*unstructured.Unstructured) []string {
	var names []string
	for _, o := range objects {
		names = append(names, o.GetNamespace()+"/"+o.GetName())
	}
	slices.Sort(names)
	return names
}

const (
	red   = "{apiVersion: example.com/v1, kind: Team, metadata: {name: red, namespace: a, labels: {size: small}, managedFields: [{manager: m}]}}"
	blue  = "{apiVersion: example.com/v1, kind: Team, metadata: {name: blue, namespace: a, labels: {size: large}}}"
	green = "{apiVersion: example.com/v1, kind: Team, metadata: {name: green, namespace: b, labels: {size: small}}}"
	north = "{apiVersion: example.com/v1, kind: Region, metadata: {name: north}}"
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

// TestNamespaces knows one that has just been made.
func TestNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const a = "{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: {l: x}, managedFields: [{manager: m}]}, status: {phase: Active}}"
		w := newWorld(t, a)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if _, err := w.namespaces.Namespace(ctx, "a"); !errors.Is(err, policy.ErrNotSynced) {
			t.Errorf("not read: %v", err)
		}
		go w.namespaces.run(ctx)
		synctest.Wait()
		asked := w.asked.Load()
		got, err := w.namespaces.Namespace(ctx, "a")
		if err != nil || got.Labels["l"] != "x" || got.Status.Phase != "Active" || got.ManagedFields != nil || w.asked.Load() != asked {
			t.Errorf("got %+v, %v", got, err)
		}
		if _, err := w.namespaces.Namespace(ctx, "b"); !apierrors.IsNotFound(err) || w.asked.Load() != asked+1 {
			t.Errorf("there is none, and the API server should have said so: %v", err)
		}
		cancel()
		synctest.Wait()
	})
}
