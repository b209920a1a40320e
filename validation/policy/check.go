package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// The limits are those of the API server
// (k8s.io/kubernetes/pkg/apis/admissionregistration/validation).
const (
	maxConditions      = 64
	maxAudits          = 20
	maxAuditExpression = 5 * 1024
)

// checkValidation finds mistakes in a policy outside its expressions.
func checkValidation(spec *v1alpha1.ValidationPolicySpec, reasons []metav1.StatusReason, problems *Problems) {
	checkScope(&spec.PolicyScope, problems)
	if len(spec.Validations) == 0 && len(spec.AuditAnnotations) == 0 {
		problems.add("spec.validations", "there is nothing to evaluate: add a validation, or an audit annotation")
	}
	for i, v := range spec.Validations {
		checkRule(v, fmt.Sprintf("spec.validations[%d]", i), reasons, problems)
	}
	checkAudits(spec.AuditAnnotations, problems)
}

// reasons are the possible reasons of a denial, and nativeReasons those that the API server
// allows.
var (
	nativeReasons = []metav1.StatusReason{metav1.StatusReasonForbidden, metav1.StatusReasonInvalid, metav1.StatusReasonRequestEntityTooLarge}
	reasons       = append([]metav1.StatusReason{metav1.StatusReasonUnauthorized}, nativeReasons...)
)

func checkRule(v v1alpha1.Validation, field string, reasons []metav1.StatusReason, problems *Problems) {
	if strings.TrimSpace(v.Expression) == "" {
		problems.add(field+".expression", "it is empty: write what must hold")
	}
	if v.Message != "" && strings.TrimSpace(v.Message) == "" {
		problems.add(field+".message", "it is blank: remove it, or explain what is wrong")
	}
	if strings.ContainsAny(strings.TrimSpace(v.Message), "\n\r") {
		problems.add(field+".message", "it must have one line")
	}
	if v.MessageExpression != "" && strings.TrimSpace(v.MessageExpression) == "" {
		problems.add(field+".messageExpression", "it is blank: remove it")
	}
	if v.Reason != nil {
		oneOf(*v.Reason, field+".reason", problems, reasons...)
	}
}

func checkAudits(audits []admissionregistrationv1.AuditAnnotation, problems *Problems) {
	if len(audits) > maxAudits {
		problems.add("spec.auditAnnotations", "there are %d, the limit is %d", len(audits), maxAudits)
	}
	seen := map[string]bool{}
	for i, a := range audits {
		field := fmt.Sprintf("spec.auditAnnotations[%d]", i)
		for _, message := range validation.IsQualifiedName(a.Key) {
			problems.add(field+".key", "%q: %s", a.Key, message)
		}
		if strings.Contains(a.Key, "/") {
			problems.add(field+".key", "%q has a prefix: remove it, because the name of the policy becomes the prefix", a.Key)
		}
		if seen[a.Key] {
			problems.add(field+".key", "%q occurs twice", a.Key)
		}
		seen[a.Key] = true
		if len(a.ValueExpression) > maxAuditExpression {
			problems.add(field+".valueExpression", "it has %d bytes, the limit is %d", len(a.ValueExpression), maxAuditExpression)
		}
	}
}

// checkActions finds mistakes in validationActions.
func checkActions(actions []admissionregistrationv1.ValidationAction, field string, problems *Problems) {
	for i, action := range actions {
		oneOf(action, fmt.Sprintf("%s[%d]", field, i), problems, admissionregistrationv1.Deny, admissionregistrationv1.Warn, admissionregistrationv1.Audit)
		if slices.Contains(actions[:i], action) {
			problems.add(fmt.Sprintf("%s[%d]", field, i), "%s occurs twice", action)
		}
	}
	if slices.Contains(actions, admissionregistrationv1.Deny) && slices.Contains(actions, admissionregistrationv1.Warn) {
		problems.add(field, "Deny and Warn exclude each other: a denial contains everything that a warning would")
	}
}

// checkScope finds mistakes in the common part of all policies.
func checkScope(scope *v1alpha1.PolicyScope, problems *Problems) {
	checkConstraints(scope.MatchConstraints, problems)
	if scope.FailurePolicy != nil {
		oneOf(*scope.FailurePolicy, "spec.failurePolicy", problems, admissionregistrationv1.Fail, admissionregistrationv1.Ignore)
	}
	if len(scope.MatchConditions) > maxConditions {
		problems.add("spec.matchConditions", "there are %d, the limit is %d", len(scope.MatchConditions), maxConditions)
	}
	names := map[string]bool{}
	for i, c := range scope.MatchConditions {
		field := fmt.Sprintf("spec.matchConditions[%d].name", i)
		for _, message := range validation.IsQualifiedName(c.Name) {
			problems.add(field, "%q: %s", c.Name, message)
		}
		if names[c.Name] {
			problems.add(field, "%q occurs twice", c.Name)
		}
		names[c.Name] = true
	}
	variables := map[string]bool{}
	for i, v := range scope.Variables {
		field := fmt.Sprintf("spec.variables[%d].name", i)
		if !isIdentifier(v.Name) {
			problems.add(field, "%q is not a valid name for a variable: use a letter or _ first, then letters, digits and _, but not a word of CEL", v.Name)
		}
		if variables[v.Name] {
			problems.add(field, "%q occurs twice", v.Name)
		}
		variables[v.Name] = true
	}
	checkParamKind(scope.ParamKind, problems)
	checkLookups(scope.Lookups, problems)
}

const maxLookups = 16

func checkLookups(all []v1alpha1.Lookup, problems *Problems) {
	if len(all) > maxLookups {
		problems.add("spec.lookups", "there are %d, the limit is %d", len(all), maxLookups)
	}
	names := map[string]bool{}
	for i, l := range all {
		field := fmt.Sprintf("spec.lookups[%d]", i)
		if !isIdentifier(l.Name) {
			problems.add(field+".name", "%q is not a valid name for a lookup: use a letter or _ first, then letters, digits and _, but not a word of CEL", l.Name)
		}
		if names[l.Name] {
			problems.add(field+".name", "%q occurs twice", l.Name)
		}
		names[l.Name] = true
		checkKind(l.APIVersion, l.Kind, field, problems)
	}
}

var identifier = regexp.MustCompile(`^[_a-zA-Z][_a-zA-Z0-9]*$`)

// isIdentifier reports whether a name is an identifier of CEL's grammar.
func isIdentifier(name string) bool {
	switch name {
	case "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let",
		"loop", "package", "namespace", "return", "var", "void", "while":
		return false
	}
	return identifier.MatchString(name)
}

// oneOf checks that a value is one of several.
func oneOf[T ~string](value T, field string, problems *Problems, known ...T) {
	if !slices.Contains(known, value) {
		problems.add(field, "%q is unknown: use one of %v", value, known)
	}
}
