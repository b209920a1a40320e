package policy

import (
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
)

// Policies of Kubernetes say what has become of them in the words of the API server, so
// that what is read offline is what is read in a cluster. Those of crosswalk.dev say it
// in ours, with the place in the policy and, where there is one, the remedy.

// worded is an error in both wordings.
type worded struct {
	ours, theirs string
	cause        error
}

func (e *worded) Error() string { return e.ours }

func (e *worded) Unwrap() error { return e.cause }

// inTheirs is an error in the API server's words, as far as it has any for it.
func inTheirs(err error) string {
	if known := (*worded)(nil); errors.As(err, &known) {
		return strings.Replace(err.Error(), known.ours, known.theirs, 1)
	}
	return err.Error()
}

// ofVariable says that a variable cannot be evaluated.
func ofVariable(name string, err error) error {
	return &worded{
		ours:   fmt.Sprintf("the variable %s: %v", name, err),
		theirs: fmt.Sprintf("composited variable %q fails to evaluate: %s", name, inTheirs(err)),
		cause:  err,
	}
}

// ofParams says that params cannot be had.
func ofParams(err error) error {
	return &worded{ours: fmt.Sprintf("params: %v", err), theirs: inTheirs(err), cause: err}
}

// spent says that a policy has cost too much.
func spent() error {
	const ours = "the cost budget of the policy is spent"
	return &finalError{&worded{ours: ours + endsAll, theirs: "validation failed due to running out of cost budget, no further validation rules will be run"}}
}

// untold says that the cost of an expression is not known.
func (x *expression) untold() error {
	return &finalError{&worded{
		ours:   "the cost of the expression cannot be told" + endsAll,
		theirs: fmt.Sprintf("runtime cost could not be calculated for expression: %s, no further expression will be run", x.text),
	}}
}

const endsAll = ", and no further expression of the policy is evaluated"

// explainFailure says which expression could not be evaluated, and why.
func (p *Policy) explainFailure(x *expression, e *evaluation, err error) error {
	if !p.native {
		return x.explain(e, err)
	}
	return &worded{ours: err.Error(), theirs: x.explainInTheirs(err), cause: err}
}

// explainInTheirs does so as the API server does
// (k8s.io/apiserver/pkg/admission/plugin/cel/activation.go).
func (x *expression) explainInTheirs(err error) string {
	patched := (*patchError)(nil)
	switch {
	case x.broken != nil:
		return fmt.Sprintf("compilation error: %v", err)
	case final(err) || errors.As(err, &patched):
		return inTheirs(err)
	}
	return fmt.Sprintf("expression '%s' resulted in error: %s", x.text, inTheirs(err))
}

// joined is what several conditions fail with.
func (p *Policy) joined(failed []error) error {
	if !p.native {
		return errors.Join(failed...)
	}
	var theirs []error
	for _, err := range failed {
		theirs = append(theirs, errors.New(inTheirs(err)))
	}
	return &worded{ours: errors.Join(failed...).Error(), theirs: utilerrors.NewAggregate(theirs).Error(), cause: errors.Join(failed...)}
}

// said is a failure of an expression as it is told.
func (p *Policy) said(err error) string {
	if p.native {
		return inTheirs(err)
	}
	return err.Error()
}

// saidOfBinding is what is told where a policy, or one of its bindings, cannot be
// evaluated at all.
func (p *Policy) saidOfBinding(b *binding, err error) string {
	if !p.native {
		return fmt.Sprintf("%s cannot be evaluated: %v", p.Reference(), err)
	}
	if b == nil {
		return p.denied(nil, "failed to configure policy: "+inTheirs(err))
	}
	return p.denied(b, "failed to configure binding: "+inTheirs(err))
}

// reasonOfBinding goes with that: where a mutation cannot be evaluated at all, the API
// server has not thought of another.
func (p *Policy) reasonOfBinding() metav1.StatusReason {
	if p.native && p.mutates {
		return metav1.StatusReasonForbidden
	}
	return metav1.StatusReasonInvalid
}

// denied is how the API server names one of its policies, with a binding or without
// (k8s.io/apiserver/pkg/admission/plugin/policy, validating/dispatcher.go and
// generic/policy_dispatcher.go).
func (p *Policy) denied(b *binding, why string) string {
	switch {
	case p.mutates && b == nil:
		return fmt.Sprintf("policy %q denied request: %s", p.name, why)
	case p.mutates:
		return fmt.Sprintf("policy '%s' with binding '%s' denied request: %s", p.name, b.name, why)
	case b == nil:
		return fmt.Sprintf("%s '%s' denied request: %s", p.kind, p.name, why)
	}
	return fmt.Sprintf("%s '%s' with binding '%s' denied request: %s", p.kind, p.name, b.name, why)
}
