// Package rights lists rights in a cluster, and asks the API server which of them are missing.
package rights

import (
	"cmp"
	"context"
	"slices"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	authorizationv1client "k8s.io/client-go/kubernetes/typed/authorization/v1"
)

// Right is the right to do one thing with a resource, or with the object of that name.
type Right authorizationv1.ResourceAttributes

// Parse parses rights. Each line is "VERBS RESOURCE" or "VERBS RESOURCE NAME", where VERBS are
// separated by commas, and RESOURCE is RESOURCE[/SUBRESOURCE][.GROUP]: "get,update
// leases.coordination.k8s.io crosswalk-manage". The namespace is empty for all namespaces and
// for resources without one.
func Parse(namespace string, lines ...string) []Right {
	var all []Right
	for _, line := range lines {
		verbs, rest, _ := strings.Cut(line, " ")
		what, name, _ := strings.Cut(rest, " ")
		resource, group, _ := strings.Cut(what, ".")
		resource, subresource, _ := strings.Cut(resource, "/")
		for verb := range strings.SplitSeq(verbs, ",") {
			all = append(all, Right{Namespace: namespace, Verb: verb, Group: group, Resource: resource, Subresource: subresource, Name: name})
		}
	}
	return all
}

// resource returns the resource in the form of RBAC, with its subresource.
func (r Right) resource() string {
	if r.Subresource == "" {
		return r.Resource
	}
	return r.Resource + "/" + r.Subresource
}

// String returns the right in words: "update leases.coordination.k8s.io crosswalk-manage in
// crosswalk-system".
func (r Right) String() string {
	text := r.Verb + " " + r.resource()
	if r.Group != "" {
		text += "." + r.Group
	}
	if r.Name != "" {
		text += " " + r.Name
	}
	if r.Namespace != "" {
		text += " in " + r.Namespace
	}
	return text
}

// Texts returns rights in words. Verbs for the same thing are in one text, separated by commas.
func Texts(all []Right) []string {
	var merged []Right
	for _, right := range all {
		i := slices.IndexFunc(merged, func(m Right) bool {
			m.Verb = right.Verb
			return m == right
		})
		if i < 0 {
			merged = append(merged, right)
		} else {
			merged[i].Verb += "," + right.Verb
		}
	}
	var texts []string
	for _, right := range merged {
		texts = append(texts, right.String())
	}
	return texts
}

// nowhere is no namespace, because of its dot. No Role can grant anything in it, so what is
// granted in it is granted in all namespaces.
const nowhere = "crosswalk.dev"

// Missing returns the rights that this process does not have. One request for each namespace
// lists what RBAC grants. The API server is asked about each of the others, because other
// authorizers need not list what they grant.
func Missing(ctx context.Context, client authorizationv1client.AuthorizationV1Interface, needed []Right) ([]Right, error) {
	var missing []Right
	listed := map[string][]authorizationv1.ResourceRule{}
	for _, right := range needed {
		rules, known := listed[right.Namespace]
		if !known {
			review := &authorizationv1.SelfSubjectRulesReview{Spec: authorizationv1.SelfSubjectRulesReviewSpec{Namespace: cmp.Or(right.Namespace, nowhere)}}
			answer, err := client.SelfSubjectRulesReviews().Create(ctx, review, metav1.CreateOptions{})
			if err != nil {
				return nil, err
			}
			rules = answer.Status.ResourceRules
			listed[right.Namespace] = rules
		}
		if slices.ContainsFunc(rules, right.isIn) {
			continue
		}
		may, err := May(ctx, client, right)
		if err != nil {
			return nil, err
		}
		if !may {
			missing = append(missing, right)
		}
	}
	return missing, nil
}

// isIn reports whether a rule of RBAC grants the right.
func (r Right) isIn(rule authorizationv1.ResourceRule) bool {
	has := func(all []string, one string) bool { return slices.Contains(all, one) || slices.Contains(all, "*") }
	return has(rule.Verbs, r.Verb) && has(rule.APIGroups, r.Group) &&
		(has(rule.Resources, r.resource()) || r.Subresource != "" && slices.Contains(rule.Resources, "*/"+r.Subresource)) &&
		(len(rule.ResourceNames) == 0 || r.Name != "" && slices.Contains(rule.ResourceNames, r.Name))
}

// May asks the API server whether this process has a right.
func May(ctx context.Context, client authorizationv1client.SelfSubjectAccessReviewsGetter, right Right) (bool, error) {
	attributes := authorizationv1.ResourceAttributes(right)
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &attributes}}
	answer, err := client.SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return false, err
	}
	return answer.Status.Allowed, nil
}
