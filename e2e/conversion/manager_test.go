package conversion

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"net"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/go-logr/logr"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	crlog "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	crwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/crosswalk-dev/crosswalk/conversion/typed"
	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// dumpManager is a program of somebody else's: a manager of controller-runtime whose
// webhook server has Crosswalk's handler.
type dumpManager struct {
	url string
	ca  []byte
}

// startDumpManager serves the kinds until the test ends.
func startDumpManager(t *testing.T, plane *harness.ControlPlane, crds ...*apiextensionsv1.CustomResourceDefinition) *dumpManager {
	t.Helper()
	crlog.SetLogger(logr.Discard())
	var converters []webhook.Converter
	for _, crd := range crds {
		converter, err := typed.New(crd, dumpScheme(crd.Spec.Group), "1")
		if err != nil {
			t.Fatal(err)
		}
		converters = append(converters, converter)
	}
	tables, reviewers := webhook.NewTables(nil), webhook.NewReviewers(nil)
	if err := tables.Replace(converters); err != nil {
		t.Fatal(err)
	}
	if err := reviewers.Replace(
		map[string]validation.Reviewer{"strict": webhook.StrictWrites(tables)},
		map[string]validation.Reviewer{"guard": webhook.Guard(tables)},
	); err != nil {
		t.Fatal(err)
	}

	config, err := clientcmd.BuildConfigFromFlags("", plane.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	port, err := harness.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	certificate, ca := loopbackCertificate()
	mgr, err := manager.New(config, manager.Options{
		Scheme:  dumpScheme(crds[0].Spec.Group),
		Metrics: server.Options{BindAddress: "0"},
		WebhookServer: crwebhook.NewServer(crwebhook.Options{Host: "127.0.0.1", Port: port, TLSOpts: []func(*tls.Config){func(c *tls.Config) {
			c.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &certificate, nil }
		}}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	handler := webhook.NewHandler(webhook.Options{Tables: tables, Reviewers: reviewers})
	for _, path := range []string{"/convert", "/mutate/guard", "/validate/strict"} {
		mgr.GetWebhookServer().Register(path, handler)
	}
	// What the program had before, which finds /convert taken.
	if err := builder.WebhookManagedBy(mgr, &dumpV1beta1{}).Complete(); err != nil {
		t.Fatal(err)
	}
	runManager(t, mgr)
	return &dumpManager{"https://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), ca}
}

func dumpScheme(group string) *runtime.Scheme {
	scheme := runtime.NewScheme()
	for version, object := range map[string]runtime.Object{"v1": &dumpV1{}, "v1beta1": &dumpV1beta1{}} {
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: group, Version: version, Kind: "Dump"}, object)
	}
	return scheme
}

// runManager runs a manager until the test ends, and waits until it serves.
func runManager(t *testing.T, mgr manager.Manager) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	stage.Until(t, time.Minute, func(context.Context) error { return mgr.GetWebhookServer().StartedChecker()(nil) })
}

// loopbackCertificate is that of a test server, for 127.0.0.1, which signs itself.
func loopbackCertificate() (certificate tls.Certificate, ca []byte) {
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	return s.TLS.Certificates[0], pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
}

// arm lets a CRD be converted by the program.
func (m *dumpManager) arm(crd *apiextensionsv1.CustomResourceDefinition) {
	crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
		Strategy: apiextensionsv1.WebhookConverter,
		Webhook: &apiextensionsv1.WebhookConversion{
			ClientConfig:             &apiextensionsv1.WebhookClientConfig{URL: new(m.url + "/convert"), CABundle: m.ca},
			ConversionReviewVersions: []string{"v1"},
		},
	}
}

// configurations are what kubebuilder makes of markers: both webhooks for all
// versions, exactly.
func (m *dumpManager) configurations(groups ...string) []any {
	client := func(path string) admissionregistrationv1.WebhookClientConfig {
		return admissionregistrationv1.WebhookClientConfig{URL: new(m.url + path), CABundle: m.ca}
	}
	rules := []admissionregistrationv1.RuleWithOperations{{
		Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create, admissionregistrationv1.Update},
		Rule:       admissionregistrationv1.Rule{APIGroups: groups, APIVersions: versions, Resources: []string{"dumps"}},
	}}
	exact, none := admissionregistrationv1.Exact, admissionregistrationv1.SideEffectClassNone
	meta := func(kind string) (metav1.TypeMeta, metav1.ObjectMeta) {
		return metav1.TypeMeta{APIVersion: "admissionregistration.k8s.io/v1", Kind: kind}, metav1.ObjectMeta{Name: "dumps"}
	}
	mutating, validating := new(admissionregistrationv1.MutatingWebhookConfiguration), new(admissionregistrationv1.ValidatingWebhookConfiguration)
	mutating.TypeMeta, mutating.ObjectMeta = meta("MutatingWebhookConfiguration")
	mutating.Webhooks = []admissionregistrationv1.MutatingWebhook{{
		Name: "guard.dumps.example.com", ClientConfig: client("/mutate/guard"), Rules: rules,
		MatchPolicy: &exact, SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
	}}
	validating.TypeMeta, validating.ObjectMeta = meta("ValidatingWebhookConfiguration")
	validating.Webhooks = []admissionregistrationv1.ValidatingWebhook{{
		Name: "strict.dumps.example.com", ClientConfig: client("/validate/strict"), Rules: rules,
		MatchPolicy: &exact, SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
	}}
	return []any{mutating, validating}
}
