package webhook

import (
	"net/http"
	"strings"
)

// NewHandler returns the routes of the webhook: POST /convert, and
// /convert/{fingerprint} for one table and no other, with ?compiled= only as long as
// this process gives it that fingerprint itself; and where options.Reviewers
// is given, those of [NewAdmissionHandler] too. It panics where options.Tables is
// nil.
func NewHandler(options Options) http.Handler {
	if options.Tables == nil {
		panic("webhook: Options.Tables is nil")
	}
	options = options.withDefaults()
	h := &handler{Options: options, front: newFront(options)}
	paths := "/convert or /convert/{fingerprint of a table}"
	if options.Reviewers != nil {
		paths = "/convert, /convert/{fingerprint of a table}, " + admissionPaths
	}
	router := h.router(paths)
	router.Path(convertPath).Methods(http.MethodPost).Handler(h.route("/convert", h.answerPlain))
	router.Path(convertPath + "/{fingerprint:[0-9a-f]+}").Methods(http.MethodPost).
		Handler(h.route("/convert/{fingerprint}", h.answerPinned))
	if options.Reviewers != nil {
		(&admission{Options: options, front: h.front}).mount(router)
	}
	return routes{router}
}

const convertPath = "/convert"

// handler answers conversions.
type handler struct {
	Options
	*front
	exchanges exchanges
}

func (h *handler) answerPlain(w http.ResponseWriter, r *http.Request) error {
	return h.answer(w, r, wanted{})
}

// compiledParameter makes sure that the table is compiled here to what the query
// says. The API server never asks so: it is how to make sure that a replica is of the
// same build.
const compiledParameter = "compiled"

func (h *handler) answerPinned(w http.ResponseWriter, r *http.Request) error {
	want := wanted{fingerprint: strings.TrimPrefix(r.URL.Path, convertPath+"/")}
	if strings.Contains(r.URL.RawQuery, compiledParameter) {
		want.compiled = r.URL.Query().Get(compiledParameter)
	}
	return h.answer(w, r, want)
}
