package injection

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	kubefake "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// manifests holds one object of every kind, with BUNDLES where each place is.
func manifests() map[string]string {
	return map[string]string{
		"CustomResourceDefinition": `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: stable.example.com
  scope: Namespaced
  names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {service: {name: there, namespace: here}, caBundle: BUNDLE}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`,
		"ValidatingWebhookConfiguration": `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
webhooks:
- {name: a.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {url: "https://x", caBundle: BUNDLE}}
- {name: b.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {service: {name: there, namespace: here}, caBundle: BUNDLE}}
`,
		"MutatingWebhookConfiguration": `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
webhooks:
- {name: a.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {service: {name: there, namespace: here}, caBundle: BUNDLE}}
`,
		"APIService": `
apiVersion: apiregistration.k8s.io/v1
kind: APIService
spec: {group: metrics.k8s.io, version: v1beta1, groupPriorityMinimum: 100, versionPriority: 100, service: {name: there, namespace: here}, caBundle: BUNDLE}
`,
	}
}

// object makes one with this bundle at every place.
func object(t *testing.T, kind string, bundle []byte, annotations map[string]string) *unstructured.Unstructured {
	t.Helper()
	manifest := strings.ReplaceAll(manifests()[kind], "BUNDLE", `"`+base64.StdEncoding.EncodeToString(bundle)+`"`)
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(manifest), &o.Object); err != nil {
		t.Fatal(err)
	}
	o.SetName("it")
	o.SetAnnotations(annotations)
	return o
}

func wanted() map[string]string { return map[string]string{"crosswalk.dev/inject-ca": "true"} }

// bundles lists what is at the places of an object.
func bundles(t *testing.T, o *unstructured.Unstructured) []string {
	t.Helper()
	var all []string
	var walk func(any)
	walk = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			if encoded, is := value["caBundle"].(string); is {
				text, err := base64.StdEncoding.DecodeString(encoded)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, string(text))
			}
			for name, inner := range value {
				if name != "managedFields" {
					walk(inner)
				}
			}
		case []any:
			for _, inner := range value {
				walk(inner)
			}
		}
	}
	walk(o.Object)
	return all
}

// newCA makes the certificate of a CA.
func newCA(t *testing.T) []byte {
	t.Helper()
	a, err := certs.NewAuthority(certs.AuthorityOptions{Dir: t.TempDir(), Names: []string{"localhost"}})
	if err != nil {
		t.Fatal(err)
	}
	pair, err := a.Current()
	if err != nil {
		t.Fatal(err)
	}
	return pair.CABundle
}

// given is a source that a test decides on.
type given struct {
	mu          sync.Mutex
	certificate *tls.Certificate
	bundle      []byte
	fails       error
	changed     chan struct{}
}

func newGiven(bundle []byte) *given {
	return &given{certificate: &tls.Certificate{}, bundle: bundle, changed: make(chan struct{})}
}

func (g *given) Current() (*certs.Pair, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return &certs.Pair{Certificate: g.certificate, CABundle: g.bundle}, g.fails
}

func (g *given) Changed() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.changed
}

func (g *given) Run(context.Context) error { return nil }

func (g *given) set(bundle []byte, fails error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.bundle, g.fails = bundle, fails
	close(g.changed)
	g.changed = make(chan struct{})
}

// rig is an Injector over objects in memory.
type rig struct {
	*Injector
	client   client.WithWatch
	source   *given
	recorder *events.FakeRecorder
	registry *prometheus.Registry
	log      *bytes.Buffer
	clock    time.Time
	core     *kubefake.Clientset
	applied  int
	fail     func() error // of the next apply, while not nil
	denied   []string     // the objects that we may not write to, as "VERB RESOURCE.GROUP NAME"
}

