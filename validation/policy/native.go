package policy

import (
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// CompileNative is like Compile, for Kubernetes' own kind. Bindings of other policies are
// ignored. A policy without bindings is never evaluated.
func CompileNative(p *admissionregistrationv1.ValidatingAdmissionPolicy, bindings ...*admissionregistrationv1.ValidatingAdmissionPolicyBinding) (*Policy, Problems) {
	var problems Problems
	spec := &v1alpha1.ValidationPolicySpec{
		PolicyScope: v1alpha1.PolicyScope{
			MatchConstraints: p.Spec.MatchConstraints,
			MatchConditions:  p.Spec.MatchConditions,
			Variables:        p.Spec.Variables,
			ParamKind:        p.Spec.ParamKind,
			FailurePolicy:    p.Spec.FailurePolicy,
		},
		Validations:      nativeValidations(p.Spec.Validations),
		AuditAnnotations: p.Spec.AuditAnnotations,
	}
	checkValidation(spec, nativeReasons, &problems)
	policy := build("ValidatingAdmissionPolicy", p.Name, spec, &problems)
	policy.native = true
	specs := []any{p.Spec}
	for _, b := range bindings {
		if b.Spec.PolicyName != p.Name {
			continue
		}
		specs = append(specs, b.Spec)
		field := fmt.Sprintf("binding %s: spec", b.Name)
		checkMatch(b.Spec.MatchResources, field+".matchResources", &problems)
		checkActions(b.Spec.ValidationActions, field+".validationActions", &problems)
		// A paramRef of a policy without paramKind is ignored, as by apiserver.
		checkParamRef(b.Spec.ParamRef, true, field+".paramRef", &problems)
		policy.bindings = append(policy.bindings, &binding{
			name:        b.Name,
			constraints: compileConstraints(b.Spec.MatchResources, field+".matchResources", &problems),
			params:      compileParamRef(b.Spec.ParamRef, field+".paramRef", &problems),
			actions:     b.Spec.ValidationActions,
		})
	}
	policy.fingerprint = fingerprintOf(specs...)
	return policy, problems
}

func nativeValidations(all []admissionregistrationv1.Validation) []v1alpha1.Validation {
	var validations []v1alpha1.Validation
	for _, v := range all {
		validations = append(validations, v1alpha1.Validation{
			Expression: v.Expression, Message: v.Message, MessageExpression: v.MessageExpression, Reason: v.Reason,
		})
	}
	return validations
}
