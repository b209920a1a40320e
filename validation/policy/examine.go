package policy

import (
	"context"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// Examination is what a policy finds in an object that exists.
type Examination struct {
	// Matches reports whether matchConstraints select the object.
	Matches bool
	// Failed reports that a part of the policy could not be evaluated. Causes then explains
	// why.
	Failed bool
	// Causes are everything that is against the object, whatever validationActions and
	// failurePolicy are.
	Causes []validation.Cause
}

// Examine evaluates the policy for an object that exists, given as the request that would
// create it. An error means that the answer may be another in a moment, because objects that
// the policy reads have not been read yet.
func (p *Policy) Examine(ctx context.Context, cluster Cluster, request *admissionv1.AdmissionRequest) (Examination, error) {
	var found Examination
	strict := p.enforced()
	verdict, err := validations(cluster, func(_ *Policy, o Opinion) {
		found.Matches, found.Failed = true, o.Failed
	}, []*Policy{strict}).Review(ctx, request)
	if err == nil {
		found.Causes = verdict.Causes
	}
	return found, err
}

// enforced returns the policy as if it denied everything that is against it.
func (p *Policy) enforced() *Policy {
	strict := *p
	strict.ignore = false
	strict.bindings = make([]*binding, len(p.bindings))
	for i, b := range p.bindings {
		with := *b
		with.actions = []admissionregistrationv1.ValidationAction{admissionregistrationv1.Deny}
		strict.bindings[i] = &with
	}
	return &strict
}

// Actions returns what happens if a rule does not hold: the actions of all bindings, sorted.
func (p *Policy) Actions() []admissionregistrationv1.ValidationAction {
	var all []admissionregistrationv1.ValidationAction
	for _, b := range p.bindings {
		all = append(all, b.actions...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// ReadsWriter reports whether the result depends on who writes the object: on request.userInfo,
// request.options or authorizer.
func (p *Policy) ReadsWriter() bool { return p.writer }
