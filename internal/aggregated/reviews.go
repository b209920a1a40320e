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

// reviews serves the AdmissionReviews that the API server sends through its own front proxy, so
// that it identifies itself. The webhook answers them as it does on its own port: the requests
// are the same.
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

// boundsItself reports whether the webhook answers a request. The webhook has its own limits,
// of time, and of memory instead of the number of requests.
func boundsItself(_ *http.Request, info *request.RequestInfo) bool {
	return info.APIGroup == admissionv1alpha1.GroupName
}

func (reviews) New() runtime.Object { return new(admissionv1.AdmissionReview) }
func (reviews) Destroy()            {}

func (reviews) NamespaceScoped() bool   { return false }
func (reviews) GetSingularName() string { return "review" }

// GroupVersionKind returns the kind of Kubernetes.
func (reviews) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind {
	return admissionv1.SchemeGroupVersion.WithKind("AdmissionReview")
}

// ConnectMethods returns the methods of the API server's requests.
func (reviews) ConnectMethods() []string { return []string{http.MethodPost} }

// NewConnectOptions has no options, but allows a path after the name, which is the name of a
// phase.
func (reviews) NewConnectOptions() (options runtime.Object, subpath bool, key string) {
	return nil, true, ""
}

// Connect returns the webhook's handler.
func (r reviews) Connect(context.Context, string, runtime.Object, rest.Responder) (http.Handler, error) {
	return r.webhook, nil
}
