package webhook

import (
	"net/http"
	"strings"

	"github.com/gorilla/mux"
)

// NewHandler returns the routes of the webhook: POST /convert, and
// /convert/{fingerprint} for one table and no other. It panics where
// options.Tables is nil.
func NewHandler(options Options) http.Handler {
	options = options.withDefaults()
	h := &handler{
		Options:   options,
		plain:     options.Metrics.forRoute("/convert"),
		pinned:    options.Metrics.forRoute("/convert/{fingerprint}"),
		elsewhere: options.Metrics.forRoute("other"),
		jsonType:  []string{"application/json"},
	}
	// A path that is not clean is not found: a redirect would make the API
	// server follow with a GET.
	router := mux.NewRouter().SkipClean(true)
	router.Path(convertPath).Methods(http.MethodPost).HandlerFunc(h.convertPlain)
	router.Path(convertPath + "/{fingerprint:[0-9a-f]+}").Methods(http.MethodPost).HandlerFunc(h.convertPinned)
	router.NotFoundHandler = h.refuse(http.StatusNotFound,
		"there is nothing at this path, want /convert or /convert/{fingerprint of a table}")
	router.MethodNotAllowedHandler = h.refuse(http.StatusMethodNotAllowed, "the method is not allowed, want POST")
	return routes{router}
}

const convertPath = "/convert"

// routes serves as its router would, but without a context that holds the
// route and its variables: that would be four of the nine allocations that a
// review costs, and no handler here asks for it.
type routes struct{ router *mux.Router }

func (h routes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var match mux.RouteMatch
	h.router.Match(r, &match) // never without a handler: refuse takes the rest
	match.Handler.ServeHTTP(w, r)
}

// handler is what the routes share.
type handler struct {
	Options
	buffers   buffers
	exchanges exchanges

	plain, pinned, elsewhere *routeCounters
	// jsonType is a header's value that all answers share.
	jsonType []string
}

func (h *handler) convertPlain(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, h.plain, "")
}

func (h *handler) convertPinned(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, h.pinned, strings.TrimPrefix(r.URL.Path, convertPath+"/"))
}

func (h *handler) refuse(status int, sentence string) http.Handler {
	answer := &httpError{status: status, sentence: sentence}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := h.Now()
		if status == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", http.MethodPost)
		}
		answer.write(w)
		h.elsewhere.done(status, h.Now().Sub(start))
	})
}
