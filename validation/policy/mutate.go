package policy

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/google/cel-go/common/types"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// Mutations returns the reviewer that lets the policies change an object, one after the other.
// Each sees the changes of the previous ones. A policy with reinvocationPolicy IfNeeded is
// called once more if the object has changed after it.
//
// A mistake of the writer in the schema of the object is not a mistake of the policy. An object
// with a value of another type is not changed, and the API server rejects it. If a policy fails
// for an object that the schema rejects in any case, the policy has not failed, and the writer
// sees the errors of the schema. Policies of Kubernetes behave as in apiserver.
func Mutations(cluster Cluster, policies ...*Policy) validation.Reviewer {
	return mutations(cluster, nil, policies)
}

func mutations(cluster Cluster, observe Observe, policies []*Policy) validation.Reviewer {
	return validation.ReviewerFunc(func(ctx context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		s := newSubject(ctx, cluster, request)
		defer s.free()
		m := &passage{subject: s, report: new(report)}
		defer m.report.opinions.tell(observe)
		if s.object.Root() != types.NullValue {
			// A schema that no policy concerns is not read.
			alone := slices.ContainsFunc(policies, func(p *Policy) bool { return !p.native && !p.exempts(request) && p.constraints.mayConcern(request) }) && s.mistyped(ctx)
			for _, p := range policies {
				if (p.native || !alone) && !p.exempts(request) {
					p.invocations(ctx, m)
				}
			}
			m.run(ctx)
		}
		if m.broken != nil {
			return &validation.Verdict{Causes: []validation.Cause{{Message: m.broken.Error(), Reason: metav1.StatusReasonInternalError}}}, nil
		}
		verdict, err := m.report.verdict()
		if err == nil && m.changes > 0 {
			verdict.Object = s.object.Text()
		}
		return verdict, err
	})
}

// passage is one request on its way through the mutations.
type passage struct {
	subject *subject
	report  *report
	queue   []*turn
	// changes is how often the object has changed.
	changes int
	// broken is why the request cannot continue.
	broken error
}

// turn is the turn of a policy with one binding.
type turn struct {
	policy      *Policy
	binding     *binding
	invocations []*invocation
}

// invocation is a policy with one binding and one object of parameters.
type invocation struct {
	policy  *Policy
	binding *binding
	params  any
	// asked is true if the policy applied, and at is the value of changes afterwards.
	asked bool
	at    int
}

// invocations finds the invocations of a policy. Which policies match a request is decided
// before the first of them changes it, as in apiserver
// (admission/plugin/policy/generic/policy_dispatcher.go), and so are the params of Kubernetes'
// own policies. Other policies look for their params when it is their turn, if their conditions
// hold for the object as it is then.
func (p *Policy) invocations(ctx context.Context, m *passage) {
	p.each(ctx, m.subject, m.report, func(_ *subject, b *binding) {
		t := &turn{policy: p, binding: b}
		if p.native {
			m.prepare(ctx, t)
		}
		m.queue = append(m.queue, t)
	})
}

func (m *passage) prepare(ctx context.Context, t *turn) {
	s, err := t.policy.seen(m.subject)
	if err != nil {
		m.report.misconfigured(t.policy, t.binding, err)
		return
	}
	for _, params := range t.policy.paramsFor(ctx, t.binding, s, m.report) {
		t.invocations = append(t.invocations, &invocation{policy: t.policy, binding: t.binding, params: params})
	}
}

func (m *passage) run(ctx context.Context) {
	for _, t := range m.queue {
		if !t.policy.native {
			m.prepare(ctx, t)
		}
		for _, i := range t.invocations {
			m.ask(ctx, i)
		}
	}
	m.again()
	for _, t := range m.queue {
		for _, i := range t.invocations {
			if i.asked && i.policy.reinvoke && i.at < m.changes {
				m.ask(ctx, i)
			}
		}
	}
}

// again applies the changes of the API server's plugins to a new object that has changed
// (k8s.io/apiserver/pkg/admission/reinvocation.go).
func (m *passage) again() {
	s := m.subject
	if m.changes == 0 || m.broken != nil || s.cluster.Reader == nil || s.request.Operation != admissionv1.Create || s.request.SubResource != "" {
		return
	}
	text := s.object.Text()
	made, err := s.cluster.Reader.Again(schema.GroupVersionKind(s.request.Kind), text)
	if err == nil && !bytes.Equal(made, text) {
		m.changes++
		err = s.become(made)
	}
	m.broken = err
}

// ask lets a policy change the object. If a mutation fails, the object stays as it is, and the
// next mutations are still evaluated, as in apiserver
// (admission/plugin/policy/mutating/dispatcher.go).
func (m *passage) ask(ctx context.Context, i *invocation) {
	if m.broken != nil {
		return
	}
	p := i.policy
	if len(p.conditions) > 0 {
		applies, err := m.applies(ctx, i)
		if err != nil {
			m.fail(ctx, i, 0, err)
		}
		if err != nil || !applies {
			return
		}
	}
	for index, x := range p.mutations {
		if m.broken != nil {
			return
		}
		changed, err := m.change(ctx, i, x)
		if err != nil {
			m.fail(ctx, i, index, err)
		}
		if changed {
			m.changes++
		}
	}
	i.asked, i.at = true, m.changes
}

func (m *passage) applies(ctx context.Context, i *invocation) (bool, error) {
	s, err := i.policy.seen(m.subject)
	if err != nil {
		return false, err
	}
	return i.policy.applies(i.policy.newEvaluation(ctx, s, i.params), i.policy.conditions)
}

// change applies one mutation, and reports whether the object changed.
func (m *passage) change(ctx context.Context, i *invocation, x *change) (bool, error) {
	s, err := i.policy.seen(m.subject)
	if err != nil {
		return false, err
	}
	// Variables are evaluated anew, because what they read may have changed.
	e := i.policy.newEvaluation(ctx, s, i.params)
	if err := x.withheld(s); err != nil {
		return false, err
	}
	made, err := x.mutate(ctx, e, &budget{left: i.policy.budget})
	if err == nil && made != nil {
		if made, m.broken = m.reread(i.policy, s, made); m.broken != nil {
			return false, nil
		}
		err = s.become(made)
	}
	if err != nil {
		return false, i.policy.explainFailure(&x.expression, e, err)
	}
	return made != nil, nil
}

// reread returns what the API server reads after a mutation by one of its own policies, before
// it calls the next (admission/plugin/policy/mutating/dispatcher.go).
func (m *passage) reread(p *Policy, s *subject, made []byte) ([]byte, error) {
	if !p.native || s.cluster.Reader == nil {
		return made, nil
	}
	return s.cluster.Reader.Reread(schema.GroupVersionKind(s.request.Kind), made)
}

func (m *passage) fail(ctx context.Context, i *invocation, index int, err error) {
	if !i.policy.native {
		if refused := m.subject.refused(ctx); len(refused) > 0 {
			if !i.policy.ignore {
				m.report.refuse(refused)
			}
			return
		}
	}
	var out outcome
	out.fail(i.policy, index, err)
	m.report.early = cmp.Or(m.report.early, out.early)
	m.report.opinions.take(i.policy, &out)
	for at := range out.findings {
		m.report.denyFinding(i.policy, i.binding, m.subject, &out.findings[at])
	}
}
