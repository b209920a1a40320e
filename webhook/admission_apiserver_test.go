package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/generic"
	kmutating "k8s.io/apiserver/pkg/admission/plugin/webhook/mutating"
	kvalidating "k8s.io/apiserver/pkg/admission/plugin/webhook/validating"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/client-go/informers"
	kfake "k8s.io/client-go/kubernetes/fake"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/validation"
)

// admissionServer is the API server's own code for admission webhooks, whose
// configurations name a Service that resolves to a real server of ours, TLS and
// all.
type admissionServer struct {
	mutating   *kmutating.Plugin
	validating *kvalidating.Plugin
}

func newAdmissionServer(t *testing.T, reviewVersion string, policy registrationv1.FailurePolicyType, reviewers *Reviewers) *admissionServer {
	t.Helper()
	source, err := certs.NewAuthority(certs.AuthorityOptions{Dir: t.TempDir(), Names: certs.ServiceNames("crosswalk", "system")})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{
		Handler:   NewAdmissionHandler(Options{Reviewers: reviewers}),
		TLSConfig: TLSConfig(source, 0),
		ErrorLog:  log.New(io.Discard, "", 0),
	}
	setTimeouts(server)
	go func() { _ = server.ServeTLS(listener, "", "") }() // ends with Close
	t.Cleanup(func() { _ = server.Close() })
	pair, err := source.Current()
	if err != nil {
		t.Fatal(err)
	}
	port := int32(listener.Addr().(*net.TCPAddr).Port)
	config := func(path string) registrationv1.WebhookClientConfig {
		return registrationv1.WebhookClientConfig{
			Service:  &registrationv1.ServiceReference{Namespace: "system", Name: "crosswalk", Path: &path, Port: &port},
			CABundle: pair.CABundle,
		}
	}
	none, exact, seconds := registrationv1.SideEffectClassNone, registrationv1.Exact, int32(2)
	all := []registrationv1.RuleWithOperations{{
		Operations: []registrationv1.OperationType{registrationv1.OperationAll},
		Rule:       registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"}},
	}}
	client := kfake.NewClientset(
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "milkyway"}},
		&registrationv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "m"}, Webhooks: []registrationv1.MutatingWebhook{{
			Name: "stars.crosswalk.dev", ClientConfig: config("/mutate/stars"), Rules: all, FailurePolicy: &policy, MatchPolicy: &exact, SideEffects: &none,
			TimeoutSeconds: &seconds, AdmissionReviewVersions: []string{reviewVersion}, NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{}}}},
		&registrationv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "v"}, Webhooks: []registrationv1.ValidatingWebhook{{
			Name: "stars.crosswalk.dev", ClientConfig: config("/validate/stars"), Rules: all, FailurePolicy: &policy, MatchPolicy: &exact, SideEffects: &none,
			TimeoutSeconds: &seconds, AdmissionReviewVersions: []string{reviewVersion}, NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{}}}},
	)
	var s admissionServer
	if s.mutating, err = kmutating.NewMutatingWebhook(nil); err != nil {
		t.Fatal(err)
	}
	if s.validating, err = kvalidating.NewValidatingAdmissionWebhook(nil); err != nil {
		t.Fatal(err)
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	for _, plugin := range []*generic.Webhook{s.mutating.Webhook, s.validating.Webhook} {
		plugin.SetAuthenticationInfoResolverWrapper(func(delegate webhook.AuthenticationInfoResolver) webhook.AuthenticationInfoResolver { return delegate })
		plugin.SetServiceResolver(resolver{net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port)))})
		plugin.SetExternalKubeClientSet(client)
		plugin.SetExternalKubeInformerFactory(factory)
	}
	stop := make(chan struct{})
	factory.Start(stop)
	t.Cleanup(func() { close(stop); factory.Shutdown() })
	factory.WaitForCacheSync(stop)
	if err := errors.Join(s.mutating.ValidateInitialization(), s.validating.ValidateInitialization()); err != nil {
		t.Fatal(err)
	}
	return &s
}

// starWrite is a write of a star.
type starWrite struct {
	object, old string
	operation   kadmission.Operation
	subresource string
	dryRun      bool
}

// wrote is what the API server makes of it.
type wrote struct {
	object      string
	warnings    []string
	annotations map[string]string
	err         error
}

func (w *wrote) AddWarning(_, text string) { w.warnings = append(w.warnings, text) }

