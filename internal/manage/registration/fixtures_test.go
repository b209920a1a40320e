package registration

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

const (
	crontabs  = "crontabs.stable.example.com"
	stars     = "stars.example.com"
	namespace = "crosswalk-system"
)

func service() cluster.Service { return cluster.Service{Namespace: namespace, Name: "crosswalk"} }

// crd is one that asks the Service, or with None, nobody.
func crd(name string, strategy apiextensionsv1.ConversionStrategyType, versions ...string) *apiextensionsv1.CustomResourceDefinition {
	c := new(apiextensionsv1.CustomResourceDefinition)
	c.Name = name
	plural, group, _ := bytes.Cut([]byte(name), []byte("."))
	c.Spec.Group, c.Spec.Scope = string(group), apiextensionsv1.NamespaceScoped
	c.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{Plural: string(plural), Kind: "Kind"}
	c.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: strategy}
	if strategy == apiextensionsv1.WebhookConverter {
		c.Spec.Conversion.Webhook = &apiextensionsv1.WebhookConversion{ClientConfig: &apiextensionsv1.WebhookClientConfig{
			Service: &apiextensionsv1.ServiceReference{Namespace: namespace, Name: "crosswalk", Path: new("/convert/0123")},
		}}
	}
	for _, version := range versions {
		c.Spec.Versions = append(c.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{Name: version, Served: true})
	}
	return c
}

func crosswalk(name string) *v1alpha1.Crosswalk {
	c := new(v1alpha1.Crosswalk)
	c.Name, c.Spec.Hub, c.Generation = name, "v1", 1
	return c
}

// replica stands for serve.
type replica struct {
	address string
	mu      sync.Mutex
	silent  map[string]bool // by path, or by path and version
	asked   []string
}

func (r *replica) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	review := new(admissionv1.AdmissionReview)
	if err := json.NewDecoder(request.Body).Decode(review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	q := review.Request
	r.asked = append(r.asked, fmt.Sprintf("%s %s %s/%s", request.URL.Path, q.Operation, q.Kind.Version, q.Resource.Resource))
	for _, key := range []string{request.URL.Path, request.URL.Path + " " + q.Kind.Version} {
		if r.silent[key] {
			w.WriteHeader(http.StatusNotFound)
			_ = json.NewEncoder(w).Encode(metav1.Status{Message: "there is no such route"})
			return
		}
	}
	_ = json.NewEncoder(w).Encode(admissionv1.AdmissionReview{TypeMeta: review.TypeMeta, Response: &admissionv1.AdmissionResponse{UID: q.UID}})
}

func (r *replica) silence(keys ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.silent = map[string]bool{}
	for _, key := range keys {
		r.silent[key] = true
	}
}