func newRig(t *testing.T, bundle []byte, objects ...client.Object) *rig {
	t.Helper()
	scheme, err := cluster.Scheme()
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{
		source: newGiven(bundle), recorder: events.NewFakeRecorder(100), registry: prometheus.NewRegistry(),
		log: &bytes.Buffer{}, clock: time.Now(), core: kubefake.NewClientset(),
	}
	r.client = fake.NewClientBuilder().WithScheme(scheme).WithRESTMapper(cluster.Mapper()).WithObjects(objects...).
		WithReturnManagedFields().WithInterceptorFuncs(interceptor.Funcs{
		Apply: func(ctx context.Context, c client.WithWatch, config runtime.ApplyConfiguration, o ...client.ApplyOption) error {
			r.applied++
			if r.fail != nil {
				if err := r.fail(); err != nil {
					return err
				}
			}
			return apply(ctx, c, config)
		}, List: list}).Build()
	r.core.PrependReactor("create", "selfsubjectaccessreviews", func(a clienttesting.Action) (bool, runtime.Object, error) {
		review := a.(clienttesting.CreateAction).GetObject().(*authorizationv1.SelfSubjectAccessReview).DeepCopy()
		what := review.Spec.ResourceAttributes
		review.Status.Allowed = !slices.Contains(r.denied, what.Verb+" "+what.Resource+"."+what.Group+" "+what.Name)
		return true, review, nil
	})
	r.Injector = newInjector(Options{
		Source: r.source, Registry: r.registry, Logger: slog.New(slog.NewTextHandler(r.log, nil)),
		Now: func() time.Time { return r.clock }, Keepers: []string{"crosswalk-arming"},
	}, r.core)
	r.cache, r.live, r.writer, r.events = r.client, r.client, r.client, r.recorder
	return r
}

// apply replaces server-side apply, which the fake client cannot do to CRDs,
// whose Go type says more than was applied. The real one is in e2e/authority.
func apply(ctx context.Context, c client.Client, config runtime.ApplyConfiguration) error {
	encoded, err := json.Marshal(config)
	if err != nil {
		return err
	}
	change, live := &unstructured.Unstructured{}, &unstructured.Unstructured{}
	if err := json.Unmarshal(encoded, &change.Object); err != nil {
		return err
	}
	live.SetGroupVersionKind(change.GroupVersionKind())
	if err := c.Get(ctx, client.ObjectKeyFromObject(change), live); err != nil {
		return err
	}
	live.SetResourceVersion(change.GetResourceVersion())
	live.Object = merge(live.Object, change.Object).(map[string]any)
	return c.Update(ctx, live)
}

func merge(live, change any) any {
	switch change := change.(type) {
	case map[string]any:
		fields, _ := live.(map[string]any)
		for name, value := range change {
			fields[name] = merge(fields[name], value)
		}
		return fields
	case []any: // by name, and all are there
		for i, element := range live.([]any) {
			merge(element, change[i])
		}
		return live
	default:
		return change
	}
}

// list replaces lists of metadata, which the fake client cannot make of kinds
// that have no Go type.
func list(ctx context.Context, c client.WithWatch, into client.ObjectList, o ...client.ListOption) error {
	metadata, is := into.(*metav1.PartialObjectMetadataList)
	if !is {
		return c.List(ctx, into, o...)
	}
	whole := &unstructured.UnstructuredList{}
	whole.SetGroupVersionKind(into.GetObjectKind().GroupVersionKind())
	if err := c.List(ctx, whole, o...); err != nil {
		return err
	}
	metadata.Items = nil
	for _, item := range whole.Items {
		var one metav1.PartialObjectMetadata
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(item.Object, &one); err != nil {
			return err
		}
		metadata.Items = append(metadata.Items, one)
	}
	return nil
}

func (r *rig) get(t *testing.T, like client.Object) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(like.GetObjectKind().GroupVersionKind())
	if err := r.client.Get(t.Context(), client.ObjectKeyFromObject(like), o); err != nil {
		t.Fatal(err)
	}
	return o
}

func targetOf(o *unstructured.Unstructured) target { return target{o.GroupVersionKind(), o.GetName()} }

// told returns the Events since the last call.
func (r *rig) told() string {
	var all []string
	for {
		select {
		case event := <-r.recorder.Events:
			all = append(all, event)
		default:
			return strings.Join(all, "\n")
		}
	}
}
