package webhook

import (
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/gorilla/mux"
)

var (
	// errGone means that the client no longer waits for the answer.
	errGone = errors.New("the client is gone")
	// errCutOff means that the answer could not be sent completely.
	errCutOff = errors.New("the answer could not be sent")
)

// front is what all routes share: counting requests, refusing them, and recovering from panics.
type front struct {
	metrics *Metrics
	logger  *slog.Logger
	now     func() time.Time
	memory  *Memory
	buffers buffers
	// elsewhere counts requests that match no route.
	elsewhere *routeCounters
	// jsonType is a header's value that all answers share.
	jsonType []string
}

func newFront(o Options) *front {
	return &front{
		metrics: o.Metrics, logger: o.Logger, now: o.Now, memory: o.Memory,
		elsewhere: o.Metrics.forRoute("other"),
		jsonType:  []string{"application/json"},
	}
}

// router returns a router without routes. Its answer to other paths lists the paths that exist.
func (f *front) router(paths string) *mux.Router {
	// A path that is not clean is not found, because the API server would follow a redirect
	// with a GET.
	router := mux.NewRouter().SkipClean(true)
	router.NotFoundHandler = f.refuse(http.StatusNotFound, "this path does not exist; use "+paths)
	router.MethodNotAllowedHandler = f.refuse(http.StatusMethodNotAllowed, "the method is not allowed; use POST")
	return router
}

// routes serves as its router would, but without a context that holds the route and its
// variables. That context would be four of the nine allocations of a review, and no handler
// here uses it.
type routes struct{ router *mux.Router }

func (h routes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var match mux.RouteMatch
	h.router.Match(r, &match) // there is always a handler: refuse takes unmatched requests
	match.Handler.ServeHTTP(w, r)
}

// route returns the handler of a route. answer writes the answer, or fails with the error to
// answer instead.
func (f *front) route(name string, answer func(http.ResponseWriter, *http.Request) error) http.Handler {
	counters := f.metrics.forRoute(name)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.serve(w, r, counters, answer) })
}

// serve answers one request and counts it.
func (f *front) serve(w http.ResponseWriter, r *http.Request, route *routeCounters, answer func(http.ResponseWriter, *http.Request) error) {
	start := f.now()
	f.metrics.inFlight.Inc()
	status := 0
	defer func() {
		if p := recover(); p != nil {
			f.panicked(w, r, p)
			status = http.StatusInternalServerError
		}
		f.metrics.inFlight.Dec()
		route.done(status, f.now().Sub(start))
	}()
	status = http.StatusOK
	if err := answer(w, r); err != nil {
		var refused *httpError
		if !errors.As(err, &refused) {
			status = 0
			if errors.Is(err, errGone) {
				w.WriteHeader(http.StatusServiceUnavailable) // nobody may read it, but it must not be a success
			}
			return
		}
		status = refused.status
		if refused.shed != "" {
			f.metrics.shed.WithLabelValues(string(refused.shed)).Inc()
		}
		refused.write(w)
		f.logger.LogAttrs(r.Context(), slog.LevelWarn, "refused a request", append([]slog.Attr{
			slog.Int("status", status), slog.String("reason", shorten(refused.sentence)), slog.String("remote", r.RemoteAddr)}, refused.attrs...)...)
	}
}

// send writes a whole answer.
func (f *front) send(p *peer, out *output) error {
	header := p.w.Header()
	header["Content-Type"] = f.jsonType
	// Without this header net/http would send more than 2 kB in chunks.
	header["Content-Length"] = []string{strconv.Itoa(out.len())}
	if err := out.send(p); err != nil {
		if p.share.Interrupted() {
			f.metrics.shed.WithLabelValues(string(shedSlow)).Inc()
		}
		return errCutOff
	}
	return nil
}

// panicked answers after a panic that no other code has recovered from.
func (f *front) panicked(w http.ResponseWriter, r *http.Request, value any) {
	f.metrics.Panicked(r.Context(), f.logger, value)
	(&httpError{
		status:   http.StatusInternalServerError,
		sentence: "Crosswalk panicked; its log has the details",
		close:    true,
	}).write(w)
}

func (f *front) refuse(status int, sentence string) http.Handler {
	answer := &httpError{status: status, sentence: sentence}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := f.now()
		if status == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", http.MethodPost)
		}
		answer.write(w)
		f.elsewhere.done(status, f.now().Sub(start))
	})
}
