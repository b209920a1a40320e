package webhook

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// reviewerCounters are the counters of one reviewer.
type reviewerCounters struct {
	allowed, denied, failed prometheus.Counter
	duration                prometheus.Observer
}

func newAdmissionMetrics() (verdicts *prometheus.CounterVec, durations *prometheus.HistogramVec) {
	verdicts = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "crosswalk_admission_verdicts_total",
		Help: "Requests reviewed, by phase (validate, mutate), webhook and verdict (allowed, denied, error).",
	}, []string{"phase", "webhook", "verdict"})
	durations = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "crosswalk_admission_review_duration_seconds",
		Help: "Time to review a request, without reading the body and writing the answer, by phase and webhook.",
		// The API server waits 10 s unless the webhook is registered with another timeout, of
		// at most 30 s.
		Buckets: []float64{.00001, .00005, .0001, .0005, .001, .005, .01, .05, .1, .5, 1, 10, 30},
	}, []string{"phase", "webhook"})
	return verdicts, durations
}

func (m *Metrics) forReviewer(p phase, webhook string) *reviewerCounters {
	count := func(verdict string) prometheus.Counter {
		return m.verdicts.WithLabelValues(p.String(), webhook, verdict)
	}
	return &reviewerCounters{count("allowed"), count("denied"), count("error"), m.reviews.WithLabelValues(p.String(), webhook)}
}

// done counts a request that was reviewed or failed.
func (c *reviewerCounters) done(allowed bool, err error, took time.Duration) {
	switch {
	case err != nil:
		c.failed.Inc()
	case allowed:
		c.allowed.Inc()
	default:
		c.denied.Inc()
	}
	c.duration.Observe(took.Seconds())
}

// forgetReviewers deletes the series of the reviewers that are not in next.
func (m *Metrics) forgetReviewers(last, next *reviewerSets) {
	for p, reviewers := range last {
		for name := range reviewers {
			if next[p][name] != nil {
				continue
			}
			labels := prometheus.Labels{"phase": phase(p).String(), "webhook": name}
			m.verdicts.DeletePartialMatch(labels)
			m.reviews.DeletePartialMatch(labels)
		}
	}
}
