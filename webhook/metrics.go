package webhook

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics are the counters of this package. There is no global registry.
type Metrics struct {
	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec
	inFlight  prometheus.Gauge
	panics    prometheus.Counter
	shed      *prometheus.CounterVec
	objects   *prometheus.CounterVec
	seconds   *prometheus.HistogramVec
	slow      *prometheus.CounterVec
	residuals *prometheus.CounterVec
	ignored   *prometheus.CounterVec
	leftOut   *prometheus.CounterVec
	unplaced  *prometheus.CounterVec
	verdicts  *prometheus.CounterVec
	reviews   *prometheus.HistogramVec
	policies  *policyCounters
	reads     *prometheus.HistogramVec
	registry  prometheus.Registerer
}

// NewMetrics makes the metrics and registers them with registry, if that is not nil. It panics
// if they are registered already.
func NewMetrics(registry prometheus.Registerer) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m := &Metrics{
		requests: counter("crosswalk_http_requests_total",
			"Requests answered, by route and class of status code.", "route", "code"),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "crosswalk_http_request_duration_seconds",
			Help: "Time from the request's headers to the last byte handed to the connection, by route.",
			// From far below one network round trip to the API server's timeout
			// of 30 s; 50 ms, 1 s and 6 s are what KEP-95 allows for 1, 1,500
			// and 10,000 objects.
			Buckets: []float64{.00001, .00005, .0001, .0005, .001, .005, .01, .05, .1, .5, 1, 6, 30},
		}, []string{"route"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "crosswalk_http_requests_in_flight", Help: "Requests being answered now."}),
		panics: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "crosswalk_panics_total", Help: "Panics while answering a request. Each is a defect of Crosswalk; please report it."}),
		shed: counter("crosswalk_requests_shed_total",
			"Correct requests that were refused, by reason: the memory was in use (full), or the client was too slow for the memory that it held (slow).", "reason"),
		objects: counter("crosswalk_conversion_objects_total",
			"Objects converted, by CRD, versions and result (success, failure).", "crd", "from", "to", "result"),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "crosswalk_conversion_duration_seconds",
			Help: "Time to convert an object, by CRD.",
			// From an object of a hundred bytes to the API server's timeout.
			Buckets: []float64{.000001, .000003, .00001, .00003, .0001, .0003, .001, .003, .01, .03, .1, .3, 1, 3, 10, 30},
		}, []string{"crd"}),
		slow: counter("crosswalk_conversion_slow_total",
			"Objects whose conversion took longer than a second, by CRD. The log names each.", "crd"),
		residuals: counter("crosswalk_conversion_residuals_total",
			"Values kept in an annotation because the target version can't represent them.", "crd"),
		ignored: counter("crosswalk_conversion_ignored_stashes_total",
			"Stash annotations ignored because they are malformed or have an unknown format.", "crd"),
		leftOut: counter("crosswalk_conversion_left_out_total",
			"Values lost in a conversion because annotations have no room for them.", "crd"),
		unplaced: counter("crosswalk_conversion_unplaced_total",
			"Values kept under another table for which the present one has no place. They stay in their annotation.", "crd"),
		registry: registry,
	}
	for _, reason := range []shed{shedFull, shedSlow} {
		m.shed.WithLabelValues(string(reason)) // so the series exists from the start
	}
	m.verdicts, m.reviews = newAdmissionMetrics()
	m.policies, m.reads = newPolicyCounters(), newReadSeconds()
	if registry != nil {
		registry.MustRegister(m.requests, m.durations, m.inFlight, m.panics, m.shed, m.objects, m.seconds, m.slow, m.residuals, m.ignored, m.leftOut, m.unplaced,
			m.verdicts, m.reviews, m.policies.opinions, m.reads)
	}
	return m
}

// WatchCertificate adds gauges for the times when the serving certificate becomes valid and
// expires. They call validity at every scrape. Zero times mean that there is no certificate.
func (m *Metrics) WatchCertificate(validity func() (from, to time.Time)) {
	if m.registry == nil {
		return
	}
	gauge := func(name, help string, when func() time.Time) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			if t := when(); !t.IsZero() {
				return float64(t.Unix())
			}
			return 0
		}))
	}
	gauge("crosswalk_certificate_start_timestamp_seconds", "When the serving certificate becomes valid, in seconds since 1970; 0 if there is none.",
		func() time.Time { from, _ := validity(); return from })
	gauge("crosswalk_certificate_expiry_timestamp_seconds", "When the serving certificate expires, in seconds since 1970; 0 if there is none.",
		func() time.Time { _, to := validity(); return to })
}

// WatchMemory adds two gauges for the memory that requests hold. They read memory at every
// scrape.
func (m *Metrics) WatchMemory(memory *Memory) {
	if m.registry == nil {
		return
	}
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "crosswalk_memory_used_bytes",
		Help: "Memory that requests hold: their bodies, the work on them, and answers that are not read yet.",
	}, func() float64 { return float64(memory.budget.Used()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "crosswalk_memory_limit_bytes",
			Help: "Memory that requests may hold together; 0 means no limit.",
		}, func() float64 { return float64(memory.budget.Limit()) }))
}
