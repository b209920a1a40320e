package arming

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	certmanagerv1 "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	cmmeta "github.com/cert-manager/cert-manager/pkg/apis/meta/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/rehearsal"
)

// armed returns the CRD as the reconciler would have written it.
func armed(t *testing.T, r *reconciler, crd *apiextensionsv1.CustomResourceDefinition) (*apiextensionsv1.CustomResourceDefinition, conversionSpec) {
	t.Helper()
	bundle, problem := r.Serve.Bundle(t.Context())
	if problem != nil {
		t.Fatal(problem)
	}
	w := r.want(crd, "0123", bundle)
	next := crd.DeepCopy()
	conversion := new(apiextensionsv1.CustomResourceConversion)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(r.conversion(w), conversion); err != nil {
		t.Fatal(err)
	}
	next.Spec.Conversion = conversion
	if w.caInjector != "" {
		next.Annotations = map[string]string{reach.InjectCAFrom: w.caInjector}
	}
	return next, w
}

// What has been written is not written again; what anybody changes is.
func TestHolds(t *testing.T) {
	r := newReconciler(t)
	for name, test := range map[string]struct {
		change func(*apiextensionsv1.CustomResourceDefinition)
		holds  bool
	}{
		"as written":      {func(*apiextensionsv1.CustomResourceDefinition) {}, true},
		"comments around": {func(c *apiextensionsv1.CustomResourceDefinition) { edit(c, "# ours\n") }, true},
		"no conversion":   {func(c *apiextensionsv1.CustomResourceDefinition) { c.Spec.Conversion = nil }, false},
		"strategy None": {func(c *apiextensionsv1.CustomResourceDefinition) {
			c.Spec.Conversion.Strategy = apiextensionsv1.NoneConverter
		}, false},
		"another table": {func(c *apiextensionsv1.CustomResourceDefinition) {
			c.Spec.Conversion.Webhook.ClientConfig.Service.Path = new("/convert/4567")
		}, false},
		"another port": {func(c *apiextensionsv1.CustomResourceDefinition) {
			c.Spec.Conversion.Webhook.ClientConfig.Service.Port = new(int32(1))
		}, false},
		"another Service": {func(c *apiextensionsv1.CustomResourceDefinition) {
			c.Spec.Conversion.Webhook.ClientConfig.Service.Name = "other"
		}, false},
		"no bundle": {func(c *apiextensionsv1.CustomResourceDefinition) {
			c.Spec.Conversion.Webhook.ClientConfig.CABundle = nil
		}, false},
		"a broken bundle": {func(c *apiextensionsv1.CustomResourceDefinition) {
			c.Spec.Conversion.Webhook.ClientConfig.CABundle = []byte("Cg==")
		}, false},
		"old reviews": {func(c *apiextensionsv1.CustomResourceDefinition) {
			c.Spec.Conversion.Webhook.ConversionReviewVersions = []string{"v1beta1"}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			crd, w := armed(t, r, crontab(t).CRD)
			test.change(crd)
			if got := r.holds(crd, w); got != test.holds {
				t.Errorf("got %v", got)
			}
		})
	}
}

func edit(crd *apiextensionsv1.CustomResourceDefinition, before string) {
	config := crd.Spec.Conversion.Webhook.ClientConfig
	config.CABundle = append([]byte(before), config.CABundle...)
}

// With cert-manager the first bundle comes with the strategy; from then on
// cainjector's stays.
func TestBundleIsLeftToCAInjector(t *testing.T) {
	r := newReconciler(t)
	r.Serve.CertManagerCertificate = "crosswalk-serving"
	crd, w := armed(t, r, crontab(t).CRD)
	if w.caInjector != "crosswalk-system/crosswalk-serving" || !r.holds(crd, w) {
		t.Fatalf("got %+v", w)
	}
	other, err := rehearsal.Authority(t).Current()
	if err != nil {
		t.Fatal(err)
	}
	bundle, _ := r.Serve.Bundle(t.Context())
	crd.Spec.Conversion.Webhook.ClientConfig.CABundle = other.CABundle
	if w := r.want(crd, "0123", bundle); !bytes.Equal(w.bundle, other.CABundle) || !r.holds(crd, w) {
		t.Error("cainjector's bundle does not stay")
	}
	crd.Spec.Conversion.Webhook.ClientConfig.CABundle = []byte("broken")
	if w := r.want(crd, "0123", bundle); !bytes.Equal(w.bundle, bundle.PEM()) || r.holds(crd, w) {
		t.Error("a bundle that nobody can read stays")
	}
	crd.Spec.Conversion.Webhook.ClientConfig.CABundle = other.CABundle
	delete(crd.Annotations, reach.InjectCAFrom)
	if w := r.want(crd, "0123", bundle); r.holds(crd, w) {
		t.Error("cainjector's annotation is not missed")
	}
}

func TestNoBundle(t *testing.T) {
	r := newReconciler(t)
	pair, err := r.Serve.Certs.Current()
	if err != nil {
		t.Fatal(err)
	}
	for want, source := range map[string]fixed{
		"there is no CA bundle: the Secret is missing": {err: errors.New("the Secret is missing")},
		"there is no CA bundle: the serving certificate comes without ca.crt; add it, because the API server trusts nothing else": {
			pair: &certs.Pair{Certificate: pair.Certificate}},
		"there is no CA bundle: ": {pair: &certs.Pair{Certificate: pair.Certificate, CABundle: []byte("broken")}},
	} {
		r.Serve.Certs = source
		if _, problem := r.Serve.Bundle(t.Context()); problem == nil || problem.Reason != "NoCertificate" || !strings.HasPrefix(problem.Message, want) {
			t.Errorf("got %+v\nwant %s", problem, want)
		}
	}
}

// What keeps a Certificate from being ready is cert-manager's to say, and ours to
// pass on.
func TestIssuerSays(t *testing.T) {
	ready := func(status cmmeta.ConditionStatus) []certmanagerv1.CertificateCondition {
		return []certmanagerv1.CertificateCondition{{Type: certmanagerv1.CertificateConditionReady, Status: status, Message: "Issuer not found"}}
	}
	const certificate = "crosswalk-system/crosswalk-serving"
	for name, test := range map[string]struct {
		there      bool
		conditions []certmanagerv1.CertificateCondition
		want       string
	}{
		"none":      {want: "there is no Certificate " + certificate + ": apply deploy/overlays/cert-manager, and cert-manager before it"},
		"new":       {there: true, want: "cert-manager has not handled the Certificate " + certificate + " yet; check that it runs"},
		"not ready": {there: true, conditions: ready(cmmeta.ConditionFalse), want: "cert-manager reports about the Certificate " + certificate + ": Issuer not found"},
		"ready":     {there: true, conditions: ready(cmmeta.ConditionTrue)},
	} {
		t.Run(name, func(t *testing.T) {
			var objects []client.Object
			if test.there {
				objects = append(objects, &certmanagerv1.Certificate{
					ObjectMeta: metav1.ObjectMeta{Namespace: "crosswalk-system", Name: "crosswalk-serving"},
					Status:     certmanagerv1.CertificateStatus{Conditions: test.conditions},
				})
			}
			r := newReconciler(t, objects...)
			r.Serve.CertManagerCertificate = "crosswalk-serving"
			r.Serve.Certs = fixed{err: errors.New("the Secret is missing")}
			want := "there is no CA bundle: the Secret is missing"
			if test.want != "" {
				want += "; " + test.want
			}
			if _, problem := r.Serve.Bundle(t.Context()); problem == nil || problem.Message != want {
				t.Errorf("got  %+v\nwant %s", problem, want)
			}
		})
	}
}
