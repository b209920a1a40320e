package webhook

import (
	"net/http"

	"github.com/gorilla/mux"
)

// DefaultMaxAdmissionBytes is the size of the largest AdmissionReview that is read. The API
// server accepts no write of more than 3 MiB (MaxRequestBodyBytes in
// k8s.io/apiserver/pkg/server/config.go). A review holds the object and the old object, which
// was such a write before. The last MiB is for the user, the options and what defaults add.
// controller-runtime has the same limit.
const DefaultMaxAdmissionBytes = 7 << 20

// NewAdmissionHandler returns the routes POST /validate/{name} and /mutate/{name}, which answer
// AdmissionReviews of v1 and v1beta1 with the verdict of the reviewer of that name. For a
// [validation.Collection], the names of members may follow, each as a segment of the path. With
// a single member, ?fingerprint= makes sure that this replica has the member in that form.
// NewAdmissionHandler panics if options.Reviewers is nil.
//
// The handler has no side effects, so it may be registered with sideEffects: None, and it
// treats dry runs like other requests. The context of a review ends with the timeout that the
// API server sends.
func NewAdmissionHandler(options Options) http.Handler {
	if options.Reviewers == nil {
		panic("webhook: Options.Reviewers is nil")
	}
	options = options.withDefaults()
	a := &admission{Options: options, front: newFront(options)}
	router := a.router(admissionPaths)
	a.mount(router)
	return routes{router}
}

const (
	validatePath   = "/validate/"
	mutatePath     = "/mutate/"
	admissionPaths = "/validate/{name} or /mutate/{name}"
	// namePattern matches DNS subdomains, and more. A path that cannot be the name of a
	// reviewer is not found, so the API server does not try it again. The names of members
	// follow the name.
	namePattern = "{name:" + segment + "(?:/" + segment + ")*}"
	segment     = "[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?"
)

// admission answers AdmissionReviews.
type admission struct {
	Options
	*front
	exchanges admissionExchanges
}

func (a *admission) mount(router *mux.Router) {
	for _, phase := range []struct {
		path   string
		answer func(http.ResponseWriter, *http.Request) error
	}{{validatePath, a.validate}, {mutatePath, a.mutate}} {
		router.Path(phase.path + namePattern).Methods(http.MethodPost).Handler(a.route(phase.path+"{name}", phase.answer))
	}
}

func (a *admission) validate(w http.ResponseWriter, r *http.Request) error {
	return a.answer(w, r, validating, validatePath)
}

func (a *admission) mutate(w http.ResponseWriter, r *http.Request) error {
	return a.answer(w, r, mutating, mutatePath)
}
