package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/validation"
)

// Validations returns the reviewer that evaluates all the policies for a request and returns
// all their denials.
func Validations(cluster Cluster, policies ...*Policy) validation.Reviewer {
	return validations(cluster, nil, policies)
}

func validations(cluster Cluster, observe Observe, policies []*Policy) validation.Reviewer {
	return validation.ReviewerFunc(func(ctx context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		s := newSubject(ctx, cluster, request)
		defer s.free()
		report := new(report)
		defer report.opinions.tell(observe)
		for _, p := range policies {
			if !p.exempts(request) {
				p.review(ctx, s, report)
			}
		}
		return report.verdict()
	})
}

// exempts reports whether a request is exempt from all policies of this kind: requests for
// policies, so that policies can always be corrected, and reviews, which are not objects, and
// which a policy may create itself. A webhook is not called for webhooks either
// (k8s.io/apiserver/pkg/admission/plugin/policy/generic,
// admission/plugin/webhook/predicates/rules, and
// k8s.io/kubernetes/pkg/kubeapiserver/admission/exclusion).
func (p *Policy) exempts(r *admissionv1.AdmissionRequest) bool {
	switch r.Resource.Group { // a TokenRequest is about a ServiceAccount
	case authenticationv1.GroupName, authorizationv1.GroupName:
		return true
	case v1alpha1.GroupName:
		return !p.native
	case admissionregistrationv1.GroupName:
	default:
		return false
	}
	switch r.Kind.Kind {
	case "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration":
		return !p.native
	case "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding":
		return true
	}
	return false
}

// review evaluates one policy, for each of its bindings and each object of parameters.
func (p *Policy) review(ctx context.Context, s *subject, report *report) {
	p.each(ctx, s, report, func(seen *subject, b *binding) {
		for _, params := range p.paramsFor(ctx, b, seen, report) {
			report.take(p, b, seen, p.decide(ctx, seen, params))
		}
	})
}

// each finds the bindings of a policy that match a request, with the request as the policy sees
// it.
func (p *Policy) each(ctx context.Context, s *subject, report *report, do func(*subject, *binding)) {
	s, matches, err := p.concerned(ctx, s)
	if !matches && err == nil {
		return
	}
	report.opinions.of(p) // it has an opinion now, even if nothing is wrong
	if err == nil {
		err = p.problem
	}
	if err != nil {
		report.misconfigured(p, nil, err)
		return
	}
	for _, b := range p.bindings {
		matches, err := b.constraints.match(ctx, s)
		if !matches && err == nil {
			continue
		}
		if err != nil {
			report.misconfigured(p, b, err)
			continue
		}
		do(s, b)
	}
}

// concerned reports whether the policy matches a request, and returns the request as the policy
// sees it.
func (p *Policy) concerned(ctx context.Context, s *subject) (seen *subject, matches bool, err error) {
	match := p.constraints.match
	if p.judgesScaled(s.request) {
		match = p.constraints.choose
		// Nothing is read for a namespace that is not selected.
		if matches, err := p.constraints.chooseNamespace(ctx, s); !matches || err != nil || p.leavesOut(s) {
			return s, false, err
		}
		if s, err = s.scaled(ctx); err != nil {
			return s, false, err
		}
	} else if p.hub && !p.constraints.matchRules(s.request) {
		return s, false, nil
	}
	if seen, err = p.seen(s); err != nil {
		return s, false, err
	}
	matches, err = match(ctx, seen)
	if (matches || err != nil) && p.leavesOut(seen) {
		return seen, false, nil
	}
	return seen, matches, err
}

// report combines the results of the policies into a verdict.
type report struct {
	result      validation.Verdict
	annotations annotations
	// noted are failures of our policies, and notedNative those of Kubernetes' own.
	noted, notedNative []notedFailure
	// early is why the verdict may soon be another.
	early error
	// refused reports that the schema's errors have been added.
	refused  bool
	shown    map[any]bool
	opinions opinions
}

// misconfigured denies because a policy cannot be evaluated, whatever its failurePolicy is.
func (r *report) misconfigured(p *Policy, b *binding, err error) {
	r.opinions.of(p).Failed = true
	if p.ignore {
		return
	}
	if errors.Is(err, ErrNotSynced) {
		r.early = err
	}
	r.deny(validation.Cause{Message: p.messageOfBinding(b, err), Reason: p.reasonOfBinding()})
}

func (r *report) deny(cause validation.Cause) {
	if r.first(cause) {
		r.result.Causes = append(r.result.Causes, cause)
	}
}

// first reports whether a message is new. The same message of several objects of parameters is
// shown once, because their number must not be shown.
func (r *report) first(message any) bool {
	if r.shown[message] {
		return false
	}
	if r.shown == nil {
		r.shown = map[any]bool{}
	}
	r.shown[message] = true
	return true
}

// take applies the actions of the binding to an outcome.
func (r *report) take(p *Policy, b *binding, s *subject, out outcome) {
	r.early = cmp.Or(r.early, out.early)
	r.opinions.take(p, &out)
	for i := range out.findings {
		r.act(p, b, s, &out.findings[i])
	}
	for i := range out.auditFailures {
		r.denyFinding(p, b, s, &out.auditFailures[i])
	}
	for _, a := range out.audits {
		r.annotations.add(p.auditKey(a.key), a.value)
	}
}

func (r *report) act(p *Policy, b *binding, s *subject, f *finding) {
	for _, action := range b.actions {
		switch action {
		case admissionregistrationv1.Deny:
			r.denyFinding(p, b, s, f)
		case admissionregistrationv1.Warn:
			if warning := asWarning(p, b, s, f); r.first(warning) {
				r.result.Warnings = append(r.result.Warnings, warning)
			}
		case admissionregistrationv1.Audit:
			cause, note := s.cause(f)
			message := noted(cause.Message, note)
			if r.first([...]string{p.name, b.name, strconv.Itoa(f.index), message}) {
				into := &r.noted
				if p.native {
					into = &r.notedNative
				}
				*into = append(*into, notedFailure{Message: message, Policy: p.name, Binding: b.name, ExpressionIndex: f.index, ValidationActions: b.actions})
			}
		}
	}
}

func (r *report) denyFinding(p *Policy, b *binding, s *subject, f *finding) {
	r.deny(asDenial(p, b, s, f))
}

// verdict returns the combined verdict. If objects have not been read yet, it returns an error,
// because another replica may have them, and this one soon will.
func (r *report) verdict() (*validation.Verdict, error) {
	if r.early != nil {
		return nil, fmt.Errorf("%w: %w", validation.ErrNotReady, r.early)
	}
	r.annotations.put(&r.result)
	noteFailures(&r.result, failureKey, r.noted)
	noteFailures(&r.result, nativeFailureKey, r.notedNative)
	return &r.result, nil
}
