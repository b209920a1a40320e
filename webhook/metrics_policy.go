package webhook

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// policyCounters count the opinions of each policy.
type policyCounters struct {
	opinions *prometheus.CounterVec
	mu       sync.Mutex
	kept     map[[2]string]bool // kind and name
}

func newPolicyCounters() *policyCounters {
	return &policyCounters{kept: map[[2]string]bool{}, opinions: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "crosswalk_policy_opinions_total",
		Help: "Requests that a policy matched, by kind and name of the policy and its opinion (content, against, or failed: some expression could not be evaluated, whatever the failurePolicy is).",
	}, []string{"kind", "policy", "opinion"})}
}

// ObservePolicy counts a policy's opinion of a request. It is a [policy.Observe].
func (m *Metrics) ObservePolicy(p *policy.Policy, o policy.Opinion) {
	opinion := "content"
	switch {
	case o.Failed:
		opinion = "failed"
	case o.Denied:
		opinion = "against"
	}
	m.policies.opinions.WithLabelValues(p.Kind(), p.Name(), opinion).Inc()
}

// newReadSeconds makes the histogram of reads for policies.
func newReadSeconds() *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "crosswalk_policy_read_duration_seconds",
		Help: "Time of a read from the API server while a write waited for it, by what was read (lookup: a live one, or what is scaled; namespace; authorization; definition of a custom resource) and outcome (done, failed, late: not within the time that all reads for a write have together).",
		// The buckets range from a warm API server nearby to the time limit of reads.
		Buckets: []float64{.001, .003, .01, .03, .1, .3, 1, 2, 3},
	}, []string{"read", "outcome"})
}

// ObserveReads returns the function that measures the reads of one name that writes wait for.
// It creates their series.
func (m *Metrics) ObserveReads(read string) func(took time.Duration, err error) {
	done, failed, late := m.reads.WithLabelValues(read, "done"), m.reads.WithLabelValues(read, "failed"), m.reads.WithLabelValues(read, "late")
	return func(took time.Duration, err error) {
		outcome := done
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			outcome = late
		case err != nil:
			outcome = failed
		}
		outcome.Observe(took.Seconds())
	}
}

// KeepPolicies creates the series of these policies, with zero if they are new, and deletes the
// series of all others.
func (m *Metrics) KeepPolicies(policies ...*policy.Policy) {
	c := m.policies
	c.mu.Lock()
	defer c.mu.Unlock()
	next := make(map[[2]string]bool, len(policies))
	for _, p := range policies {
		next[[2]string{p.Kind(), p.Name()}] = true
		for _, opinion := range []string{"content", "against", "failed"} {
			c.opinions.WithLabelValues(p.Kind(), p.Name(), opinion)
		}
	}
	for last := range c.kept {
		if !next[last] {
			c.opinions.DeletePartialMatch(prometheus.Labels{"kind": last[0], "policy": last[1]})
		}
	}
	c.kept = next
}
