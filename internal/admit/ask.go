package admit

import (
	"context"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/internal/config"
	"github.com/crosswalk-dev/crosswalk/validation"
)

// asker asks the policies of one phase about a request, each in the version in which the API
// server would ask it.
type asker struct {
	// sent is the kind of the request's body, and kind the kind of the resource.
	sent, kind *kind
	set        validation.Collection
	// found holds the policies as they were read.
	found []*config.Policy
}

// ask asks policies in their order. They are either all Kubernetes' own or all of
// crosswalk.dev.
func (a *asker) ask(ctx context.Context, request *admissionv1.AdmissionRequest, native bool) (*validation.Verdict, error) {
	var all []validation.Reviewer
	var names []string
	var last schema.GroupVersion
	for _, p := range a.found {
		if p.Native() != native || p.Unbound() {
			continue
		}
		version, about := a.version(p, request)
		if !about {
			continue
		}
		if version != last && len(names) > 0 {
			all, names = append(all, a.in(last, names)), nil
		}
		last, names = version, append(names, p.Name())
	}
	if len(names) > 0 {
		all = append(all, a.in(last, names))
	}
	if len(a.found) > 0 && a.found[0].Mutates() {
		return validation.InTurn(all...).Review(ctx, request)
	}
	return validation.Each(all...).Review(ctx, request)
}

// version returns the version in which a policy is asked: that of the request or, with the
// matchPolicy Equivalent, the first that its rules name
// (k8s.io/apiserver/pkg/admission/plugin/policy/matching).
func (a *asker) version(p *config.Policy, request *admissionv1.AdmissionRequest) (version schema.GroupVersion, about bool) {
	all, m := a.kind.versions(), p.Constraints()
	if m == nil || len(all) == 1 || p.Hub() || m.MatchPolicy != nil && *m.MatchPolicy == admissionregistrationv1.Exact {
		return all[0], true
	}
	if request.SubResource == "scale" && !p.Native() {
		// A policy that matches an object is also asked, and sees the object, when the object
		// is scaled.
		update := *request
		update.SubResource = ""
		if !anyRule(m.ResourceRules, request, all[0]) {
			request = &update
		}
	}
	for _, v := range all {
		if anyRule(m.ExcludeResourceRules, request, v) {
			return version, false
		}
	}
	for _, v := range all {
		if len(m.ResourceRules) == 0 || anyRule(m.ResourceRules, request, v) {
			return v, true
		}
	}
	return version, false
}

// anyRule reports whether a rule matches the resource of a request in a version. The policy
// itself checks the rest of the rule.
func anyRule(rules []admissionregistrationv1.NamedRuleWithOperations, r *admissionv1.AdmissionRequest, version schema.GroupVersion) bool {
	names := func(patterns []string, name string) bool {
		return slices.Contains(patterns, "*") || slices.Contains(patterns, name)
	}
	return slices.ContainsFunc(rules, func(rule admissionregistrationv1.NamedRuleWithOperations) bool {
		return names(rule.APIGroups, version.Group) && names(rule.APIVersions, version.Version) &&
			(slices.Contains(rule.Operations, admissionregistrationv1.OperationAll) || slices.Contains(rule.Operations, admissionregistrationv1.OperationType(r.Operation))) &&
			(len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, r.Name)) &&
			slices.ContainsFunc(rule.Resources, func(pattern string) bool {
				resource, sub, _ := strings.Cut(pattern, "/")
				return (resource == "*" || resource == r.Resource.Resource) && (sub == "*" || sub == r.SubResource)
			})
	})
}

// in asks policies in a version.
func (a *asker) in(version schema.GroupVersion, names []string) validation.Reviewer {
	reviewer := a.set.Only(names)
	return validation.ReviewerFunc(func(ctx context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		own := a.kind.GroupVersion()
		if version == own {
			return reviewer.Review(ctx, request)
		}
		other := *request
		other.Resource.Group, other.Resource.Version = version.Group, version.Version
		if a.sent != a.kind {
			return reviewer.Review(ctx, &other)
		}
		other.Kind.Group, other.Kind.Version = version.Group, version.Version
		for _, raw := range []*[]byte{&other.Object.Raw, &other.OldObject.Raw} {
			converted, err := a.kind.convertText(*raw, version)
			if err != nil {
				return nil, err
			}
			*raw = converted
		}
		verdict, err := reviewer.Review(ctx, &other)
		if err == nil && verdict.Object != nil {
			verdict.Object, err = a.kind.convertText(verdict.Object, own)
		}
		return verdict, err
	})
}
