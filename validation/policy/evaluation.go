package policy

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
)

// evaluation is the evaluation of one policy for a request, with one object of parameters. It
// provides the variables of the policy's expressions.
type evaluation struct {
	ctx     context.Context
	subject *subject
	// params is null if there are none.
	params    any
	variables members
	lookups   members
	// cost is the cost of variables and lookups that has not been charged yet.
	cost uint64
	// early reports that only matchConditions are evaluated: they see no namespace, as in
	// apiserver (admission/plugin/webhook/matchconditions/matcher.go).
	early bool
	// free reports that nothing can cost too much, so that nothing is counted.
	free bool
	// native reports that a policy of Kubernetes is evaluated.
	native bool
}

// lookupsVarName is the CEL variable with the lookups of a policy.
const lookupsVarName = "lookups"

var _ cel.Activation = (*evaluation)(nil)

// ResolveName returns a variable.
func (e *evaluation) ResolveName(name string) (any, bool) {
	switch name {
	case plugincel.ObjectVarName:
		return e.subject.object.Root(), true
	case plugincel.OldObjectVarName:
		return e.subject.old.Root(), true
	case plugincel.RequestVarName:
		return e.subject.attributeValue(), true
	case plugincel.ParamsVarName:
		return e.params, true
	case plugincel.NamespaceVarName:
		if e.early {
			return types.NullValue, true
		}
		return e.subject.namespaceObject(e.ctx), true
	case plugincel.VariableVarName:
		return &e.variables, true
	case lookupsVarName:
		return &e.lookups, true
	case plugincel.AuthorizerVarName:
		if known := e.subject.authorizerValue(e.ctx); known != nil {
			return known.all, true
		}
		return types.NewErr("authorizer is not available here"), true
	case plugincel.RequestResourceAuthorizerVarName:
		if known := e.subject.authorizerValue(e.ctx); known != nil {
			return known.resource, true
		}
		return types.NewErr("authorizer is not available here"), true
	}
	return nil, false
}

// Parent returns nil.
func (e *evaluation) Parent() cel.Activation { return nil }

// newEvaluation begins the evaluation of a policy, with its own variables and lookups.
func (p *Policy) newEvaluation(ctx context.Context, s *subject, params any) *evaluation {
	e := &evaluation{ctx: ctx, subject: s, params: params, native: p.native}
	e.variables = members{
		size: len(p.variables),
		name: func(i int) string { return p.variables[i].name },
		make: func(i int) ref.Val { return e.variable(p.variables[i]) },
	}
	e.lookups = members{
		size: len(p.lookups),
		name: func(i int) string { return p.lookups[i].name },
		make: func(i int) ref.Val { return e.lookup(p.lookups[i]) },
	}
	e.free = p.freeUpTo > 0 && s.size() <= p.freeUpTo && sizeOf(params, p.freeUpTo) <= p.freeUpTo
	return e
}

func (e *evaluation) takeCost() uint64 {
	cost := e.cost
	e.cost = 0
	return cost
}

func (e *evaluation) charge(cost uint64) {
	if e.cost += cost; e.cost < cost {
		e.cost = math.MaxUint64
	}
}

// sub evaluates an expression that another one needs.
func (e *evaluation) sub(x *expression) (ref.Val, error) {
	if x.broken != nil {
		return nil, fmt.Errorf("it does not compile: %w", x.broken)
	}
	if e.free {
		value, _, err := x.free.ContextEval(e.ctx, e)
		return value, err
	}
	value, details, err := x.counted.ContextEval(e.ctx, e)
	if details == nil || details.ActualCost() == nil {
		e.charge(math.MaxUint64)
		return nil, errors.New("its cost is unknown")
	}
	e.charge(*details.ActualCost())
	return value, err
}

func (e *evaluation) variable(v *variable) ref.Val {
	value, err := e.sub(&v.expression)
	if err != nil {
		return types.WrapErr(ofVariable(v.name, err))
	}
	return value
}

func (e *evaluation) lookup(l *lookup) ref.Val {
	value, cost := l.read(e)
	e.charge(cost)
	return value
}
