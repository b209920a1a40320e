package aggregated

import (
	"context"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"

	admissionv1alpha1 "github.com/crosswalk-dev/crosswalk/api/admission/v1alpha1"
)

// reviews are the AdmissionReviews that the API server sends by way of its own front proxy,
// so that it is known who asks. The webhook answers them as it does on its own port: what
// the API server sends is the same here as there.
type reviews struct{ webhook http.Handler }

var (
	_ rest.Connecter                = reviews{}
	_ rest.Scoper                   = reviews{}
	_ rest.SingularNameProvider     = reviews{}
	_ rest.GroupVersionKindProvider = reviews{}
)

func newReviews(webhook http.Handler) reviews {
	return reviews{http.StripPrefix(admissionv1alpha1.Path, webhook)}
}

// boundsItself reports whether a request is one of those that the webhook answers: it has
// limits of its own, of time, and of memory instead of numbers.
func boundsItself(_ *http.Request, info *request.RequestInfo) bool {
	return info.APIGroup == admissionv1alpha1.GroupName
}

func (reviews) New() runtime.Object { return new(admissionv1.AdmissionReview) }
func (reviews) Destroy()            {}

func (reviews) NamespaceScoped() bool   { return false }
func (reviews) GetSingularName() string { return "review" }

// GroupVersionKind is Kubernetes' own.
func (reviews) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind {
	return admissionv1.SchemeGroupVersion.WithKind("AdmissionReview")
}

// ConnectMethods is how the API server asks.
func (reviews) ConnectMethods() []string { return []string{http.MethodPost} }

// NewConnectOptions has none, but lets a path follow the name, which is that of a phase.
func (reviews) NewConnectOptions() (options runtime.Object, subpath bool, key string) {
	return nil, true, ""
}

// Connect gives the webhook.
func (r reviews) Connect(context.Context, string, runtime.Object, rest.Responder) (http.Handler, error) {
	return r.webhook, nil
}