func authority(t *testing.T) certs.Source {
	t.Helper()
	source, err := certs.NewAuthority(certs.AuthorityOptions{Dir: t.TempDir(), Names: []string{"crosswalk.crosswalk-system.svc"}})
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// switched is a source whose pair changes.
type switched struct {
	certs.Source
	pair *certs.Pair
	err  error
}

func (s *switched) Current() (*certs.Pair, error) { return s.pair, s.err }

func pairOf(t *testing.T, source certs.Source) *certs.Pair {
	t.Helper()
	pair, err := source.Current()
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

// stage is a reconciler, a replica and a cluster.
type stage struct {
	*reconciler
	t       *testing.T
	client  client.WithWatch
	replica *replica
	serving *switched // what manage reads; the replica keeps its certificate
	clock   time.Time
	applied int
	refuse  error // of the next writes of configurations
}

func newStage(t *testing.T, objects ...client.Object) *stage {
	t.Helper()
	s := &stage{t: t, replica: new(replica), clock: time.Now()}
	s.serving = &switched{pair: pairOf(t, authority(t))}
	server := httptest.NewUnstartedServer(s.replica)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{*s.serving.pair.Certificate}}
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	s.replica.address = server.Listener.Addr().String()

	host, port, _ := net.SplitHostPort(s.replica.address)
	number, _ := strconv.Atoi(port)
	objects = append(objects, &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "crosswalk"},
		Spec:       corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: host},
	})
	scheme, err := cluster.Scheme()
	if err != nil {
		t.Fatal(err)
	}
	s.client = fake.NewClientBuilder().WithScheme(scheme).WithRESTMapper(cluster.Mapper()).WithObjects(objects...).
		WithStatusSubresource(new(v1alpha1.Crosswalk)).WithReturnManagedFields().
		WithInterceptorFuncs(interceptor.Funcs{
			Create: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.CreateOption) error {
				if s.refuse != nil {
					return s.refuse
				}
				s.applied++
				return c.Create(ctx, o, opts...)
			},
			Patch: func(ctx context.Context, c client.WithWatch, o client.Object, p client.Patch, opts ...client.PatchOption) error {
				if s.refuse != nil {
					return s.refuse
				}
				s.applied++
				return c.Patch(ctx, o, p, opts...)
			},
		}).Build()
	s.reconciler = newReconciler(Options{
		Serve: &reach.Serve{
			Service: service(), Port: int32(number), Replicas: []string{s.replica.address}, Certs: s.serving,
			Live: s.client, Cached: s.client, Now: func() time.Time { return s.clock },
		},
		Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { return s.clock },
	}, s.client, s.client, s.client)
	return s
}

// look reconciles Crosswalks, and makes a pass after each.
func (s *stage) look(names ...string) time.Duration {
	s.t.Helper()
	for _, name := range names {
		if _, err := s.Reconcile(s.t.Context(), reconcile.Request{NamespacedName: client.ObjectKey{Name: name}}); err != nil {
			s.t.Fatal(err)
		}
	}
	return s.pass()
}

func (s *stage) pass() time.Duration {
	s.t.Helper()
	result, err := s.Reconcile(s.t.Context(), s.everything())
	if err != nil {
		s.t.Fatal(err)
	}
	return result.RequeueAfter
}

// later lets the API servers hear of what was written, and makes a pass.
func (s *stage) later() time.Duration {
	s.t.Helper()
	s.clock = s.clock.Add(2 * webhooks.Settling)
	return s.pass()
}

func (s *stage) configurations() (*admissionregistrationv1.MutatingWebhookConfiguration, *admissionregistrationv1.ValidatingWebhookConfiguration) {
	s.t.Helper()
	mutating, validating := new(admissionregistrationv1.MutatingWebhookConfiguration), new(admissionregistrationv1.ValidatingWebhookConfiguration)
	for _, err := range []error{
		client.IgnoreNotFound(s.client.Get(s.t.Context(), client.ObjectKey{Name: MutatingName}, mutating)),
		client.IgnoreNotFound(s.client.Get(s.t.Context(), client.ObjectKey{Name: ValidatingName}, validating)),
	} {
		if err != nil {
			s.t.Fatal(err)
		}
	}
	return mutating, validating
}

// rules are those that there are, as "webhook: resources versions".
func (s *stage) rules() []string {
	s.t.Helper()
	var all []string
	mutating, validating := s.configurations()
	for _, side := range (webhooks.Pair{Mutating: mutating, Validating: validating}).Sides() {
		for _, w := range side.Webhooks {
			for _, rule := range w.Rules {
				all = append(all, fmt.Sprintf("%s: %s.%s %v", w.Name, rule.Resources[0], rule.APIGroups[0], rule.APIVersions))
			}
		}
	}
	return all
}

// says is the condition of a Crosswalk.
func (s *stage) says(name string) string {
	s.t.Helper()
	c := new(v1alpha1.Crosswalk)
	if err := s.client.Get(s.t.Context(), client.ObjectKey{Name: name}, c); err != nil {
		s.t.Fatal(err)
	}
	condition := meta.FindStatusCondition(c.Status.Conditions, v1alpha1.ConditionGuarded)
	if condition == nil {
		return ""
	}
	return fmt.Sprintf("%s %s: %s", condition.Status, condition.Reason, condition.Message)
}