// admit lets a write pass through the mutating webhook and then the validating one.
func (s *admissionServer) admit(t *testing.T, w starWrite) *wrote {
	t.Helper()
	parse := func(text string) runtime.Object {
		if text == "" {
			return nil
		}
		u := &unstructured.Unstructured{}
		if err := u.UnmarshalJSON([]byte(text)); err != nil {
			t.Fatal(err)
		}
		return u
	}
	kind := schema.GroupVersionKind{Group: "sky.dev", Version: "v1", Kind: "Star"}
	object := parse(w.object)
	attributes := kadmission.NewAttributesRecord(object, parse(w.old), kind, "milkyway", "sol", kind.GroupVersion().WithResource("stars"),
		w.subresource, w.operation, nil, w.dryRun, &user.DefaultInfo{Name: "jane", Groups: []string{"g"}, Extra: map[string][]string{"e": {"1"}}})
	var got wrote
	ctx := warning.WithWarningRecorder(t.Context(), &got)
	annotated := &annotations{Attributes: attributes, all: map[string]string{}}
	interfaces := kadmission.NewObjectInterfacesFromScheme(runtime.NewScheme())
	if got.err = s.mutating.Admit(ctx, annotated, unstructuredOnly{interfaces}); got.err == nil {
		got.err = s.validating.Validate(ctx, annotated, unstructuredOnly{interfaces})
	}
	if object != nil {
		text, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		got.object = string(text)
	}
	got.annotations = annotated.all
	return &got
}

// annotations notes what would go into the audit log.
type annotations struct {
	kadmission.Attributes
	all map[string]string
}

func (a *annotations) AddAnnotation(key, value string) error {
	if strings.HasPrefix(key, "stars.crosswalk.dev/") {
		a.all[key] = value
	}
	return a.Attributes.AddAnnotation(key, value)
}

// unstructuredOnly is how the API server handles custom resources.
type unstructuredOnly struct{ kadmission.ObjectInterfaces }

func (unstructuredOnly) GetObjectConvertor() runtime.ObjectConvertor { return copier{} }
func (unstructuredOnly) GetObjectDefaulter() runtime.ObjectDefaulter { return copier{} }

type copier struct{ runtime.ObjectConvertor }

func (copier) Default(runtime.Object) {}

func (copier) Convert(in, out, _ any) error {
	in.(*unstructured.Unstructured).DeepCopyInto(out.(*unstructured.Unstructured))
	return nil
}

