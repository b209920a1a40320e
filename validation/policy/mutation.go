package policy

import (
	"fmt"

	"github.com/google/cel-go/cel"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// change is one mutation of a policy.
type change struct {
	expression
	// apply reports that it is an ApplyConfiguration, and not a JSONPatch.
	apply bool
}

// CompileMutation compiles a policy for [Mutations], and returns everything that is wrong with
// it, like [Compile].
func CompileMutation(p *v1alpha1.MutationPolicy) (*Policy, Problems) {
	var problems Problems
	checkParamRef(p.Spec.ParamRef, p.Spec.ParamKind != nil, "spec.paramRef", &problems)
	policy := buildMutation(v1alpha1.KindMutationPolicy, p.Name, &p.Spec, &problems)
	policy.equivalent = equivalent(&p.Spec.PolicyScope)
	policy.fingerprint = fingerprintOf(p.Spec)
	policy.bindings = []*binding{{
		constraints: constraints{none: true},
		params:      compileParamRef(p.Spec.ParamRef, "spec.paramRef", &problems),
	}}
	return policy, problems
}

// CompileNativeMutation is like CompileMutation, for Kubernetes' own kind. Bindings of other
// policies are ignored. A policy without bindings is never evaluated.
func CompileNativeMutation(p *admissionregistrationv1.MutatingAdmissionPolicy, bindings ...*admissionregistrationv1.MutatingAdmissionPolicyBinding) (*Policy, Problems) {
	var problems Problems
	policy := buildMutation("MutatingAdmissionPolicy", p.Name, &v1alpha1.MutationPolicySpec{
		PolicyScope: v1alpha1.PolicyScope{
			MatchConstraints: p.Spec.MatchConstraints,
			MatchConditions:  p.Spec.MatchConditions,
			Variables:        p.Spec.Variables,
			ParamKind:        p.Spec.ParamKind,
			FailurePolicy:    p.Spec.FailurePolicy,
		},
		Mutations:          p.Spec.Mutations,
		ReinvocationPolicy: p.Spec.ReinvocationPolicy,
	}, &problems)
	policy.native = true
	specs := []any{p.Spec}
	for _, b := range bindings {
		if b.Spec.PolicyName != p.Name {
			continue
		}
		specs = append(specs, b.Spec)
		field := fmt.Sprintf("binding %s: spec", b.Name)
		checkMatch(b.Spec.MatchResources, field+".matchResources", &problems)
		checkParamRef(b.Spec.ParamRef, true, field+".paramRef", &problems)
		policy.bindings = append(policy.bindings, &binding{
			name:        b.Name,
			constraints: compileConstraints(b.Spec.MatchResources, field+".matchResources", &problems),
			params:      compileParamRef(b.Spec.ParamRef, field+".paramRef", &problems),
		})
	}
	policy.fingerprint = fingerprintOf(specs...)
	return policy, problems
}

func buildMutation(kind, name string, spec *v1alpha1.MutationPolicySpec, problems *Problems) *Policy {
	checkMutation(spec, problems)
	policy := &Policy{kind: kind, name: name, mutates: true, budget: celconfig.RuntimeCELCostBudget}
	compiler := policy.scope(&spec.PolicyScope, problems)
	for i, m := range spec.Mutations {
		if x := compileMutation(m, fmt.Sprintf("spec.mutations[%d]", i)); x != nil {
			compiler.mutation(&x.expression)
			policy.mutations = append(policy.mutations, x)
		}
	}
	policy.reinvoke = spec.ReinvocationPolicy == admissionregistrationv1.IfNeededReinvocationPolicy
	policy.findReads()
	policy.freeUpTo = policy.cheapUpTo()
	return policy
}

// compileMutation returns nil if there is nothing to compile.
func compileMutation(m admissionregistrationv1.Mutation, field string) *change {
	switch {
	case m.PatchType == admissionregistrationv1.PatchTypeApplyConfiguration && m.ApplyConfiguration != nil:
		return &change{apply: true, expression: expression{
			field: field + ".applyConfiguration.expression", text: m.ApplyConfiguration.Expression, returns: []*cel.Type{cel.ObjectType("Object")},
		}}
	case m.PatchType == admissionregistrationv1.PatchTypeJSONPatch && m.JSONPatch != nil:
		return &change{expression: expression{
			field: field + ".jsonPatch.expression", text: m.JSONPatch.Expression, returns: []*cel.Type{cel.ListType(cel.ObjectType("JSONPatch"))},
		}}
	}
	return nil
}

// Mutates reports whether the policy is for [Mutations], and not for [Validations].
func (p *Policy) Mutates() bool { return p.mutates }

// Reinvoked reports whether the policy is called again after others have changed the object:
// whether its reinvocationPolicy is IfNeeded.
func (p *Policy) Reinvoked() bool { return p.reinvoke }

// checkMutation finds mistakes in a policy outside its expressions.
func checkMutation(spec *v1alpha1.MutationPolicySpec, problems *Problems) {
	checkScope(&spec.PolicyScope, problems)
	if m := spec.MatchConstraints; m != nil {
		for i, rule := range m.ResourceRules {
			for j, operation := range rule.Operations {
				if operation == admissionregistrationv1.Delete {
					problems.add(fmt.Sprintf("spec.matchConstraints.resourceRules[%d].operations[%d]", i, j), "a deleted object cannot be changed")
				}
			}
		}
	}
	if spec.ReinvocationPolicy != "" {
		oneOf(spec.ReinvocationPolicy, "spec.reinvocationPolicy", problems, admissionregistrationv1.NeverReinvocationPolicy, admissionregistrationv1.IfNeededReinvocationPolicy)
	}
	if len(spec.Mutations) == 0 {
		problems.add("spec.mutations", "there is nothing to change: add a mutation")
	}
	for i, m := range spec.Mutations {
		checkPatchType(m, fmt.Sprintf("spec.mutations[%d]", i), problems)
	}
}

func checkPatchType(m admissionregistrationv1.Mutation, field string, problems *Problems) {
	oneOf(m.PatchType, field+".patchType", problems, admissionregistrationv1.PatchTypeApplyConfiguration, admissionregistrationv1.PatchTypeJSONPatch)
	apply, patch := m.PatchType == admissionregistrationv1.PatchTypeApplyConfiguration, m.PatchType == admissionregistrationv1.PatchTypeJSONPatch
	switch {
	case apply && m.ApplyConfiguration == nil:
		problems.add(field+".applyConfiguration", "it is missing: patchType requires it")
	case patch && m.JSONPatch == nil:
		problems.add(field+".jsonPatch", "it is missing: patchType requires it")
	}
	if apply && m.JSONPatch != nil {
		problems.add(field+".jsonPatch", "patchType excludes it: move it to another mutation")
	}
	if patch && m.ApplyConfiguration != nil {
		problems.add(field+".applyConfiguration", "patchType excludes it: move it to another mutation")
	}
}
