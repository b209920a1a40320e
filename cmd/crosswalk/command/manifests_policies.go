package command

import (
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/config"
	"github.com/crosswalk-dev/crosswalk/internal/manage/policies"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// planPolicies returns the webhooks for the policies in files, including those of Kubernetes'
// own kinds. A policy without a binding is never evaluated.
func planPolicies(loaded *config.Config, target webhooks.Target) (webhooks.Pair, error) {
	compiled, err := loaded.CompilePolicies()
	if err != nil {
		return webhooks.Pair{}, err
	}
	pushable := map[string]bool{}
	for _, all := range [][]*policy.Policy{compiled.Validations, compiled.Mutations} {
		for _, p := range all {
			pushable[p.String()] = p.Pushable()
		}
	}
	d := policies.Desired{Target: target, Mutations: map[string]policies.Scope{}, Validations: map[string]policies.Scope{}}
	for _, p := range loaded.Policies {
		if p.Unbound() {
			continue
		}
		planned := plannedPolicy(p)
		planned.Push = pushable[p.String()]
		if p.Hub() {
			if _, err := policies.CRDsOf(planned); err != nil {
				return webhooks.Pair{}, fmt.Errorf("%v: %w", p, err)
			}
		}
		scopes := d.Validations
		if p.Mutates() {
			scopes = d.Mutations
		}
		scopes[p.Name()] = policies.ScopeOf(planned, target)
	}
	return policies.Plan(d), nil
}

// plannedPolicy returns what decides the scope of a policy.
func plannedPolicy(p *config.Policy) policies.Policy {
	planned := policies.Policy{Kind: p.Kind, Name: p.Name()}
	switch o := p.Object.(type) {
	case *v1alpha1.ValidationPolicy:
		planned.PolicyScope = o.Spec.PolicyScope
	case *v1alpha1.MutationPolicy:
		planned.PolicyScope, planned.Reinvocation = o.Spec.PolicyScope, policies.Reinvocation(o.Spec.ReinvocationPolicy)
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		planned.PolicyScope = nativeScope(o.Spec.MatchConstraints, o.Spec.MatchConditions, o.Spec.FailurePolicy)
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		planned.PolicyScope = nativeScope(o.Spec.MatchConstraints, o.Spec.MatchConditions, o.Spec.FailurePolicy)
		planned.Reinvocation = policies.Reinvocation(o.Spec.ReinvocationPolicy)
	}
	return planned
}

func nativeScope(constraints *admissionregistrationv1.MatchResources, conditions []admissionregistrationv1.MatchCondition, failure *admissionregistrationv1.FailurePolicyType) v1alpha1.PolicyScope {
	return v1alpha1.PolicyScope{MatchConstraints: constraints, MatchConditions: conditions, FailurePolicy: failure}
}
