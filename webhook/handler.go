package webhook

import (
	"net/http"
	"runtime"
	"strings"
)

// NewHandler returns the routes of the webhook: POST /convert, and POST /convert/{fingerprint},
// which uses only the table with that fingerprint. The parameter ?compiled= makes sure that
// this process itself compiles the table to that fingerprint. If options.Reviewers is set, the
// routes of [NewAdmissionHandler] are included. NewHandler panics if options.Tables is nil.
func NewHandler(options Options) http.Handler {
	if options.Tables == nil {
		panic("webhook: Options.Tables is nil")
	}
	return newHandler(options).routes()
}

func newHandler(options Options) *handler {
	options = options.withDefaults()
	return &handler{Options: options, front: newFront(options), turns: newTurns(runtime.GOMAXPROCS(0) - 1)}
}

func (h *handler) routes() http.Handler {
	paths := "/convert or /convert/{fingerprint of a table}"
	if h.Reviewers != nil {
		paths = "/convert, /convert/{fingerprint of a table}, " + admissionPaths
	}
	router := h.router(paths)
	router.Path(convertPath).Methods(http.MethodPost).Handler(h.route("/convert", h.answerPlain))
	router.Path(convertPath + "/{fingerprint:[0-9a-f]+}").Methods(http.MethodPost).
		Handler(h.route("/convert/{fingerprint}", h.answerPinned))
	if h.Reviewers != nil {
		(&admission{Options: h.Options, front: h.front}).mount(router)
	}
	return routes{router}
}

const convertPath = "/convert"

// handler answers conversions.
type handler struct {
	Options
	*front
	exchanges exchanges
	turns     turns
}

func (h *handler) answerPlain(w http.ResponseWriter, r *http.Request) error {
	return h.answer(w, r, wanted{})
}

// compiledParameter is the query parameter with the fingerprint to which this replica must
// compile the table. The API server never sends it. `crosswalk manage` uses it to find out
// whether a replica is of the same build.
const compiledParameter = "compiled"

// unplacedHeader is the header of an answer to compiledParameter with the number of seconds since
// a conversion by the table has last found no place for a value that an earlier table has kept. It is
// left out if none has.
const unplacedHeader = "Crosswalk-Unplaced"

func (h *handler) answerPinned(w http.ResponseWriter, r *http.Request) error {
	want := wanted{fingerprint: strings.TrimPrefix(r.URL.Path, convertPath+"/")}
	if strings.Contains(r.URL.RawQuery, compiledParameter) {
		want.compiled = r.URL.Query().Get(compiledParameter)
	}
	return h.answer(w, r, want)
}
