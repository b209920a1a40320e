package webhook

import (
	"net/http"

	"github.com/gorilla/mux"
)

// DefaultMaxAdmissionBytes is the largest AdmissionReview that is read. The API
// server takes no write of more than 3 MiB (MaxRequestBodyBytes in
// k8s.io/apiserver/pkg/server/config.go). A review holds the object, and the old
// one, which was such a write before; the last MiB is for the user, the options
// and what defaults add. That is also what controller-runtime reads at most.
const DefaultMaxAdmissionBytes = 7 << 20

// NewAdmissionHandler returns the routes POST /validate/{name} and
// /mutate/{name}, which answer AdmissionReviews of v1 and v1beta1 with what the
// reviewer of that name says. The names of members may follow, each as a segment of
// its own, where that is a [validation.Collection]; with a single one,
// ?fingerprint= makes sure that the member is there in that form. It panics where
// options.Reviewers is nil.
//
// It has no side effects, so that it may be registered with sideEffects: None,
// and dry runs are like other requests. The context of a review ends with the
// timeout that the API server sends along.
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
	// namePattern is that of DNS subdomains, loosely: what is no name of a
	// reviewer is not found, and no reason for the API server to ask again. The
	// names of members come after it; a path that names nobody is as wrong.
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
