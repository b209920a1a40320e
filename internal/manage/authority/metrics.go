package authority

import (
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

var expiryGauge = prometheus.NewDesc("crosswalk_authority_expiry_timestamp_seconds",
	"When the CA of the built-in authority expires, in seconds since 1970; 0 if there is none that can be used. Only the leading replica has it.", nil, nil)

// expiry is when the CA expires. It is a metric once the Secrets have been read.
type expiry struct{ seconds atomic.Pointer[float64] }

// set sets the time. It is zero if the CA cannot be used.
func (e *expiry) set(at time.Time) {
	seconds := 0.0
	if !at.IsZero() {
		seconds = float64(at.Unix())
	}
	e.seconds.Store(&seconds)
}

// Describe implements [prometheus.Collector].
func (*expiry) Describe(descriptions chan<- *prometheus.Desc) { descriptions <- expiryGauge }

// Collect implements [prometheus.Collector].
func (e *expiry) Collect(metrics chan<- prometheus.Metric) {
	if seconds := e.seconds.Load(); seconds != nil {
		metrics <- prometheus.MustNewConstMetric(expiryGauge, prometheus.GaugeValue, *seconds)
	}
}
