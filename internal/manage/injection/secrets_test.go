package injection

import (
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	clienttesting "k8s.io/client-go/testing"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/certstest"
)

// watched is a rig whose Secrets a test tells of.
type watched struct {
	*rig
	watches map[string]certs.SecretWatch // by namespace/name, while they work
	begun   int
	looks   []target
	user    string
}

func watching(t *testing.T, r *rig) *watched {
	t.Helper()
	w := &watched{rig: r, watches: map[string]certs.SecretWatch{}, user: "system:serviceaccount:crosswalk-system:crosswalk-manage"}
	r.secrets.look = func(t target) { w.looks = append(w.looks, t) }
	r.secrets.run = func(watch certs.SecretWatch) func() {
		w.begun++
		name := watch.Namespace + "/" + watch.Name
		w.watches[name] = watch
		return func() { delete(w.watches, name) }
	}
	r.core.PrependReactor("create", "selfsubjectreviews", func(clienttesting.Action) (bool, runtime.Object, error) {
		review := &authenticationv1.SelfSubjectReview{}
		review.Status.UserInfo.Username = w.user
		return true, review, nil
	})
	return w
}

// reconcile looks at an object, and returns the Events.
func (w *watched) reconcile(t *testing.T, o *unstructured.Unstructured, again time.Duration) string {
	t.Helper()
	result, err := w.Reconcile(t.Context(), targetOf(o))
	if err != nil || result.RequeueAfter != again {
		t.Fatalf("%+v, %v", result, err)
	}
	return w.told()
}

func from(secret string) map[string]string {
	return map[string]string{"crosswalk.dev/inject-ca-from": secret}
}

func forbidden(name string) error {
	return apierrors.NewForbidden(schema.GroupResource{Resource: "secrets"}, name, errors.New("no"))
}

func secretOf(ca []byte) *corev1.Secret {
	return &corev1.Secret{Data: map[string][]byte{"ca.crt": ca, "tls.key": []byte("secret")}}
}

const consents = "Warning NoConsent Crosswalk may not read the Secret that the annotation names; its owner can allow it with " +
	"`kubectl create role crosswalk-reads-b -n a --verb=get,list,watch --resource=secrets --resource-name=b` and " +
	"`kubectl create rolebinding crosswalk-reads-b -n a --role=crosswalk-reads-b --serviceaccount=crosswalk-system:crosswalk-manage`; " +
	"the Secret needs only ca.crt"

