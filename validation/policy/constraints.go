package policy

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/crosswalk-dev/crosswalk/validation/policy/internal/lazy"
)

// constraints selects the requests that a policy or a binding matches. It has the same meaning
// as in apiserver (admission/plugin/policy/matching).
type constraints struct {
	rules, excluded []admissionregistrationv1.NamedRuleWithOperations
	// namespaces and objects are nil if they select everything.
	namespaces, objects labels.Selector
	// broken is what is wrong with the selectors.
	broken error
	// none reports that there are no constraints at all: everything matches.
	none bool
}

func compileConstraints(m *admissionregistrationv1.MatchResources, field string, problems *Problems) constraints {
	if m == nil {
		return constraints{none: true}
	}
	c := constraints{rules: m.ResourceRules, excluded: m.ExcludeResourceRules}
	c.namespaces = c.compileSelector(m.NamespaceSelector, field+".namespaceSelector", problems)
	c.objects = c.compileSelector(m.ObjectSelector, field+".objectSelector", problems)
	return c
}

// compileSelector returns nil for a selector that selects everything.
func (c *constraints) compileSelector(s *metav1.LabelSelector, field string, problems *Problems) labels.Selector {
	if s == nil {
		return nil
	}
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		problems.add(field, "%v", err)
		c.broken = fmt.Errorf("%s: %w", field, err)
		return nil
	}
	if selector.Empty() {
		return nil
	}
	return selector
}

// match reports whether a request matches. It reads a namespace only if a selector needs its
// labels.
func (c *constraints) match(ctx context.Context, s *subject) (bool, error) {
	if c.none || !c.matchRules(s.request) {
		return c.none, nil
	}
	return c.choose(ctx, s)
}

// choose reports whether the selectors select the objects of a request, or its namespace.
func (c *constraints) choose(ctx context.Context, s *subject) (bool, error) {
	if c.objects != nil && !chooses(c.objects, s.object, s) && !chooses(c.objects, s.old, s) {
		return false, s.unreadable()
	}
	return c.chooseNamespace(ctx, s)
}

func (c *constraints) chooseNamespace(ctx context.Context, s *subject) (bool, error) {
	r := s.request
	if c.namespaces == nil {
		return true, c.broken
	}
	isNamespace := r.Resource.Resource == "namespaces"
	if r.Namespace == "" && !isNamespace {
		return true, c.broken
	}
	// The cluster does not have the labels of a Namespace that is being written.
	if isNamespace && r.SubResource == "" && (r.Operation == admissionv1.Create || r.Operation == admissionv1.Update) {
		return c.chosen(labelsOf(s.object.Root()))
	}
	namespace, err := s.getNamespace(ctx, r.Namespace)
	if err != nil {
		return false, err
	}
	return c.chosen(namespace.Labels)
}

func (c *constraints) chosen(namespace labels.Set) (bool, error) {
	if !c.namespaces.Matches(namespace) {
		return false, nil
	}
	return true, c.broken
}

// everyVersion makes rules match every version, whichever they name: a policy for the hub
// version applies to all versions.
func (c *constraints) everyVersion() {
	for _, rules := range []*[]admissionregistrationv1.NamedRuleWithOperations{&c.rules, &c.excluded} {
		*rules = slices.Clone(*rules)
		for i := range *rules {
			(*rules)[i].APIVersions = []string{"*"}
		}
	}
}

// matchRules reports whether the rules match a request.
func (c *constraints) matchRules(r *admissionv1.AdmissionRequest) bool {
	return c.none || (len(c.rules) == 0 || anyRule(c.rules, r)) && !anyRule(c.excluded, r)
}

// otherVersions returns the versions in which rules match the resource of a request, in the
// order of the rules, if they do not match it in its own version.
func otherVersions(rules []admissionregistrationv1.NamedRuleWithOperations, r *admissionv1.AdmissionRequest) []string {
	if anyRule(rules, r) {
		return nil
	}
	var versions []string
	request := *r
	for i := range rules {
		for _, version := range rules[i].APIVersions {
			request.Resource.Version = version
			if anyRule(rules[i:i+1], &request) {
				versions = append(versions, version)
			}
		}
	}
	return versions
}

// mayConcern reports whether the rules match the resource of a request in some version and for
// some operation.
func (c *constraints) mayConcern(r *admissionv1.AdmissionRequest) bool {
	return slices.ContainsFunc(c.rules, func(rule admissionregistrationv1.NamedRuleWithOperations) bool {
		return matchResource(&rule.RuleWithOperations, r)
	})
}

func anyRule(rules []admissionregistrationv1.NamedRuleWithOperations, r *admissionv1.AdmissionRequest) bool {
	for i := range rules {
		rule := &rules[i]
		if matchRule(&rule.RuleWithOperations, r) && (len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, r.Name)) {
			return true
		}
	}
	return false
}

func matchRule(rule *admissionregistrationv1.RuleWithOperations, r *admissionv1.AdmissionRequest) bool {
	return matchScope(rule.Scope, r) &&
		(slices.Contains(rule.Operations, admissionregistrationv1.OperationAll) ||
			slices.Contains(rule.Operations, admissionregistrationv1.OperationType(r.Operation))) &&
		matchName(rule.APIVersions, r.Resource.Version) && matchResource(rule, r)
}

// matchResource reports whether a rule matches the resource of a request in some version.
func matchResource(rule *admissionregistrationv1.RuleWithOperations, r *admissionv1.AdmissionRequest) bool {
	return matchName(rule.APIGroups, r.Resource.Group) && slices.ContainsFunc(rule.Resources, func(pattern string) bool {
		resource, sub, _ := strings.Cut(pattern, "/")
		return (resource == "*" || resource == r.Resource.Resource) && (sub == "*" || sub == r.SubResource)
	})
}

func matchName(patterns []string, name string) bool {
	return slices.Contains(patterns, "*") || slices.Contains(patterns, name)
}

// matchScope treats a Namespace as a cluster-scoped object, though the API server sends its own
// name as its namespace.
func matchScope(scope *admissionregistrationv1.ScopeType, r *admissionv1.AdmissionRequest) bool {
	if scope == nil || *scope == admissionregistrationv1.AllScopes {
		return true
	}
	inNamespace := r.Namespace != "" && r.Resource != metav1.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	return inNamespace == (*scope == admissionregistrationv1.NamespacedScope)
}

// chooses reports whether a selector selects an object. It does not select null, or an object
// without metadata, such as the options of CONNECT.
func chooses(selector labels.Selector, document *lazy.Document, s *subject) bool {
	root, ok := document.Root().(traits.Mapper)
	if !ok || s.request.Operation == admissionv1.Connect && root.Contains(types.String("metadata")) != types.True {
		return false
	}
	return selector.Matches(labelsOf(root))
}

// labelsOf returns an object's labels. If some are not strings, it returns none, as the API
// server does.
func labelsOf(root ref.Val) labels.Set {
	value, found := fieldPath{"metadata", "labels"}.in(root)
	mapper, ok := value.(traits.Mapper)
	if !found || !ok {
		return nil
	}
	set := labels.Set{}
	for it := mapper.Iterator(); it.HasNext() == types.True; {
		key, _ := it.Next().(types.String)
		label, ok := mapper.Get(key).(types.String)
		if !ok {
			return nil
		}
		set[string(key)] = string(label)
	}
	return set
}
