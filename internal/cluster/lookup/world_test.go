package lookup

import (
	"context"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	clienttesting "k8s.io/client-go/testing"
	"sigs.k8s.io/yaml"
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
	w.Lookups = assemble(w.client, newMapper, nil, nil, nil, slog.New(slog.DiscardHandler), time.Now)
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
