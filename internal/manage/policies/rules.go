package policies

import (
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// rulesOf returns the rules of a webhook, which has no resourceNames. The API server rejects a
// list in which one entry covers another
// (k8s.io/kubernetes/pkg/apis/admissionregistration/validation), so covered entries are left
// out.
func rulesOf(named []admissionregistrationv1.NamedRuleWithOperations) []admissionregistrationv1.RuleWithOperations {
	var all []admissionregistrationv1.RuleWithOperations
	for _, n := range named {
		scope := admissionregistrationv1.AllScopes
		if n.Scope != nil {
			scope = *n.Scope
		}
		all = append(all, admissionregistrationv1.RuleWithOperations{
			Operations: needed(n.Operations),
			Rule: admissionregistrationv1.Rule{
				APIGroups: needed(n.APIGroups), APIVersions: needed(n.APIVersions), Resources: resources(n.Resources), Scope: &scope,
			},
		})
	}
	return distinct(all)
}

// scale is the subresource.
const scale = "scale"

// scalesOf returns the rules for scaling objects whose update a policy matches. serve evaluates
// the policy with the object instead of the Scale (validation/policy). If the policy names the
// Scale itself, its own rules are enough, except that a policy for the hub sees no Scale.
func scalesOf(m *admissionregistrationv1.MatchResources, hub bool) []admissionregistrationv1.RuleWithOperations {
	var named []admissionregistrationv1.NamedRuleWithOperations
	for _, n := range m.ResourceRules {
		if !updates(n) {
			continue
		}
		n.Operations = []admissionregistrationv1.OperationType{admissionregistrationv1.Update}
		var scaled []string
		for _, pattern := range n.Resources {
			if scales(m, n, pattern, hub) {
				resource, _, _ := strings.Cut(pattern, "/")
				scaled = append(scaled, resource+"/"+scale)
			}
		}
		if n.Resources = scaled; len(scaled) > 0 {
			named = append(named, n)
		}
	}
	return rulesOf(named)
}

// scales reports whether a policy with such constraints is evaluated for objects that are
// scaled, because of one rule and one pattern in it.
func scales(m *admissionregistrationv1.MatchResources, n admissionregistrationv1.NamedRuleWithOperations, pattern string, hub bool) bool {
	resource, sub, _ := strings.Cut(pattern, "/")
	about := resource + "/" + scale
	switch {
	case include(m.ExcludeResourceRules, n, about):
		return false
	case sub == scale || sub == "*":
		return hub
	}
	return sub == "" && !include(m.ExcludeResourceRules, n, resource) && !include(m.ResourceRules, n, about)
}

func updates(n admissionregistrationv1.NamedRuleWithOperations) bool {
	return slices.Contains(n.Operations, admissionregistrationv1.Update) || slices.Contains(n.Operations, admissionregistrationv1.OperationAll)
}

// include reports whether rules match updates of a resource, or a subresource, wherever another
// rule does.
func include(rules []admissionregistrationv1.NamedRuleWithOperations, n admissionregistrationv1.NamedRuleWithOperations, what string) bool {
	return slices.ContainsFunc(rules, func(r admissionregistrationv1.NamedRuleWithOperations) bool {
		return updates(r) && within(n.APIGroups, r.APIGroups) && within(n.APIVersions, r.APIVersions) && len(r.ResourceNames) == 0 &&
			(r.Scope == nil || *r.Scope == admissionregistrationv1.AllScopes) &&
			slices.ContainsFunc(r.Resources, func(pattern string) bool { return covers(pattern, what) })
	})
}

// within reports whether all values are among others.
func within(values, others []string) bool {
	return slices.Contains(others, "*") || !slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(others, v) })
}

// withoutScales returns the rules of a policy for the hub, without the rules for scaling. Its
// kinds are custom resources, whose only subresources are their status and their Scale.
func withoutScales(rules []admissionregistrationv1.NamedRuleWithOperations) []admissionregistrationv1.NamedRuleWithOperations {
	var all []admissionregistrationv1.NamedRuleWithOperations
	for _, n := range rules {
		var others []string
		for _, pattern := range n.Resources {
			switch resource, sub, _ := strings.Cut(pattern, "/"); sub {
			case "*":
				others = append(others, resource, resource+"/status")
			case scale:
			default:
				others = append(others, pattern)
			}
		}
		if n.Resources = others; len(others) > 0 {
			all = append(all, n)
		}
	}
	return all
}

// needed reduces a list with * to that alone.
func needed[T ~string](values []T) []T {
	if slices.Contains(values, "*") {
		return []T{"*"}
	}
	return sorted(values)
}

// resources returns the patterns that no other pattern covers.
func resources(all []string) []string {
	all = sorted(all)
	return slices.DeleteFunc(slices.Clone(all), func(one string) bool {
		return slices.ContainsFunc(all, func(other string) bool { return other != one && covers(other, one) })
	})
}

// covers reports whether a pattern matches everything that another one does.
func covers(wide, narrow string) bool {
	resource, sub, _ := strings.Cut(wide, "/")
	of, its, _ := strings.Cut(narrow, "/")
	return (resource == "*" || resource == of) && (sub == "*" || sub == its)
}

// never lists the groups that must not wait for a policy because of *, unless they are named:
// rights are checked in the middle of other requests, and Crosswalk's own kinds are needed to
// fix a policy.
func never() []string {
	return []string{"authentication.k8s.io", "authorization.k8s.io", v1alpha1.GroupName}
}

const neverName = v1alpha1.GroupName + "/others"

// mostConditions is how many match conditions the API server allows for a webhook
// (k8s.io/kubernetes/pkg/apis/admissionregistration/validation).
const mostConditions = 64

// notNever is the match condition for rules with a * that would match too much.
func notNever(rules []admissionregistrationv1.RuleWithOperations) []admissionregistrationv1.MatchCondition {
	if !slices.ContainsFunc(rules, func(r admissionregistrationv1.RuleWithOperations) bool { return slices.Contains(r.APIGroups, "*") }) {
		return nil
	}
	return []admissionregistrationv1.MatchCondition{{
		Name:       neverName,
		Expression: "!(request.resource.group in ['" + strings.Join(never(), "', '") + "'])",
	}}
}

// conditions returns the match conditions of a webhook: those of the policy, if they have the
// same meaning there, and notNever.
func conditions(p Policy, rules []admissionregistrationv1.RuleWithOperations) []admissionregistrationv1.MatchCondition {
	all := notNever(rules)
	clash := slices.ContainsFunc(p.MatchConditions, func(c admissionregistrationv1.MatchCondition) bool { return c.Name == neverName })
	if p.Push && !p.Hub && !clash && len(all)+len(p.MatchConditions) <= mostConditions {
		all = append(all, p.MatchConditions...)
	}
	return all
}