// TestThroughTheAPIServer lets the API server's own code ask, check the answer and
// apply the patch.
func TestThroughTheAPIServer(t *testing.T) {
	reviewers := NewReviewers(nil)
	mutator := judge(func(_ context.Context, r *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		if r.Object.Raw == nil || r.SubResource != "" {
			return nil, nil
		}
		changed := strings.NewReplacer(`"spec":{`, `"spec":{"big":9007199254740993,"none":null,"a/b~c":{"d":[]},`, `"labels":{}`, `"labels":{"x/y":"z"}`).Replace(string(r.Object.Raw))
		return &validation.Verdict{Object: []byte(changed), Warnings: []string{"changed"}, AuditAnnotations: map[string]string{"changed": "yes"}}, nil
	})
	validator := judge(func(_ context.Context, r *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		verdict := &validation.Verdict{AuditAnnotations: map[string]string{"judged": string(r.Operation) + "/" + r.SubResource, "dry-run": strconv.FormatBool(*r.DryRun)}}
		switch {
		case strings.Contains(string(r.Object.Raw), "broken"):
			return nil, errors.New("the lookup has no answer")
		case strings.Contains(string(r.Object.Raw), "heavy"):
			verdict.Causes = []validation.Cause{
				{Field: "spec.mass", Message: "must be below 3", Type: metav1.CauseTypeFieldValueInvalid},
				{Field: "spec.galaxy", Message: "required", Type: metav1.CauseTypeFieldValueRequired}}
		case strings.Contains(string(r.Object.Raw), "hidden"):
			verdict.Causes = []validation.Cause{{Message: "not yours", Reason: metav1.StatusReasonForbidden}}
		}
		return verdict, nil
	})
	if err := reviewers.Replace(map[string]validation.Reviewer{"stars": validator}, map[string]validation.Reviewer{"stars": mutator}); err != nil {
		t.Fatal(err)
	}
	star := func(mass string) string {
		return `{"apiVersion":"sky.dev/v1","kind":"Star","metadata":{"labels":{},"name":"sol","namespace":"milkyway"},"spec":{"mass":` + mass + `}}`
	}
	changed := func(mass string) string {
		return `{"apiVersion":"sky.dev/v1","kind":"Star","metadata":{"labels":{"x/y":"z"},"name":"sol","namespace":"milkyway"},"spec":{"a/b~c":{"d":[]},"big":9007199254740993,"mass":` + mass + `,"none":null}}`
	}
	const denial = `admission webhook "stars.crosswalk.dev" denied the request: `
	const broken = `failed calling webhook "stars.crosswalk.dev": failed to call webhook: validate/stars could not evaluate the request: the lookup has no answer`
	tests := []struct {
		name  string
		write starWrite
		want  wrote
	}{
		{"create", starWrite{object: star("1"), operation: kadmission.Create},
			wrote{object: changed("1"), warnings: []string{"changed"},
				annotations: map[string]string{"changed": "yes", "judged": "CREATE/", "dry-run": "false"}}},
		{"dry run", starWrite{object: star("2"), old: star("1"), operation: kadmission.Update, dryRun: true},
			wrote{object: changed("2"), warnings: []string{"changed"},
				annotations: map[string]string{"changed": "yes", "judged": "UPDATE/", "dry-run": "true"}}},
		{"status", starWrite{object: star("2"), old: star("1"), operation: kadmission.Update, subresource: "status"},
			wrote{object: star("2"), annotations: map[string]string{"judged": "UPDATE/status", "dry-run": "false"}}},
		{"delete", starWrite{old: star("1"), operation: kadmission.Delete},
			wrote{annotations: map[string]string{"judged": "DELETE/", "dry-run": "false"}}},
		{"connect", starWrite{operation: kadmission.Connect, subresource: "proxy"},
			wrote{annotations: map[string]string{"judged": "CONNECT/proxy", "dry-run": "false"}}},
		{"denied", starWrite{object: star(`"heavy"`), operation: kadmission.Create},
			wrote{object: changed(`"heavy"`), warnings: []string{"changed"},
				annotations: map[string]string{"changed": "yes", "judged": "CREATE/", "dry-run": "false"},
				err:         errors.New(denial + `Star "sol" is invalid: spec.mass: must be below 3; spec.galaxy: required`)}},
		{"forbidden", starWrite{object: star(`"hidden"`), operation: kadmission.Create},
			wrote{object: changed(`"hidden"`), warnings: []string{"changed"},
				annotations: map[string]string{"changed": "yes", "judged": "CREATE/", "dry-run": "false"},
				err:         errors.New(denial + `not yours`)}},
		{"error", starWrite{object: star(`"broken"`), operation: kadmission.Create},
			wrote{object: changed(`"broken"`), warnings: []string{"changed"}, annotations: map[string]string{"changed": "yes"},
				err: errors.New(`Internal error occurred: ` + broken)}},
	}
	for _, version := range []string{"v1", "v1beta1"} {
		server := newAdmissionServer(t, version, registrationv1.Fail, reviewers)
		for _, test := range tests {
			t.Run(version+" "+test.name, func(t *testing.T) {
				got := server.admit(t, test.write)
				want := test.want
				for key := range maps.Clone(want.annotations) {
					want.annotations["stars.crosswalk.dev/"+strings.TrimPrefix(key, "stars.crosswalk.dev/")] = want.annotations[key]
					if !strings.Contains(key, "/") {
						delete(want.annotations, key)
					}
				}
				if got.object != want.object || !slices.Equal(got.warnings, want.warnings) || !reflect.DeepEqual(got.annotations, want.annotations) {
					t.Errorf("\n got %+v\nwant %+v", got, want)
				}
				if (got.err == nil) != (want.err == nil) || got.err != nil && got.err.Error() != want.err.Error() {
					t.Errorf("\n got %v\nwant %v", got.err, want.err)
				}
			})
		}
	}

	// kubectl prints the causes of what is Invalid.
	server := newAdmissionServer(t, "v1", registrationv1.Fail, reviewers)
	var status *apierrors.StatusError
	err := server.admit(t, starWrite{object: star(`"heavy"`), operation: kadmission.Create}).err
	if !errors.As(err, &status) || !apierrors.IsInvalid(err) || status.ErrStatus.Code != 422 {
		t.Fatalf("%#v", err)
	}
	want := []metav1.StatusCause{{Type: metav1.CauseTypeFieldValueInvalid, Message: "must be below 3", Field: "spec.mass"},
		{Type: metav1.CauseTypeFieldValueRequired, Message: "required", Field: "spec.galaxy"}}
	if d := status.ErrStatus.Details; d.Kind != "Star" || d.Name != "sol" || !reflect.DeepEqual(d.Causes, want) {
		t.Errorf("%+v", d)
	}
	if err := server.admit(t, starWrite{object: star(`"hidden"`), operation: kadmission.Create}).err; !apierrors.IsForbidden(err) {
		t.Errorf("%#v", err)
	}

	// With failurePolicy Ignore an error lets the write pass, and a denial does not.
	open := newAdmissionServer(t, "v1", registrationv1.Ignore, reviewers)
	if err := open.admit(t, starWrite{object: star(`"broken"`), operation: kadmission.Create}).err; err != nil {
		t.Error(err)
	}
	if err := open.admit(t, starWrite{object: star(`"heavy"`), operation: kadmission.Create}).err; !apierrors.IsInvalid(err) {
		t.Error(err)
	}
}

// TestTheAPIServerAsksAgain: a replica that does not know a name yet delays a
// write, and does not fail it.
func TestTheAPIServerAsksAgain(t *testing.T) {
	reviewers := NewReviewers(nil)
	server := newAdmissionServer(t, "v1", registrationv1.Fail, reviewers)
	known := map[string]validation.Reviewer{"stars": says(validation.Verdict{})}
	start := time.Now()
	time.AfterFunc(200*time.Millisecond, func() { _ = reviewers.Replace(known, known) }) // the name is fine
	if got := server.admit(t, starWrite{object: starObject, operation: kadmission.Create}); got.err != nil {
		t.Error(got.err)
	}
	if took := time.Since(start); took < time.Second {
		t.Errorf("took %v, so it did not ask twice", took)
	}
}
