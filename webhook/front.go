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
	// errGone says that nobody waits for the answer any more.
	errGone = errors.New("the client is gone")
	// errCutOff says that the answer could not be sent to its end.
	errCutOff = errors.New("the answer could not be sent")
)

// front is what all routes share: how a request is counted, refused and
// survived.
type front struct {
	metrics *Metrics
	logger  *slog.Logger
	now     func() time.Time
	memory  *Memory
	buffers buffers
	// elsewhere counts what no route is for.
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

// router has no routes yet; it says what there is where none matches.
func (f *front) router(paths string) *mux.Router {
	// A path that is not clean is not found: a redirect would make the API
	// server follow with a GET.
	router := mux.NewRouter().SkipClean(true)
	router.NotFoundHandler = f.refuse(http.StatusNotFound, "there is nothing at this path, want "+paths)
	router.MethodNotAllowedHandler = f.refuse(http.StatusMethodNotAllowed, "the method is not allowed, want POST")
	return router
}

// routes serves as its router would, but without a context that holds the
// route and its variables: that would be four of the nine allocations that a
// review costs, and no handler here asks for it.
type routes struct{ router *mux.Router }

func (h routes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var match mux.RouteMatch
	h.router.Match(r, &match) // never without a handler: refuse takes the rest
	match.Handler.ServeHTTP(w, r)
}

// route is the handler of a route whose requests answer writes the answers to,
// or fails with what to answer instead.
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
				w.WriteHeader(http.StatusServiceUnavailable) // whoever reads it: it is no success
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
	// Without it net/http would send more than 2 kB in chunks.
	header["Content-Length"] = []string{strconv.Itoa(out.len())}
	if err := out.send(p); err != nil {
		if p.share.Interrupted() {
			f.metrics.shed.WithLabelValues(string(shedSlow)).Inc()
		}
		return errCutOff
	}
	return nil
}

// panicked answers a panic that nobody else has caught.
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
