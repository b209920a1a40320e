package webhooks

import (
	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	admissionv1alpha1 "github.com/crosswalk-dev/crosswalk/api/admission/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// Target is the server that configurations name, and how the configurations are marked.
type Target struct {
	// Service is the Service to call, and Port its port.
	Service cluster.Service
	Port    int32
	// ByItself reports that the API server can call through itself.
	ByItself bool
	// Bundle is the CA of the server, as PEM. If it is empty, the field is left out.
	Bundle []byte
	// Annotations are added to both configurations, for another program that writes the
	// bundles.
	Annotations map[string]string
	// Suffix ends the names of both, if another program than crosswalk manage applies them.
	Suffix string
}

// Names are the names of a pair of configurations.
type Names struct{ Mutating, Validating string }

// Pair is a mutating and a validating configuration.
type Pair struct {
	Mutating   *admissionregistrationv1.MutatingWebhookConfiguration
	Validating *admissionregistrationv1.ValidatingWebhookConfiguration
}

// Pair returns a pair without webhooks.
func (t Target) Pair(names Names) Pair {
	p := Pair{new(admissionregistrationv1.MutatingWebhookConfiguration), new(admissionregistrationv1.ValidatingWebhookConfiguration)}
	p.Mutating.SetGroupVersionKind(admissionregistrationv1.SchemeGroupVersion.WithKind("MutatingWebhookConfiguration"))
	p.Mutating.Name, p.Mutating.Annotations = names.Mutating+t.Suffix, t.Annotations
	p.Validating.SetGroupVersionKind(admissionregistrationv1.SchemeGroupVersion.WithKind("ValidatingWebhookConfiguration"))
	p.Validating.Name, p.Validating.Annotations = names.Validating+t.Suffix, t.Annotations
	return p
}

// Client returns the client configuration for the Service and a path.
func (t Target) Client(path string) admissionregistrationv1.WebhookClientConfig {
	return admissionregistrationv1.WebhookClientConfig{
		Service: &admissionregistrationv1.ServiceReference{
			Namespace: t.Service.Namespace, Name: t.Service.Name, Path: new(path), Port: new(t.Port),
		},
		CABundle: t.Bundle,
	}
}

// ClientByItself returns the client configuration with which the API server calls a path of
// serve through itself: it treats a webhook behind its own Service as one of its own, calls it
// with its own credentials (k8s.io/apiserver/pkg/util/webhook, authentication.go), and passes
// the request on to serve's API group.
func (t Target) ClientByItself(path string) admissionregistrationv1.WebhookClientConfig {
	config := t.Client(admissionv1alpha1.Path + path)
	config.Service.Namespace, config.Service.Name, config.Service.Port = metav1.NamespaceDefault, "kubernetes", new(int32(443))
	return config
}

// OtherNamespaces excludes Crosswalk's own namespace: objects that keep it running, such as
// cert-manager's Certificates if their CRD is armed, must not wait for it. Cluster-scoped
// objects are not excluded.
func (t Target) OtherNamespaces() metav1.LabelSelectorRequirement {
	return metav1.LabelSelectorRequirement{
		// Every namespace has this label (k8s.io/api/core/v1, LabelMetadataName).
		Key: "kubernetes.io/metadata.name", Operator: metav1.LabelSelectorOpNotIn, Values: []string{t.Service.Namespace},
	}
}

// WriteTimeout is how long a write may wait for an answer, in seconds. It is enough for asking
// a second replica, and well below the 60 s that the API server allows for a request
// (kube-apiserver --request-timeout).
const WriteTimeout = 10

// ReviewVersions are the versions of AdmissionReview that serve supports. The API server uses
// the first one that it knows.
func ReviewVersions() []string { return []string{admissionv1.SchemeGroupVersion.Version, "v1beta1"} }
