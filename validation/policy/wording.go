package policy

import (
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
)

// Policies of Kubernetes report in the words of the API server, so that users see the same
// offline and in a cluster. Policies of crosswalk.dev use our words, with the place in the
// policy and the remedy, if there is one.

// worded is an error in both wordings.
type worded struct {
	ours, theirs string
	cause        error
}

func (e *worded) Error() string { return e.ours }

func (e *worded) Unwrap() error { return e.cause }

// inTheirs returns an error in the API server's words, if it has any.
func inTheirs(err error) string {
	if known := (*worded)(nil); errors.As(err, &known) {
		return strings.Replace(err.Error(), known.ours, known.theirs, 1)
	}
	return err.Error()
}

// ofVariable returns the error of a variable that cannot be evaluated.
func ofVariable(name string, err error) error {
	return &worded{
		ours:   fmt.Sprintf("the variable %s: %v", name, err),
		theirs: fmt.Sprintf("composited variable %q fails to evaluate: %s", name, inTheirs(err)),
		cause:  err,
	}
}

// ofParams returns the error of params that cannot be read.
func ofParams(err error) error {
	return &worded{ours: fmt.Sprintf("params: %v", err), theirs: inTheirs(err), cause: err}
}

// spent returns the error of a policy that costs too much.
func spent() error {
	const ours = "the policy has used up its cost budget"
	return &finalError{&worded{ours: ours + endsAll, theirs: "validation failed due to running out of cost budget, no further validation rules will be run"}}
}

// untold returns the error of an expression whose cost is not known.
func (x *expression) untold() error {
	return &finalError{&worded{
		ours:   "the cost of the expression is unknown" + endsAll,
		theirs: fmt.Sprintf("runtime cost could not be calculated for expression: %s, no further expression will be run", x.text),
	}}
}

const endsAll = ", and no further expression of the policy is evaluated"

// explainFailure names the expression that could not be evaluated, and the reason.
func (p *Policy) explainFailure(x *expression, e *evaluation, err error) error {
	if !p.native {
		return x.explain(e, err)
	}
	return &worded{ours: err.Error(), theirs: x.explainInTheirs(err), cause: err}
}

// explainInTheirs does that in the words of the API server
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

// joined combines the errors of several conditions.
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

// messageOf returns the message for a failed expression.
func (p *Policy) messageOf(err error) string {
	if p.native {
		return inTheirs(err)
	}
	return err.Error()
}

// messageOfBinding returns the message for a policy, or one of its bindings, that cannot be
// evaluated at all.
func (p *Policy) messageOfBinding(b *binding, err error) string {
	if !p.native {
		return fmt.Sprintf("%s cannot be evaluated: %v", p.Reference(), err)
	}
	if b == nil {
		return p.denied(nil, "failed to configure policy: "+inTheirs(err))
	}
	return p.denied(b, "failed to configure binding: "+inTheirs(err))
}

// reasonOfBinding returns the reason for that message. For a mutation that cannot be evaluated
// at all, the API server has this one only.
func (p *Policy) reasonOfBinding() metav1.StatusReason {
	if p.native && p.mutates {
		return metav1.StatusReasonForbidden
	}
	return metav1.StatusReasonInvalid
}

// denied returns the API server's name for one of its policies, with or without a binding, in a
// denial (k8s.io/apiserver/pkg/admission/plugin/policy, validating/dispatcher.go and
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
