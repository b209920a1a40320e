package registration

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/rehearsal"
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

// replica replaces serve.
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

// stage is a reconciler, a replica and a cluster.
type stage struct {
	*reconciler
	t       *testing.T
	client  client.WithWatch
	replica *replica
	serving *rehearsal.Switched // what manage reads; the replica keeps its certificate
	rights  rehearsal.Rights
	clock   time.Time
	applied int
	refuse  error // of the next writes of configurations
}

func newStage(t *testing.T, objects ...client.Object) *stage {
	t.Helper()
	s := &stage{t: t, replica: new(replica), clock: time.Now()}
	s.serving = &rehearsal.Switched{Pair: rehearsal.Pair(t)}
	s.replica.address = rehearsal.Listen(t, *s.serving.Pair.Certificate, s.replica)
	s.client = rehearsal.Cluster(t, s.replica.address, objects...).WithStatusSubresource(new(v1alpha1.Crosswalk)).
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
	now := func() time.Time { return s.clock }
	s.reconciler = newReconciler(Options{
		Serve: rehearsal.Serve(t, s.replica.address, s.serving, s.client, now), Rights: &s.rights, Events: events.NewFakeRecorder(1000), Logger: slog.New(slog.DiscardHandler), Now: now,
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
