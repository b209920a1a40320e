package webhook

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/gorilla/mux"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// NewHealthHandler returns the routes of the health listener: /livez, /readyz and /metrics.
// With ?verbose, /readyz lists the result of every check. The routes are for the kubelet and
// for Prometheus, so they are not on the API server's listener: neither client has its CA.
func NewHealthHandler(readiness *Readiness, metrics prometheus.Gatherer) http.Handler {
	router := mux.NewRouter().SkipClean(true)
	get := router.Methods(http.MethodGet, http.MethodHead).Subrouter()
	get.Path("/livez").HandlerFunc(livez)
	get.Path("/readyz").Handler(readyz{readiness})
	get.Path("/metrics").Handler(promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	return router
}

// livez answers as long as the process does. It may fail only for faults that a restart
// repairs.
func livez(w http.ResponseWriter, _ *http.Request) {
	plainText(w, http.StatusOK, "ok\n")
}

type readyz struct{ readiness *Readiness }

func (h readyz) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var lines strings.Builder
	var failing []string
	for _, s := range h.readiness.states() {
		if s.err != nil {
			failing = append(failing, s.name)
			fmt.Fprintf(&lines, "[-]%s failed: %v\n", s.name, s.err)
		} else {
			fmt.Fprintf(&lines, "[+]%s ok\n", s.name)
		}
	}
	status, verdict := http.StatusOK, "ok\n"
	if len(failing) > 0 {
		status, verdict = http.StatusServiceUnavailable, "not ready: "+strings.Join(failing, ", ")+"\n"
	}
	if r.URL.Query().Has("verbose") {
		verdict = lines.String() + verdict
	}
	plainText(w, status, verdict)
}

func plainText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text))
}
