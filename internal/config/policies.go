package config

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// Policy is a policy, of crosswalk.dev or of Kubernetes itself, and the place from which it was
// read.
type Policy struct {
	// Kind is the kind of Object.
	Kind string
	// Object is a *v1alpha1.ValidationPolicy, a *v1alpha1.MutationPolicy, or of
	// admissionregistration.k8s.io/v1 a *ValidatingAdmissionPolicy or a
	// *MutatingAdmissionPolicy.
	Object metav1.Object
	Source Source

	node     *manifest.Node
	bindings []*binding
}

// binding is the binding of a policy of Kubernetes.
type binding struct {
	kind   string
	object metav1.Object
	source Source
	node   *manifest.Node
}

// Name returns the name of the policy.
func (p *Policy) Name() string { return p.Object.GetName() }

// String returns the kind and the name.
func (p *Policy) String() string { return p.Kind + " " + p.Name() }

// Mutates reports whether the policy mutates objects instead of validating them.
func (p *Policy) Mutates() bool {
	return p.Kind == v1alpha1.KindMutationPolicy || p.Kind == "MutatingAdmissionPolicy"
}

// Native reports whether the policy is one of Kubernetes itself.
func (p *Policy) Native() bool {
	return p.Kind == "ValidatingAdmissionPolicy" || p.Kind == "MutatingAdmissionPolicy"
}

// Unbound reports whether the policy is never evaluated, because it has no binding.
func (p *Policy) Unbound() bool { return p.Native() && len(p.bindings) == 0 }

// Constraints selects the requests that the policy matches. It is nil if the policy has none.
func (p *Policy) Constraints() *admissionregistrationv1.MatchResources {
	switch o := p.Object.(type) {
	case *v1alpha1.ValidationPolicy:
		return o.Spec.MatchConstraints
	case *v1alpha1.MutationPolicy:
		return o.Spec.MatchConstraints
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		return o.Spec.MatchConstraints
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		return o.Spec.MatchConstraints
	}
	return nil
}

// Hub reports whether the policy is written against the hub version.
func (p *Policy) Hub() bool {
	switch o := p.Object.(type) {
	case *v1alpha1.ValidationPolicy:
		return o.Spec.Hub
	case *v1alpha1.MutationPolicy:
		return o.Spec.Hub
	}
	return false
}

// resources returns the CRDs that the rules may match: for each resource that a rule names, its
// names in all groups of the rule. It leaves out *.
func (p *Policy) resources() [][]string {
	m := p.Constraints()
	if m == nil {
		return nil
	}
	var all [][]string
	for _, rule := range m.ResourceRules {
		for _, resource := range rule.Resources {
			resource, _, _ = strings.Cut(resource, "/")
			if resource == "*" || slices.Contains(rule.APIGroups, "*") {
				continue
			}
			var names []string
			for _, group := range rule.APIGroups {
				names = append(names, resource+"."+group)
			}
			all = append(all, names)
		}
	}
	return all
}

// readPolicy reads a policy whose Go type is T.
func readPolicy[T any](l *loader, node *manifest.Node, source Source) {
	object := readObject[T](l, node, source)
	if object == nil {
		return
	}
	p := &Policy{Kind: node.GetString("kind"), Object: object, Source: source, node: node}
	// A policy's name is part of the path of its webhook.
	if wrong := validation.IsDNS1123Subdomain(p.Name()); len(wrong) > 0 {
		source.Line = lineOf(node, "metadata.name")
		l.fail(source, fmt.Errorf("%s %q: .metadata.name: %s", p.Kind, p.Name(), strings.Join(wrong, "; ")))
		return
	}
	for _, other := range l.policies {
		if other.Name() != p.Name() || other.Mutates() != p.Mutates() {
			continue
		}
		if other.Kind == p.Kind {
			l.fail(source, twice(p.String(), other.Source))
			return
		}
		l.fail(source, fmt.Errorf("%v has the same name as %v in %s, line %d; names must be unique among policies of one phase: rename one of them",
			p, other, other.Source.File, other.Source.Line))
		return
	}
	l.policies = append(l.policies, p)
}

// readObject reads a document strictly, and returns nil if it cannot.
func readObject[T any](l *loader, node *manifest.Node, source Source) metav1.Object {
	what := node.GetString("kind") + " " + name(node)
	if problems := checkDocument(node, reflect.TypeFor[T](), ""); len(problems) > 0 {
		l.failAll(source, what, problems)
		return nil
	}
	object := any(new(T)).(metav1.Object)
	if err := json.Unmarshal(node.AppendJSON(nil), object); err != nil {
		l.fail(source, fmt.Errorf("%s: %w", what, err))
		return nil
	}
	return object
}
