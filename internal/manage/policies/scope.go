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

// Scope is which requests the API server asks about, and what it does without an
// answer. What means the same is written in the same way, so that scopes can be
// compared.
type Scope struct {
	Kind              string // of the policy
	FailurePolicy     admissionregistrationv1.FailurePolicyType
	MatchPolicy       admissionregistrationv1.MatchPolicyType
	NamespaceSelector *metav1.LabelSelector
	ObjectSelector    *metav1.LabelSelector
	Rules             []admissionregistrationv1.RuleWithOperations
	// Scales are rules about scaling, where objects are chosen by labels or conditions.
	// They belong to a webhook of their own: the API server shows a Scale, which has
	// nothing of that. Where nothing is chosen they are among Rules.
	Scales             []admissionregistrationv1.RuleWithOperations
	MatchConditions    []admissionregistrationv1.MatchCondition
	ReinvocationPolicy admissionregistrationv1.ReinvocationPolicyType // empty for validation
	// ByItself says that the API server asks by way of itself, and shows by that who it is.
	ByItself bool
}

// Policy is what decides about a scope.
type Policy struct {
	Kind, Name string
	v1alpha1.PolicyScope
	// Reinvocation is empty for a policy that validates.
	Reinvocation admissionregistrationv1.ReinvocationPolicyType
	// Push says that the matchConditions mean the same in a webhook.
	Push bool
	// ReadsObjects says that a caller that is not known is not told everything.
	ReadsObjects bool
}

// ScopeOf is the scope of a policy. It can be wider than the policy, which serve
// judges by in any case: what a webhook cannot say is left to that.
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
		s.ObjectSelector = selector(nil) // of a Scale there is nothing to select
	}
	if !s.chooses() {
		s.Rules, s.Scales = distinct(slices.Concat(s.Rules, s.Scales)), nil
	}
	// The API server converts to the version of the first rule that some version of
	// the resource fits (k8s.io/apiserver/pkg/admission/plugin/webhook/generic), so
	// their order has a meaning, unless nothing is converted.
	if s.MatchPolicy == admissionregistrationv1.Exact {
		slices.SortFunc(s.Rules, byText)
		slices.SortFunc(s.Scales, byText)
	}
	if p.Reinvocation != "" {
		s.ReinvocationPolicy = p.Reinvocation
	}
	return s
}

// chooses reports whether it depends on the object if the API server asks.
func (s *Scope) chooses() bool {
	return len(s.ObjectSelector.MatchLabels)+len(s.ObjectSelector.MatchExpressions) > 0 ||
		slices.ContainsFunc(s.MatchConditions, func(c admissionregistrationv1.MatchCondition) bool { return c.Name != neverName })
}

// inEveryVersion asks about what was written as it was written: the API server would
// otherwise convert it to the version of the rule, and fields could not be told in the
// writer's. No version is named, so that one that a CRD gets is never without the
// policy.
func (s *Scope) inEveryVersion() {
	s.MatchPolicy = admissionregistrationv1.Exact
	for _, rules := range []*[]admissionregistrationv1.RuleWithOperations{&s.Rules, &s.Scales} {
		for i := range *rules {
			(*rules)[i].APIVersions = []string{"*"}
		}
		*rules = distinct(*rules)
	}
}

// hash tells scopes apart.
func (s Scope) hash() string {
	sum := sha256.Sum256([]byte(textOf(s)))
	return hex.EncodeToString(sum[:8])
}

// selector is one with further requirements, its own in a fixed order.
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

// sorted is without what is there twice; nil where there is nothing.
func sorted[T cmp.Ordered](values []T) []T {
	return slices.Compact(slices.Sorted(slices.Values(values)))
}

// distinct is without what is there twice, in the order of what is there.
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

// textOf is of API types with strings and lists, so encoding cannot fail.
func textOf(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}