// TestFromSecret is the life of an object that asks for the CA of a Secret.
func TestFromSecret(t *testing.T) {
	ours, first, second := newCA(t), newCA(t), newCA(t)
	for kind := range manifests() {
		o := object(t, kind, nil, from("a/b"))
		w := watching(t, newRig(t, ours, o))
		for _, step := range []struct {
			name    string
			happens func(certs.SecretWatch)
			looks   int
			event   string // how it begins
			again   time.Duration
			holds   []byte
		}{
			{"it is not known yet", func(certs.SecretWatch) {}, 0, "", 0, nil},
			{"no answer", func(s certs.SecretWatch) { s.Failed(errors.New("connection refused")) }, 1,
				"Warning NoUsableSecret the Secret a/b: connection refused", time.Minute, nil},
			{"no consent", func(s certs.SecretWatch) { s.Failed(forbidden("b")) }, 1, consents, 0, nil},
			{"still none", func(s certs.SecretWatch) { s.Failed(forbidden("b")) }, 0, "", 0, nil},
			{"consent", func(s certs.SecretWatch) { s.Failed(nil) }, 1, "", 0, nil},
			{"no such Secret", func(s certs.SecretWatch) { s.Changed(nil) }, 1,
				"Warning NoUsableSecret the Secret a/b: it does not exist; create it, or correct the annotation", time.Minute, nil},
			{"a Secret", func(s certs.SecretWatch) { s.Changed(secretOf(first)) }, 1, "Normal Injected wrote the CA of the Secret a/b to .", 0, first},
			{"another CA", func(s certs.SecretWatch) { s.Changed(secretOf(second)) }, 1, "Normal Injected wrote the CA of the Secret a/b to .", 0, second},
			{"a Secret that is broken", func(s certs.SecretWatch) { s.Changed(secretOf([]byte("x"))) }, 1,
				"Warning NoUsableSecret the Secret a/b: its ca.crt: there is no PEM certificate", time.Minute, second},
			{"the Secret again", func(s certs.SecretWatch) { s.Changed(secretOf(second)) }, 1, "", 0, second},
			{"the API server is unavailable", func(s certs.SecretWatch) { s.Failed(errors.New("connection refused")) }, 0, "", 0, second},
			{"no consent any more", func(s certs.SecretWatch) { s.Failed(forbidden("b")) }, 1, consents, 0, second},
			{"the API server is unavailable meanwhile", func(s certs.SecretWatch) { s.Failed(errors.New("connection refused")) }, 0, "", 0, second},
			{"consent again", func(s certs.SecretWatch) { s.Failed(nil); s.Changed(secretOf(first)) }, 2, "Normal Injected", 0, first},
			{"the Secret is gone", func(s certs.SecretWatch) { s.Changed(nil) }, 1, "Warning NoUsableSecret", time.Minute, first},
		} {
			if watch, works := w.watches["a/b"]; works {
				step.happens(watch)
			}
			if len(w.looks) != step.looks {
				t.Errorf("%s: %s: looked at %v, want %d", kind, step.name, w.looks, step.looks)
			}
			w.looks = nil
			for round := range 2 { // the second has no news
				event := w.reconcile(t, o, step.again)
				if wrong := !strings.HasPrefix(event, step.event) || step.event == "" && event != ""; round == 0 && wrong || round > 0 && event != "" {
					t.Errorf("%s: %s: events %q, want %q", kind, step.name, event, step.event)
				}
			}
			for _, got := range bundles(t, w.get(t, o)) {
				if got != string(step.holds) {
					t.Errorf("%s: %s: the bundle is\n%s\nwant\n%s", kind, step.name, got, step.holds)
				}
			}
		}
		if w.begun != 1 {
			t.Errorf("%s: %d watches", kind, w.begun)
		}
		// It holds up no change of our own CA.
		if err := w.Injected(t.Context(), ours); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// A Secret is watched for as long as an object names it, once for all that do, and its key
// is not kept.
func TestSecretsAreFollowed(t *testing.T) {
	one, other := object(t, "APIService", nil, from("a/b")), object(t, "CustomResourceDefinition", nil, from("a/b"))
	w := watching(t, newRig(t, newCA(t), one, other))
	for _, o := range []*unstructured.Unstructured{one, other} {
		w.reconcile(t, o, 0)
	}
	if w.begun != 1 {
		t.Errorf("%d watches", w.begun)
	}
	w.watches["a/b"].Changed(secretOf(newCA(t)))
	if len(w.looks) != 2 {
		t.Errorf("looked at %v", w.looks)
	}
	for name, f := range w.secrets.all {
		if text := fmt.Sprint(f.public); strings.Contains(text, "secret") || strings.Contains(text, fmt.Sprint([]byte("secret"))) {
			t.Errorf("of %s this is kept: %s", name, text)
		}
	}
	for _, step := range []struct {
		annotations map[string]string // of one
		watches     string
	}{
		{from("a/c"), "a/b a/c"},
		{from("a/d"), "a/b a/d"},
		{map[string]string{"crosswalk.dev/inject-ca-from": "c"}, "a/b"},
		{from("a/c"), "a/b a/c"},
		{wanted(), "a/b"},
		{from("a/c"), "a/b a/c"},
		{nil, "a/b"},
		{from("a/b"), "a/b"},
	} {
		o := w.get(t, one)
		o.SetAnnotations(step.annotations)
		if err := w.client.Update(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Reconcile(t.Context(), targetOf(one)); err != nil {
			t.Fatal(err)
		}
		var watches []string
		for _, name := range []string{"a/b", "a/c", "a/d"} {
			if _, works := w.watches[name]; works {
				watches = append(watches, name)
			}
		}
		if got := strings.Join(watches, " "); got != step.watches {
			t.Errorf("%v: watches of %s, want %s", step.annotations, got, step.watches)
		}
	}
	for _, o := range []*unstructured.Unstructured{one, other} {
		if err := w.client.Delete(t.Context(), w.get(t, o)); err != nil {
			t.Fatal(err)
		}
		w.reconcile(t, o, 0)
	}
	if len(w.watches)+len(w.secrets.all)+len(w.secrets.of) > 0 {
		t.Errorf("nobody names a Secret, and these are followed: %v", w.watches)
	}
}

// The commands that give consent fit into an Event, whoever we are.
func TestConsent(t *testing.T) {
	long := strings.Repeat("n", 63) + "/" + strings.Repeat("s", 253)
	o := object(t, "APIService", nil, from(long))
	w := watching(t, newRig(t, newCA(t), o))
	w.user = "system:serviceaccount:" + strings.Repeat("n", 63) + ":" + strings.Repeat("a", 63)
	w.reconcile(t, o, 0)
	w.watches[long].Failed(forbidden("s"))
	event := w.reconcile(t, o, 0)
	if !strings.HasSuffix(event, "; the Secret needs only ca.crt") || !strings.Contains(event, "create role crosswalk-reads-"+strings.Repeat("s", 40)+" ") {
		t.Errorf("%q", event)
	}
	w.user = "jane"
	if got, err := w.subject(t.Context()); got != "--user=jane" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// Where Crosswalk itself is called, it keeps its own bundle.
func TestKeptByCrosswalk(t *testing.T) {
	for _, test := range []struct{ manager, fields, event string }{
		{"crosswalk-arming", `{"f:spec":{"f:conversion":{"f:webhook":{"f:clientConfig":{"f:caBundle":{}}}}}}`,
			"Warning KeptByCrosswalk this object calls Crosswalk itself, which keeps its own CA bundle in it as crosswalk-arming; remove the annotation crosswalk.dev/inject-ca-from"},
		{"crosswalk-arming", `{"f:spec":{}}`, ""},
		{"kubectl", `{"f:spec":{"f:conversion":{"f:webhook":{"f:clientConfig":{"f:caBundle":{}}}}}}`, ""},
	} {
		o := object(t, "CustomResourceDefinition", nil, from("a/b"))
		w := watching(t, newRig(t, newCA(t), o))
		w.reconcile(t, o, 0) // before it is armed
		o.SetManagedFields([]metav1.ManagedFieldsEntry{{
			Manager: test.manager, Operation: metav1.ManagedFieldsOperationApply, FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(test.fields),
		}})
		got, obstacle, err := w.origin(t.Context(), targetOf(o), o, inject.Ask{Secret: types.NamespacedName{Namespace: "a", Name: "b"}})
		event := ""
		if obstacle.reason != "" {
			event = "Warning " + obstacle.reason + " " + obstacle.message
		}
		if event != test.event || err != nil || (len(w.watches) == 0) != (test.event != "") {
			t.Errorf("%s with %s: %v, %q, %v, watches %v", test.manager, test.fields, got, event, err, w.watches)
		}
	}
}

// A certificate that is not for who is called is warned of, and the bundle is written: the
// same CA may have signed another.
func TestMisnamed(t *testing.T) {
	const there = "there.here.svc"
	for _, test := range []struct {
		name   string // that the certificate is for
		own    bool
		kind   string
		warned string
	}{
		{there, true, "APIService", ""},
		{there, false, "APIService", ""},
		{there, false, "ValidatingWebhookConfiguration", "Warning NotItsCertificate .webhooks[name=a.example.com].clientConfig.caBundle holds the CA of the Secret a/b, " +
			"whose certificate is for there.here.svc, but the API server calls x there: "},
		{"crosswalk.example.svc", true, "APIService", "Warning NotItsCertificate .spec.caBundle holds Crosswalk's CA bundle, " +
			"whose certificate is for crosswalk.example.svc, but the API server calls there.here.svc there: unless the same CA has signed that server's certificate, " +
			"every call fails; put the Secret of that certificate into the annotation crosswalk.dev/inject-ca-from"},
		{"crosswalk.example.svc", true, "CustomResourceDefinition", "Warning NotItsCertificate .spec.conversion.webhook.clientConfig.caBundle holds"},
		{"crosswalk.example.svc", true, "ValidatingWebhookConfiguration", "Warning NotItsCertificate .webhooks[name=a.example.com].clientConfig.caBundle holds Crosswalk's CA bundle, " +
			"whose certificate is for crosswalk.example.svc, but the API server calls x there and elsewhere: "},
		{"crosswalk.example.svc", false, "MutatingWebhookConfiguration", "Warning NotItsCertificate .webhooks[name=a.example.com].clientConfig.caBundle holds the CA of the Secret a/b"},
	} {
		certificate := certstest.Sign(t, nil, x509.Certificate{DNSNames: []string{test.name}})
		ask := wanted()
		if !test.own {
			ask = from("a/b")
		}
		o := object(t, test.kind, nil, ask)
		w := watching(t, newRig(t, certificate.PEM(), o))
		w.source.certificate = new(certificate.TLS())
		events := w.reconcile(t, o, 0)
		if !test.own {
			w.watches["a/b"].Changed(&corev1.Secret{Data: map[string][]byte{"tls.crt": certificate.PEM()}})
			events = w.reconcile(t, o, 0)
		}
		wrote, warned, _ := strings.Cut(events, "\n")
		if !strings.HasPrefix(wrote, "Normal Injected") || !strings.HasPrefix(warned, test.warned) || test.warned == "" && warned != "" {
			t.Errorf("%s for %s: %q, want %q", test.kind, test.name, events, test.warned)
		}
		if again := w.reconcile(t, o, 0); again != "" {
			t.Errorf("%s for %s: it is told again: %q", test.kind, test.name, again)
		}
		if got := testutil.ToFloat64(w.metrics.objects.WithLabelValues(test.kind, "injected")); got != 1 {
			t.Errorf("%s for %s: %v objects are injected", test.kind, test.name, got)
		}
	}
}
