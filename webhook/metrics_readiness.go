package webhook

import "github.com/prometheus/client_golang/prometheus"

var readinessGauge = prometheus.NewDesc("crosswalk_readiness",
	"1 while a check of /readyz passes, 0 otherwise, by check. The process receives requests while all checks are 1.",
	[]string{"check"}, nil)

// Register adds a gauge for every check. The gauge runs the check at every scrape.
func (r *Readiness) Register(registry prometheus.Registerer) {
	registry.MustRegister(readinessCollector{r})
}

type readinessCollector struct{ readiness *Readiness }

func (readinessCollector) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- readinessGauge
}

func (c readinessCollector) Collect(metrics chan<- prometheus.Metric) {
	for _, s := range c.readiness.states() {
		value := 1.0
		if s.err != nil {
			value = 0
		}
		metrics <- prometheus.MustNewConstMetric(readinessGauge, prometheus.GaugeValue, value, s.name)
	}
}
