package policies

import (
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// rulesOf are those of a webhook, which knows no resourceNames. The API server takes no
// list in which one entry makes another one needless
// (k8s.io/kubernetes/pkg/apis/admissionregistration/validation), so those are left
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

// needed is a list in which * stands alone.
func needed[T ~string](values []T) []T {
	if slices.Contains(values, "*") {
		return []T{"*"}
	}
	return sorted(values)
}

// resources are those that no pattern beside them covers.
func resources(all []string) []string {
	all = sorted(all)
	return slices.DeleteFunc(slices.Clone(all), func(one string) bool {
		return slices.ContainsFunc(all, func(other string) bool { return other != one && covers(other, one) })
	})
}

// covers says whether a pattern stands for all that another one stands for.
func covers(wide, narrow string) bool {
	resource, sub, _ := strings.Cut(wide, "/")
	of, its, _ := strings.Cut(narrow, "/")
	return (resource == "*" || resource == of) && (sub == "*" || sub == its)
}

// never are the groups that must not wait for a policy by way of *, without being
// named: who may do what is asked in the middle of other requests, and Crosswalk's own
// kinds are how a policy is mended.
func never() []string {
	return []string{"authentication.k8s.io", "authorization.k8s.io", v1alpha1.GroupName}
}

const neverName = v1alpha1.GroupName + "/others"

// mostConditions is how many the API server takes of a webhook
// (k8s.io/kubernetes/pkg/apis/admissionregistration/validation).
const mostConditions = 64

// conditions are those of a webhook: the policy's, where they mean the same there, and
// one more where * would stand for too much.
func conditions(p Policy, rules []admissionregistrationv1.RuleWithOperations) []admissionregistrationv1.MatchCondition {
	var all []admissionregistrationv1.MatchCondition
	if slices.ContainsFunc(rules, func(r admissionregistrationv1.RuleWithOperations) bool { return slices.Contains(r.APIGroups, "*") }) {
		all = append(all, admissionregistrationv1.MatchCondition{
			Name:       neverName,
			Expression: "!(request.resource.group in ['" + strings.Join(never(), "', '") + "'])",
		})
	}
	clash := slices.ContainsFunc(p.MatchConditions, func(c admissionregistrationv1.MatchCondition) bool { return c.Name == neverName })
	if p.Push && !p.Hub && !clash && len(all)+len(p.MatchConditions) <= mostConditions {
		all = append(all, p.MatchConditions...)
	}
	return all
}
