package injection

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
)

type metrics struct {
	objects *prometheus.GaugeVec
	writes  *prometheus.CounterVec
	repairs *prometheus.CounterVec
	usable  prometheus.Gauge
}

// newMetrics makes the metrics and registers them, if registry is not nil.
func newMetrics(registry prometheus.Registerer) *metrics {
	m := &metrics{
		objects: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "crosswalk_injection_objects",
			Help: "Objects that ask for the CA bundle, by kind and state (injected, problem).",
		}, []string{"kind", "state"}),
		writes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "crosswalk_injection_writes_total",
			Help: "Writes of the CA bundle to objects, by kind and result (success, failure).",
		}, []string{"kind", "result"}),
		repairs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "crosswalk_injection_repairs_total",
			Help: "CA bundles replaced because they could not be read, by kind.",
		}, []string{"kind"}),
		usable: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "crosswalk_injection_bundle_usable",
			Help: "1 while there is a CA bundle to inject, 0 otherwise.",
		}),
	}
	for _, kind := range inject.Kinds() { // so the series exist from the start
		m.objects.WithLabelValues(kind.Kind, stateInjected)
		m.objects.WithLabelValues(kind.Kind, stateProblem)
		m.writes.WithLabelValues(kind.Kind, "success")
		m.writes.WithLabelValues(kind.Kind, "failure")
		m.repairs.WithLabelValues(kind.Kind)
	}
	if registry != nil {
		registry.MustRegister(m.objects, m.writes, m.repairs, m.usable)
	}
	return m
}
