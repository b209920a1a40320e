package arming

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// conversionSpec is the intended spec.conversion of a CRD.
type conversionSpec struct {
	path   string
	bundle []byte // PEM
	// caInjector is the value of reach.InjectCAFrom; empty where the bundle is ours.
	caInjector string
}

// want returns the intended conversion of a CRD for a table.
func (r *reconciler) want(crd *apiextensionsv1.CustomResourceDefinition, fingerprint string, bundle inject.Bundle) conversionSpec {
	w := conversionSpec{path: cluster.ConvertPath(fingerprint), bundle: bundle.PEM()}
	if r.Serve.CertManagerCertificate == "" {
		return w
	}
	// cainjector writes the bundle. We write the first one together with the strategy, because
	// cainjector injects only once the strategy is Webhook. From then on its bundle stays.
	w.caInjector = r.Serve.Service.Namespace + "/" + r.Serve.CertManagerCertificate
	if live := bundleOf(crd); crd.Annotations[reach.InjectCAFrom] == w.caInjector && r.usable(live) {
		w.bundle = live
	}
	return w
}

func (r *reconciler) usable(bundle []byte) bool {
	b, err := inject.ParseBundle(bundle)
	return err == nil && b.CheckTime(r.Now()) == nil
}

// reviewVersions are the versions of ConversionReview that serve supports. The API server uses
// the first one that it knows.
func reviewVersions() []string { return []string{"v1", "v1beta1"} }

// holds reports whether a CRD is as intended, so that nothing must be written: every write to a
// CRD ends its watches and drops its caches.
func (r *reconciler) holds(crd *apiextensionsv1.CustomResourceDefinition, w conversionSpec) bool {
	if _, asks := r.Serve.Service.ArmedWith(crd); !asks {
		return false
	}
	config := crd.Spec.Conversion.Webhook
	service := config.ClientConfig.Service
	if service.Path == nil || *service.Path != w.path || service.Port == nil || *service.Port != r.Serve.Port ||
		config.ClientConfig.URL != nil || !slices.Equal(config.ConversionReviewVersions, reviewVersions()) {
		return false
	}
	if w.caInjector != "" && crd.Annotations[reach.InjectCAFrom] != w.caInjector {
		return false
	}
	return sameBundle(crd, w)
}

// sameBundle reports whether the bundle of a CRD is as intended.
func sameBundle(crd *apiextensionsv1.CustomResourceDefinition, w conversionSpec) bool {
	live, err := inject.ParseBundle(bundleOf(crd))
	if err != nil {
		return false
	}
	should, err := inject.ParseBundle(w.bundle)
	if err != nil {
		return false
	}
	if crd.Annotations[reach.InjectCAFrom] != "" {
		// cainjector adds to the bundle that it finds, and would add to it again.
		return live.Contains(should)
	}
	return live.Equal(should)
}

func bundleOf(crd *apiextensionsv1.CustomResourceDefinition) []byte {
	if c := crd.Spec.Conversion; c != nil && c.Webhook != nil && c.Webhook.ClientConfig != nil {
		return c.Webhook.ClientConfig.CABundle
	}
	return nil
}
