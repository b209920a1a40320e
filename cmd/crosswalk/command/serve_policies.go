package command

import (
	"log/slog"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/crosswalk-dev/crosswalk/internal/cluster/lookup"
	"github.com/crosswalk-dev/crosswalk/internal/cluster/policies"
	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// policiesReviewer is the name of the reviewer for policies, in both phases.
const policiesReviewer = "policies"

// policySets holds the policies of both phases.
type policySets struct {
	metrics                *webhook.Metrics
	validations, mutations *policy.Set
}

// newPolicySets returns sets of policies that see a cluster.
func newPolicySets(cluster policy.Cluster, metrics *webhook.Metrics) policySets {
	return policySets{
		metrics:     metrics,
		validations: policy.NewValidationSet(cluster, metrics.ObservePolicy),
		mutations:   policy.NewMutationSet(cluster, metrics.ObservePolicy),
	}
}

// replace puts these policies into force, and no others.
func (s policySets) replace(inForce []*policy.Policy) error {
	var validations, mutations []*policy.Policy
	for _, p := range inForce {
		if p.Mutates() {
			mutations = append(mutations, p)
		} else {
			validations = append(validations, p)
		}
	}
	if err := s.validations.Replace(validations...); err != nil {
		return err
	}
	s.metrics.KeepPolicies(inForce...)
	return s.mutations.Replace(mutations...)
}

func (s policySets) reviewers() reviewers {
	return reviewers{
		map[string]validation.Reviewer{policiesReviewer: s.validations},
		map[string]validation.Reviewer{policiesReviewer: s.mutations},
	}
}

// observeReads measures the reads of policies for which writes wait.
func observeReads(metrics *webhook.Metrics) lookup.Observe {
	observers := map[lookup.Read]func(time.Duration, error){}
	for _, read := range lookup.Reads() {
		observers[read] = metrics.ObserveReads(string(read))
	}
	return func(read lookup.Read, took time.Duration, err error) { observers[read](took, err) }
}

// followPolicies puts the cluster's policies into force, as long as the manager runs.
func followPolicies(mgr manager.Manager, connection *rest.Config, tables *webhook.Tables, metrics *webhook.Metrics, readiness *webhook.Readiness, log *slog.Logger) (reviewers, error) {
	lookups, err := lookup.New(connection, observeReads(metrics), log)
	if err != nil {
		return reviewers{}, err
	}
	sets := newPolicySets(lookups.In(policy.Cluster{Tables: tables}), metrics)
	follower, err := policies.NewFollower(mgr, policies.Options{Lookups: lookups, Publish: sets.replace, Logger: log})
	if err != nil {
		return reviewers{}, err
	}
	readiness.Add("policies", follower.Check)
	return sets.reviewers(), mgr.Add(manager.RunnableFunc(lookups.Run))
}
