package config

import (
	"fmt"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/crosswalk-dev/crosswalk/internal/edits"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// readBinding reads a binding whose Go type is T.
func readBinding[T any](l *loader, node *manifest.Node, source Source) {
	object := readObject[T](l, node, source)
	if object == nil {
		return
	}
	b := &binding{kind: node.GetString("kind"), object: object, source: source, node: node}
	for _, other := range l.bindings {
		if other.kind == b.kind && other.object.GetName() == object.GetName() {
			l.fail(source, twice(b.String(), other.source))
			return
		}
	}
	l.bindings = append(l.bindings, b)
}

// String returns the kind and the name.
func (b *binding) String() string { return b.kind + " " + b.object.GetName() }

// policyName returns the name of the policy that is bound.
func (b *binding) policyName() string {
	switch o := b.object.(type) {
	case *admissionregistrationv1.ValidatingAdmissionPolicyBinding:
		return o.Spec.PolicyName
	case *admissionregistrationv1.MutatingAdmissionPolicyBinding:
		return o.Spec.PolicyName
	}
	return ""
}

// bind gives the policies their bindings. A binding without its policy is an error, because the
// policy would silently be missing.
func (l *loader) bind() {
	for _, b := range l.bindings {
		kind := strings.TrimSuffix(b.kind, "Binding")
		var names []string
		bound := false
		for _, p := range l.policies {
			if p.Kind != kind {
				continue
			}
			names = append(names, p.Name())
			if p.Name() == b.policyName() {
				p.bindings, bound = append(p.bindings, b), true
			}
		}
		if bound {
			continue
		}
		at := b.source
		at.Line = lineOf(b.node, "spec.policyName")
		problem := fmt.Errorf("%v: .spec.policyName: there is no %s %q; add its file to --config", b, kind, b.policyName())
		if near := edits.Nearest(b.policyName(), names); near != "" {
			problem = fmt.Errorf("%v: .spec.policyName: there is no %s %q; did you mean %s?", b, kind, b.policyName(), near)
		}
		if b.policyName() == "" {
			problem = fmt.Errorf("%v: .spec.policyName is missing: name the %s that it binds", b, kind)
		}
		l.errors = append(l.errors, at.fail(problem))
	}
}

// lineOf returns the line of a field, such as spec.validations[0].expression, or of the
// innermost node around it that exists.
func lineOf(node *manifest.Node, field string) int {
	line := node.Line
	for _, step := range strings.FieldsFunc(field, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		next := node.Get(step)
		if node.Kind == manifest.List {
			next = item(node, step)
		}
		if next == nil {
			break
		}
		node, line = next, next.Line
	}
	return line
}
