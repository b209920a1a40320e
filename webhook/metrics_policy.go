package webhook

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// policyCounters count what each policy says.
type policyCounters struct {
	opinions *prometheus.CounterVec
	mu       sync.Mutex
	kept     map[[2]string]bool // kind and name
}

func newPolicyCounters() *policyCounters {
	return &policyCounters{kept: map[[2]string]bool{}, opinions: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "crosswalk_policy_opinions_total",
		Help: "Requests that a policy was about, by kind and name of the policy and its opinion (content, against, failed: something of it could not be evaluated, whatever its failurePolicy made of that).",
	}, []string{"kind", "policy", "opinion"})}
}

// ObservePolicy counts what a policy says of a request. It is a [policy.Observe].
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

// newReadSeconds measures what policies read.
func newReadSeconds() *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "crosswalk_policy_read_duration_seconds",
		Help: "Time that a read from the API server took while a write waited for it, by what was read (lookup: a live one, or what is scaled; namespace; authorization; definition of a custom resource) and outcome (done, failed, late: not within the time that all reads for a write have together).",
		// From a warm API server next door to where reads end.
		Buckets: []float64{.001, .003, .01, .03, .1, .3, 1, 2, 3},
	}, []string{"read", "outcome"})
}

// ObserveReads returns what measures the reads of one name that writes wait for. Their
// series are there from now on.
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

// KeepPolicies has these policies counted, from zero where they are new, and
// forgets all others.
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
