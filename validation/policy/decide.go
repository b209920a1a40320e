package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// outcome is the result of a policy for a request, with one binding and one object of
// parameters.
type outcome struct {
	// findings are in the order of the rules.
	findings []finding
	audits   []published
	// auditFailures are the failures of audit annotations. They deny, whatever the binding's
	// validationActions are.
	auditFailures []finding
	// early reports that objects have not been read yet, so that the outcome may soon be
	// another.
	early error
	// failed reports that an expression could not be evaluated, whatever the failurePolicy is.
	failed bool
}

// finding is a rule that does not hold or, if failurePolicy is Fail, an expression that could
// not be evaluated.
type finding struct {
	index int
	// rule does not hold. It is nil if failure explains why that is not known.
	rule    *rule
	message string
	failure string
}

// published is an audit annotation.
type published struct{ key, value string }

// decide evaluates a policy. It has the same meaning as in apiserver
// (admission/plugin/policy/validating/validator.go), except that a message is only computed for
// a rule that does not hold, and a variable is evaluated once.
func (p *Policy) decide(ctx context.Context, s *subject, params any) outcome {
	var out outcome
	if len(p.conditions) > 0 {
		applies, err := p.applies(p.newEvaluation(ctx, s, params), p.conditions)
		if err != nil {
			out.fail(p, 0, err)
		}
		if err != nil || !applies {
			return out
		}
	}
	e, left := p.newEvaluation(ctx, s, params), &budget{left: p.budget}
	if !p.judge(e, left, &out) {
		return out
	}
	p.explain(e, left, &out)
	p.annotate(e, &out)
	return out
}

// fail records that an expression could not be evaluated.
func (o *outcome) fail(p *Policy, index int, err error) {
	o.failed = true
	if p.ignore {
		return
	}
	if errors.Is(err, ErrNotSynced) {
		o.early = err
	}
	o.findings = append(o.findings, finding{index: index, failure: p.messageOf(err)})
}

// applies evaluates match conditions, in a separate evaluation. If one is false, the policy
// does not apply. Otherwise, if one fails, the policy fails, or with failurePolicy Ignore does
// not apply.
func (p *Policy) applies(e *evaluation, conditions []*condition) (bool, error) {
	e.early = true
	left := &budget{left: celconfig.RuntimeCELCostBudgetMatchConditions}
	var failed []error
	for _, c := range conditions {
		value, err := c.evaluate(e.ctx, e, left)
		if err != nil {
			failed = append(failed, p.explainFailure(&c.expression, e, err))
			if final(err) {
				break
			}
			continue
		}
		if value == types.False {
			return false, nil
		}
	}
	if len(failed) == 0 {
		return true, nil
	}
	if p.ignore {
		return false, nil
	}
	return false, p.joined(failed)
}

// judge evaluates the rules. It returns false if the evaluation of the policy has ended.
func (p *Policy) judge(e *evaluation, left *budget, out *outcome) bool {
	for i, r := range p.rules {
		if p.spares(r, e.subject) {
			continue
		}
		value, err := r.evaluate(e.ctx, e, left)
		switch {
		case err != nil:
			out.fail(p, i, p.explainFailure(&r.expression, e, err))
			if final(err) {
				p.end(out)
				return false
			}
		case value != types.True:
			out.findings = append(out.findings, finding{index: i, rule: r, message: r.fallback()})
		}
	}
	return true
}

// end handles a policy whose evaluation has ended early. The whole policy has failed, as in
// apiserver. With failurePolicy Fail, its earlier findings are still reported.
func (p *Policy) end(out *outcome) {
	if p.ignore {
		out.findings = nil
	}
}

// explain computes the messages of rules that do not hold. If the budget is not enough for
// that, the policy has failed, as in apiserver.
func (p *Policy) explain(e *evaluation, left *budget, out *outcome) {
	for i := range out.findings {
		f := &out.findings[i]
		if f.rule == nil || f.rule.messageExpression == nil {
			continue
		}
		value, err := f.rule.messageExpression.evaluate(e.ctx, e, left)
		if final(err) {
			out.fail(p, f.index, p.explainFailure(f.rule.messageExpression, e, err))
			p.end(out)
			return
		}
		if text, ok := value.(types.String); err == nil && ok && e.hides(f.rule.messageExpression) == "" {
			if made := usable(string(text)); made != "" {
				f.message = made
			}
		}
	}
}

// usable returns a message if it may be shown, or "": it must have one line and not be too
// long.
func usable(message string) string {
	message = strings.TrimSpace(message)
	if len(message) > celconfig.MaxEvaluatedMessageExpressionSizeBytes || strings.Contains(message, "\n") {
		return ""
	}
	return strings.Clone(message)
}

// fallback returns the message of a rule without a message expression.
func (r *rule) fallback() string {
	if message := strings.TrimSpace(r.message); message != "" {
		return message
	}
	return "failed expression: " + strings.TrimSpace(r.text)
}

// annotate computes the audit annotations, with a separate budget.
func (p *Policy) annotate(e *evaluation, out *outcome) {
	left := &budget{left: p.budget}
	for i, a := range p.audits {
		value, err := a.evaluate(e.ctx, e, left)
		if err != nil {
			var failed outcome
			failed.fail(p, i, p.explainFailure(&a.expression, e, err))
			out.auditFailures = append(out.auditFailures, failed.findings...)
			out.early = cmp.Or(out.early, failed.early)
			out.failed = true
		}
		if final(err) {
			return
		}
		if err != nil {
			continue
		}
		if text, ok := value.(types.String); ok && e.hides(&a.expression) == "" {
			if trimmed := strings.TrimSpace(string(text)); trimmed != "" {
				out.audits = append(out.audits, published{key: a.key, value: strings.Clone(trimmed)})
			}
		}
	}
}

// explain returns an error that names the expression that could not be evaluated, and the
// reason.
func (x *expression) explain(e *evaluation, err error) error {
	if x.broken != nil {
		return fmt.Errorf("%s does not compile: %w", x.field, err)
	}
	reason := err.Error()
	early := errors.Is(err, ErrNotSynced)
	if why := e.hides(x); why != "" {
		reason = "the reason is not shown, because " + why
		if unread := (*unreadError)(nil); errors.As(err, &unread) {
			reason = unread.anonymous()
		}
		err = ErrNotSynced // not another reason, which may not be shown
	}
	if early {
		return fmt.Errorf("%s %q cannot be evaluated: %w", x.field, clipped(x.text), err)
	}
	return fmt.Errorf("%s %q cannot be evaluated: %s", x.field, clipped(x.text), reason)
}

// clipped shortens long expressions for messages.
func clipped(text string) string {
	text = strings.TrimSpace(text)
	if line, _, more := strings.Cut(text, "\n"); more {
		text = line + " …"
	}
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "…"
	}
	return text
}
