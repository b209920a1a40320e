package policy

import (
	"errors"
	"fmt"

	"github.com/google/cel-go/cel"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// Compile compiles a policy, and returns everything that is wrong with it.
//
// It always returns a policy. A policy with problems fails when it is evaluated, so that
// requests follow its failurePolicy. A caller that does not want that must check the problems
// first.
func Compile(p *v1alpha1.ValidationPolicy) (*Policy, Problems) {
	var problems Problems
	checkValidation(&p.Spec, reasons, &problems)
	checkActions(p.Spec.ValidationActions, "spec.validationActions", &problems)
	checkParamRef(p.Spec.ParamRef, p.Spec.ParamKind != nil, "spec.paramRef", &problems)
	policy := build(v1alpha1.KindValidationPolicy, p.Name, &p.Spec, &problems)
	policy.equivalent = equivalent(&p.Spec.PolicyScope)
	policy.fingerprint = fingerprintOf(p.Spec)
	policy.ratchets = p.Spec.Ratcheting == nil || *p.Spec.Ratcheting
	actions := p.Spec.ValidationActions
	if len(actions) == 0 {
		actions = []admissionregistrationv1.ValidationAction{admissionregistrationv1.Deny}
	}
	policy.bindings = []*binding{{
		constraints: constraints{none: true},
		params:      compileParamRef(p.Spec.ParamRef, "spec.paramRef", &problems),
		actions:     actions,
	}}
	return policy, problems
}

// build compiles the common part of all validation policies.
func build(kind, name string, spec *v1alpha1.ValidationPolicySpec, problems *Problems) *Policy {
	policy := &Policy{kind: kind, name: name, budget: celconfig.RuntimeCELCostBudget}
	compiler := policy.scope(&spec.PolicyScope, problems)
	for i, v := range spec.Validations {
		policy.rules = append(policy.rules, compileRule(compiler, v, fmt.Sprintf("spec.validations[%d]", i), problems))
	}
	for i, a := range spec.AuditAnnotations {
		x := &audit{key: a.Key, expression: expression{
			field: fmt.Sprintf("spec.auditAnnotations[%d].valueExpression", i), text: a.ValueExpression, returns: []*cel.Type{cel.StringType, cel.NullType},
		}}
		compiler.rule(&x.expression)
		policy.audits = append(policy.audits, x)
	}
	policy.findReads()
	policy.freeUpTo = policy.cheapUpTo()
	return policy
}

// equivalent reports whether a policy that names one version matches all versions.
func equivalent(scope *v1alpha1.PolicyScope) bool {
	m := scope.MatchConstraints
	return !scope.Hub && m != nil && (m.MatchPolicy == nil || *m.MatchPolicy == admissionregistrationv1.Equivalent)
}

// scope compiles the common part of all policies.
func (p *Policy) scope(scope *v1alpha1.PolicyScope, problems *Problems) *compiler {
	if scope.MatchConstraints == nil {
		p.problem = errors.New("it has no matchConstraints")
	}
	p.constraints = compileConstraints(scope.MatchConstraints, "spec.matchConstraints", problems)
	if p.hub = scope.Hub; p.hub {
		p.constraints.everyVersion()
	}
	p.ignore = scope.FailurePolicy != nil && *scope.FailurePolicy == admissionregistrationv1.Ignore
	if scope.ParamKind != nil {
		kind := schema.FromAPIVersionAndKind(scope.ParamKind.APIVersion, scope.ParamKind.Kind)
		p.paramKind = &kind
	}
	compiler := newCompiler(p.paramKind != nil, len(scope.Lookups) > 0, problems)
	for i, l := range scope.Lookups {
		p.lookups = append(p.lookups, compileLookup(compiler, l, fmt.Sprintf("spec.lookups[%d]", i), problems))
	}
	for i, v := range scope.Variables {
		x := &variable{name: v.Name, expression: expression{
			field: fmt.Sprintf("spec.variables[%d].expression", i), text: v.Expression, returns: []*cel.Type{cel.AnyType, cel.DynType},
		}}
		compiler.variable(x)
		p.variables = append(p.variables, x)
	}
	for i, c := range scope.MatchConditions {
		x := &condition{name: c.Name, expression: expression{
			field: fmt.Sprintf("spec.matchConditions[%d].expression", i), text: c.Expression, returns: []*cel.Type{cel.BoolType},
		}}
		compiler.rule(&x.expression)
		p.conditions = append(p.conditions, x)
	}
	return compiler
}

func compileRule(compiler *compiler, v v1alpha1.Validation, field string, problems *Problems) *rule {
	x := &rule{
		expression: expression{field: field + ".expression", text: v.Expression, returns: []*cel.Type{cel.BoolType}},
		message:    v.Message,
		reason:     metav1.StatusReasonInvalid,
	}
	if v.Reason != nil {
		x.reason = *v.Reason
	}
	compiler.rule(&x.expression)
	if v.MessageExpression != "" {
		x.messageExpression = &expression{field: field + ".messageExpression", text: v.MessageExpression, returns: []*cel.Type{cel.StringType}}
		compiler.message(x.messageExpression)
	}
	if v.FieldPath != "" {
		path, err := parseFieldPath(v.FieldPath)
		if err != nil {
			problems.add(field+".fieldPath", "%v", err)
		}
		x.path = path
	}
	return x
}

func compileParamRef(r *admissionregistrationv1.ParamRef, field string, problems *Problems) *paramRef {
	if r == nil {
		return nil
	}
	compiled := &paramRef{
		namespace: r.Namespace,
		name:      r.Name,
		required:  r.ParameterNotFoundAction != nil && *r.ParameterNotFoundAction == admissionregistrationv1.DenyAction,
	}
	if r.Selector != nil {
		selector, err := metav1.LabelSelectorAsSelector(r.Selector)
		if err != nil {
			problems.add(field+".selector", "%v", err)
		}
		compiled.selector = selector
	}
	return compiled
}
