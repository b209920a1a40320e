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

// Policy is a policy, of crosswalk.dev or of Kubernetes itself, and where it was
// read.
type Policy struct {
	// Kind is that of Object.
	Kind string
	// Object is a *v1alpha1.ValidationPolicy, a *v1alpha1.MutationPolicy, or of
	// admissionregistration.k8s.io/v1 a *ValidatingAdmissionPolicy or a
	// *MutatingAdmissionPolicy.
	Object metav1.Object
	Source Source

	node     *manifest.Node
	bindings []*binding
}

// binding is that of a policy of Kubernetes.
type binding struct {
	kind   string
	object metav1.Object
	source Source
	node   *manifest.Node
}

// Name is the name of the policy.
func (p *Policy) Name() string { return p.Object.GetName() }

// String is the kind and the name.
func (p *Policy) String() string { return p.Kind + " " + p.Name() }

// Mutates says that the policy changes objects, and does not judge them.
func (p *Policy) Mutates() bool {
	return p.Kind == v1alpha1.KindMutationPolicy || p.Kind == "MutatingAdmissionPolicy"
}

// Native says that the policy is one of Kubernetes itself.
func (p *Policy) Native() bool {
	return p.Kind == "ValidatingAdmissionPolicy" || p.Kind == "MutatingAdmissionPolicy"
}

// Unbound says that the policy is never evaluated, for want of a binding.
func (p *Policy) Unbound() bool { return p.Native() && len(p.bindings) == 0 }

// Constraints say which requests the policy is about; nil where it does not say.
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

// Hub says that the policy is written for the hub version.
func (p *Policy) Hub() bool {
	switch o := p.Object.(type) {
	case *v1alpha1.ValidationPolicy:
		return o.Spec.Hub
	case *v1alpha1.MutationPolicy:
		return o.Spec.Hub
	}
	return false
}

// resources are the CRDs that the rules may be about: for each resource that they
// name, its names in all the groups of its rule. What a * stands for is left out.
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
		l.fail(source, fmt.Errorf("%v has the name of %v in %s, line %d, and policies of one phase are told apart by their names: rename one of them",
			p, other, other.Source.File, other.Source.Line))
		return
	}
	l.policies = append(l.policies, p)
}

// readObject reads a document strictly, and gives nil where it cannot.
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
