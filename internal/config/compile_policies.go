package config

import (
	"fmt"
	"strconv"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// Policies are compiled policies, by what they do. Names are unique within each list.
type Policies struct {
	Validations, Mutations []*policy.Policy
}

// CompilePolicies compiles every policy, in the order of Policies. The error is [Errors], with
// the problems of all policies and their lines.
func (c *Config) CompilePolicies() (*Policies, error) {
	compiled := new(Policies)
	var failed Errors
	for _, p := range c.Policies {
		made, problems := p.compile()
		for _, problem := range problems {
			failed = append(failed, p.Locate(problem))
		}
		if p.Mutates() {
			compiled.Mutations = append(compiled.Mutations, made)
		} else {
			compiled.Validations = append(compiled.Validations, made)
		}
	}
	if len(failed) > 0 {
		return nil, failed
	}
	return compiled, nil
}

func (p *Policy) compile() (*policy.Policy, policy.Problems) {
	switch o := p.Object.(type) {
	case *v1alpha1.ValidationPolicy:
		return policy.Compile(o)
	case *v1alpha1.MutationPolicy:
		return policy.CompileMutation(o)
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		return policy.CompileNative(o, boundBy[*admissionregistrationv1.ValidatingAdmissionPolicyBinding](p)...)
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		return policy.CompileNativeMutation(o, boundBy[*admissionregistrationv1.MutatingAdmissionPolicyBinding](p)...)
	}
	return nil, policy.Problems{{Message: fmt.Sprintf("a %T is not a policy", p.Object)}}
}

func boundBy[T any](p *Policy) []T {
	var all []T
	for _, b := range p.bindings {
		if object, ok := b.object.(T); ok {
			all = append(all, object)
		}
	}
	return all
}

// Locate returns the place of a problem, which may be in a binding.
func (p *Policy) Locate(problem policy.Problem) *Error {
	at, node, who, field := p.Source, p.node, p.String(), problem.Field
	if rest, ok := strings.CutPrefix(field, "binding "); ok {
		named, inside, _ := strings.Cut(rest, ": ")
		for _, b := range p.bindings {
			if b.object.GetName() == named {
				at, node, who, field = b.source, b.node, b.String(), inside
			}
		}
	}
	at.Line = lineOf(node, field)
	return at.fail(fmt.Errorf("%s: .%s: %s", who, field, problem.Message))
}

// item returns the element of a list with a number, or nil.
func item(list *manifest.Node, number string) *manifest.Node {
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(list.Items) {
		return nil
	}
	return list.Items[i]
}
