package policy

import (
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
)

// checkConstraints finds mistakes in the constraints of a policy, except in its selectors.
func checkConstraints(m *admissionregistrationv1.MatchResources, problems *Problems) {
	if m == nil {
		problems.add("spec.matchConstraints", "it is missing: select with resourceRules what the policy matches")
		return
	}
	if len(m.ResourceRules) == 0 {
		problems.add("spec.matchConstraints.resourceRules", "there are none: add a rule for what the policy matches")
	}
	checkMatch(m, "spec.matchConstraints", problems)
}

func checkMatch(m *admissionregistrationv1.MatchResources, field string, problems *Problems) {
	if m == nil {
		return
	}
	if m.MatchPolicy != nil {
		oneOf(*m.MatchPolicy, field+".matchPolicy", problems, admissionregistrationv1.Exact, admissionregistrationv1.Equivalent)
	}
	for i := range m.ResourceRules {
		checkResourceRule(&m.ResourceRules[i].RuleWithOperations, fmt.Sprintf("%s.resourceRules[%d]", field, i), problems)
	}
	for i := range m.ExcludeResourceRules {
		checkResourceRule(&m.ExcludeResourceRules[i].RuleWithOperations, fmt.Sprintf("%s.excludeResourceRules[%d]", field, i), problems)
	}
}

func checkResourceRule(r *admissionregistrationv1.RuleWithOperations, field string, problems *Problems) {
	for i, operation := range r.Operations {
		oneOf(operation, fmt.Sprintf("%s.operations[%d]", field, i), problems, admissionregistrationv1.Create, admissionregistrationv1.Update,
			admissionregistrationv1.Delete, admissionregistrationv1.Connect, admissionregistrationv1.OperationAll)
	}
	var operations []string
	for _, operation := range r.Operations {
		operations = append(operations, string(operation))
	}
	for _, list := range []struct {
		name   string
		values []string
	}{
		{"operations", operations}, {"apiGroups", r.APIGroups}, {"apiVersions", r.APIVersions}, {"resources", r.Resources},
	} {
		switch {
		case len(list.values) == 0:
			problems.add(field+"."+list.name, "it is empty, so the rule matches nothing")
		case len(list.values) > 1 && slices.Contains(list.values, "*") && list.name != "resources":
			problems.add(field+"."+list.name, "it contains *, so remove the others")
		}
		for i, value := range list.values {
			if value == "" && list.name != "apiGroups" {
				problems.add(fmt.Sprintf("%s.%s[%d]", field, list.name, i), "it is empty")
			}
		}
	}
	if len(r.Resources) > 1 && slices.Contains(r.Resources, "*/*") {
		problems.add(field+".resources", "it contains */*, so remove the others")
	}
	if r.Scope != nil {
		oneOf(*r.Scope, field+".scope", problems, admissionregistrationv1.ClusterScope, admissionregistrationv1.NamespacedScope, admissionregistrationv1.AllScopes)
	}
}

func checkParamKind(kind *admissionregistrationv1.ParamKind, problems *Problems) {
	if kind == nil {
		return
	}
	checkKind(kind.APIVersion, kind.Kind, "spec.paramKind", problems)
}

func checkKind(apiVersion, kind, field string, problems *Problems) {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || gv.Version == "" {
		problems.add(field+".apiVersion", "%q is not an apiVersion: write group/version, or version for the core group", apiVersion)
	}
	if len(validation.IsDNS1035Label(strings.ToLower(kind))) > 0 {
		problems.add(field+".kind", "%q is not a kind", kind)
	}
}

// checkParamRef finds mistakes in the selection of parameters.
func checkParamRef(r *admissionregistrationv1.ParamRef, known bool, field string, problems *Problems) {
	if r == nil {
		return
	}
	if !known {
		problems.add(field, "the kind of the parameters is missing: set spec.paramKind")
	}
	if (r.Name == "") == (r.Selector == nil) {
		problems.add(field, "set either name or selector")
	}
	if r.ParameterNotFoundAction == nil {
		problems.add(field+".parameterNotFoundAction", "it is missing: with Allow, requests without parameters pass; with Deny, they follow the failurePolicy")
		return
	}
	oneOf(*r.ParameterNotFoundAction, field+".parameterNotFoundAction", problems, admissionregistrationv1.AllowAction, admissionregistrationv1.DenyAction)
}
