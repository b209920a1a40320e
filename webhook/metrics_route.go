package webhook

import (
	"net/http"
	"time"

	"github.com/felixge/httpsnoop"
	"github.com/prometheus/client_golang/prometheus"
)

// routeCounters are the counters of one route. They are looked up once instead of for each
// request.
type routeCounters struct {
	classes  [6]prometheus.Counter // by the first digit of the status; 0 is no answer
	duration prometheus.Observer
}

func (m *Metrics) forRoute(route string) *routeCounters {
	r := &routeCounters{duration: m.durations.WithLabelValues(route)}
	for i, class := range []string{"none", "1xx", "2xx", "3xx", "4xx", "5xx"} {
		if i != 1 && i != 3 { // these are never answered
			r.classes[i] = m.requests.WithLabelValues(route, class)
		}
	}
	return r
}

// Count counts the requests of a handler that is served beside the webhook's, under the name of
// its route.
func (m *Metrics) Count(route string, next http.Handler) http.Handler {
	counters := m.forRoute(route)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answered := httpsnoop.CaptureMetrics(next, w, r)
		counters.done(answered.Code, answered.Duration)
	})
}

// done counts a request; status 0 means that it got no answer.
func (r *routeCounters) done(status int, took time.Duration) {
	r.classes[status/100].Inc()
	r.duration.Observe(took.Seconds())
}
