package webhooks

import (
	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	admissionv1alpha1 "github.com/crosswalk-dev/crosswalk/api/admission/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// Target says who is asked, and how the configurations are marked that say so.
type Target struct {
	// Service is the one that is asked, and Port its port.
	Service cluster.Service
	Port    int32
	// ByItself says that the API server can ask by way of itself.
	ByItself bool
	// Bundle vouches for it, as PEM. Empty leaves the field out.
	Bundle []byte
	// Annotations are those of both configurations, for whoever else keeps the
	// bundles.
	Annotations map[string]string
	// Suffix ends the names of both, where somebody else than crosswalk manage
	// keeps them.
	Suffix string
}

// Names are those of a pair of configurations.
type Names struct{ Mutating, Validating string }

// Pair is a configuration that changes and one that validates.
type Pair struct {
	Mutating   *admissionregistrationv1.MutatingWebhookConfiguration
	Validating *admissionregistrationv1.ValidatingWebhookConfiguration
}

// Pair is one without webhooks.
func (t Target) Pair(names Names) Pair {
	p := Pair{new(admissionregistrationv1.MutatingWebhookConfiguration), new(admissionregistrationv1.ValidatingWebhookConfiguration)}
	p.Mutating.SetGroupVersionKind(admissionregistrationv1.SchemeGroupVersion.WithKind("MutatingWebhookConfiguration"))
	p.Mutating.Name, p.Mutating.Annotations = names.Mutating+t.Suffix, t.Annotations
	p.Validating.SetGroupVersionKind(admissionregistrationv1.SchemeGroupVersion.WithKind("ValidatingWebhookConfiguration"))
	p.Validating.Name, p.Validating.Annotations = names.Validating+t.Suffix, t.Annotations
	return p
}

// Client asks the Service at a path.
func (t Target) Client(path string) admissionregistrationv1.WebhookClientConfig {
	return admissionregistrationv1.WebhookClientConfig{
		Service: &admissionregistrationv1.ServiceReference{
			Namespace: t.Service.Namespace, Name: t.Service.Name, Path: new(path), Port: new(t.Port),
		},
		CABundle: t.Bundle,
	}
}

// ClientByItself has the API server ask at a path of serve's by way of itself: it takes a
// webhook behind its own Service for one of its own, asks it with its own credentials
// (k8s.io/apiserver/pkg/util/webhook, authentication.go), and passes the question on to
// serve's API group.
func (t Target) ClientByItself(path string) admissionregistrationv1.WebhookClientConfig {
	config := t.Client(admissionv1alpha1.Path + path)
	config.Service.Namespace, config.Service.Name, config.Service.Port = metav1.NamespaceDefault, "kubernetes", new(int32(443))
	return config
}

// OtherNamespaces leaves out Crosswalk's own: what keeps it running, such as
// cert-manager's Certificates if their CRD is armed, must not wait for it. Objects
// without a namespace are looked at all the same.
func (t Target) OtherNamespaces() metav1.LabelSelectorRequirement {
	return metav1.LabelSelectorRequirement{
		// Every namespace has this label (k8s.io/api/core/v1, LabelMetadataName).
		Key: "kubernetes.io/metadata.name", Operator: metav1.LabelSelectorOpNotIn, Values: []string{t.Service.Namespace},
	}
}

// WriteTimeout is how long a write may wait for an answer, in seconds. It covers a
// replica that has to be asked again, and is well below the 60 s that the API server
// gives to a request (kube-apiserver --request-timeout).
const WriteTimeout = 10

// ReviewVersions are the versions of AdmissionReview that serve speaks; the API
// server takes the first that it knows.
func ReviewVersions() []string { return []string{admissionv1.SchemeGroupVersion.Version, "v1beta1"} }
