package policies

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// Scope selects the requests for which the API server calls a webhook, and what it does without
// an answer. Equal scopes have the same form, so they can be compared.
type Scope struct {
	Kind              string // of the policy
	FailurePolicy     admissionregistrationv1.FailurePolicyType
	MatchPolicy       admissionregistrationv1.MatchPolicyType
	NamespaceSelector *metav1.LabelSelector
	ObjectSelector    *metav1.LabelSelector
	Rules             []admissionregistrationv1.RuleWithOperations
	// Scales are the rules for scaling, if objects are selected by labels or conditions. They
	// need their own webhook, because the API server sends a Scale, which has neither. If
	// nothing is selected, they are among Rules.
	Scales             []admissionregistrationv1.RuleWithOperations
	MatchConditions    []admissionregistrationv1.MatchCondition
	ReinvocationPolicy admissionregistrationv1.ReinvocationPolicyType // empty for validation
	// ByItself reports that the API server calls through itself, and so identifies itself.
	ByItself bool
}

// Policy is what determines a scope.
type Policy struct {
	Kind, Name string
	v1alpha1.PolicyScope
	// Reinvocation is empty for a validation policy.
	Reinvocation admissionregistrationv1.ReinvocationPolicyType
	// Push reports that the matchConditions have the same meaning in a webhook.
	Push bool
	// ReadsObjects reports that an unidentified caller does not receive complete answers.
	ReadsObjects bool
}

// ScopeOf returns the scope of a policy. It may be wider than the policy, because a webhook
// cannot express everything. serve evaluates the rest.
func ScopeOf(p Policy, target webhooks.Target) Scope {
	m := p.MatchConstraints
	if m == nil {
		m = new(admissionregistrationv1.MatchResources)
	}
	s := Scope{
		Kind:              p.Kind,
		FailurePolicy:     admissionregistrationv1.Fail,
		MatchPolicy:       admissionregistrationv1.Equivalent,
		NamespaceSelector: selector(m.NamespaceSelector, target.OtherNamespaces()),
		ObjectSelector:    selector(m.ObjectSelector),
		Rules:             rulesOf(m.ResourceRules),
		ByItself:          target.ByItself && p.ReadsObjects,
	}
	if p.Kind == v1alpha1.KindValidationPolicy {
		s.Scales = scalesOf(m, p.Hub)
		if p.Hub {
			s.Rules = rulesOf(withoutScales(m.ResourceRules))
		}
	}
	if p.FailurePolicy != nil {
		s.FailurePolicy = *p.FailurePolicy
	}
	if m.MatchPolicy != nil {
		s.MatchPolicy = *m.MatchPolicy
	}
	if p.Hub {
		s.inEveryVersion()
	}
	s.MatchConditions = conditions(p, slices.Concat(s.Rules, s.Scales))
	if len(s.Rules) == 0 {
		s.ObjectSelector = selector(nil) // a Scale has nothing to select by
	}
	if !s.chooses() {
		s.Rules, s.Scales = distinct(slices.Concat(s.Rules, s.Scales)), nil
	}
	// The API server converts to the version of the first rule that matches some version of the
	// resource (k8s.io/apiserver/pkg/admission/plugin/webhook/generic). So the order of rules
	// matters, unless nothing is converted.
	if s.MatchPolicy == admissionregistrationv1.Exact {
		slices.SortFunc(s.Rules, byText)
		slices.SortFunc(s.Scales, byText)
	}
	if p.Reinvocation != "" {
		s.ReinvocationPolicy = p.Reinvocation
	}
	return s
}

// chooses reports whether the object decides if the API server calls.
func (s *Scope) chooses() bool {
	return len(s.ObjectSelector.MatchLabels)+len(s.ObjectSelector.MatchExpressions) > 0 ||
		slices.ContainsFunc(s.MatchConditions, func(c admissionregistrationv1.MatchCondition) bool { return c.Name != neverName })
}

// inEveryVersion selects objects in the version in which they were written. Otherwise the API
// server would convert them to the version of the rule, and fields could not be named as in the
// writer's version. No version is named, so that a new version of a CRD is covered at once.
func (s *Scope) inEveryVersion() {
	s.MatchPolicy = admissionregistrationv1.Exact
	for _, rules := range []*[]admissionregistrationv1.RuleWithOperations{&s.Rules, &s.Scales} {
		for i := range *rules {
			(*rules)[i].APIVersions = []string{"*"}
		}
		*rules = distinct(*rules)
	}
}

// hash identifies a scope.
func (s Scope) hash() string {
	sum := sha256.Sum256([]byte(textOf(s)))
	return hex.EncodeToString(sum[:8])
}

// selector returns a selector with further requirements, its own in a fixed order.
func selector(from *metav1.LabelSelector, more ...metav1.LabelSelectorRequirement) *metav1.LabelSelector {
	s := new(metav1.LabelSelector)
	if from != nil {
		s = from.DeepCopy()
	}
	if len(s.MatchLabels) == 0 {
		s.MatchLabels = nil
	}
	s.MatchExpressions = append(s.MatchExpressions, more...)
	for i := range s.MatchExpressions {
		s.MatchExpressions[i].Values = sorted(s.MatchExpressions[i].Values)
	}
	s.MatchExpressions = distinct(s.MatchExpressions)
	slices.SortFunc(s.MatchExpressions, byText)
	return s
}

// sorted sorts and removes duplicates. It returns nil for an empty list.
func sorted[T cmp.Ordered](values []T) []T {
	return slices.Compact(slices.Sorted(slices.Values(values)))
}

// distinct removes duplicates and keeps the order.
func distinct[T any](values []T) []T {
	seen := map[string]bool{}
	var all []T
	for _, v := range values {
		if text := textOf(v); !seen[text] {
			seen[text] = true
			all = append(all, v)
		}
	}
	return all
}

func byText[T any](a, b T) int { return cmp.Compare(textOf(a), textOf(b)) }

// textOf is for API types with strings and lists, so encoding cannot fail.
func textOf(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}
