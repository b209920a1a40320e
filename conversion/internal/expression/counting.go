package expression

import (
	"math"
	"slices"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
	"k8s.io/apiserver/pkg/cel/library"
)

// meterName is the variable with which a step of an evaluation finds its meter. No expression can
// have this name.
const meterName = "#meter"

// meter counts the cost of one evaluation, in the units of cel-go and with the prices of
// Kubernetes. cel-go's own counter searches a stack that grows with every iteration of a macro, so
// that its time grows with the square of a list's length. A meter finds the last value of a step by
// the step's number.
type meter struct {
	cost, limit uint64
	// values are the last values of the steps.
	values []ref.Val
	prices library.CostEstimator
}

// exhausted is the value of the panic that ends an evaluation; cel-go recovers it.
type exhausted struct{}

func (m *meter) charge(id int64, value ref.Val, cost uint64) {
	if id >= 0 && id < int64(len(m.values)) {
		m.values[id] = value
	}
	if m.cost += cost; m.cost < cost || m.cost > m.limit {
		m.cost = math.MaxUint64
		panic(exhausted{})
	}
}

func meterOf(frame *interpreter.ExecutionFrame) *meter {
	if found, ok := frame.ResolveName(meterName); ok {
		if m, ok := found.(*meter); ok {
			return m
		}
	}
	return &meter{limit: math.MaxUint64} // constants that are evaluated before
}

// countSteps makes the steps of a program count their cost.
func countSteps(step interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	switch s := step.(type) {
	case *countedAttribute, *countedCall, *countedStep, interpreter.InterpretableConst:
		return step, nil
	case interpreter.InterpretableAttribute:
		return &countedAttribute{InterpretableAttribute: s, cost: common.SelectAndIdentCost}, nil
	case interpreter.InterpretableConstructor:
		cost := uint64(common.StructCreateBaseCost)
		switch {
		case constant(s):
			cost = 0 // the API server makes these before
		case s.Type() == types.ListType:
			cost = common.ListCreateBaseCost
		case s.Type() == types.MapType:
			cost = common.MapCreateBaseCost
		}
		return &countedStep{InterpretableV2: step, cost: cost}, nil
	case interpreter.InterpretableCall:
		compareElements(s)
		return &countedCall{InterpretableCall: s}, nil
	}
	return &countedStep{InterpretableV2: step}, nil
}

// constant reports whether a list or map is made of constants.
func constant(c interpreter.InterpretableConstructor) bool {
	return !slices.ContainsFunc(c.InitVals(), func(v interpreter.InterpretableV2) bool {
		_, ok := v.(interpreter.InterpretableConst)
		return !ok
	})
}

// countedStep is a step with a price of its own.
type countedStep struct {
	interpreter.InterpretableV2
	cost uint64
	comparison
}

func (s *countedStep) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	value := s.InterpretableV2.Exec(frame)
	m := meterOf(frame)
	m.charge(s.ID(), value, s.cost)
	s.charge(m, value)
	return value
}

func (s *countedStep) Eval(vars interpreter.Activation) ref.Val {
	return s.Exec(interpreter.AsFrame(vars))
}

// countedAttribute is a variable, and what is selected from it.
type countedAttribute struct {
	interpreter.InterpretableAttribute
	cost uint64
	comparison
}

func (a *countedAttribute) AddQualifier(q interpreter.Qualifier) (interpreter.Attribute, error) {
	a.cost++
	return a.InterpretableAttribute.AddQualifier(q)
}

func (a *countedAttribute) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	value := a.InterpretableAttribute.Exec(frame)
	m := meterOf(frame)
	m.charge(a.ID(), value, a.cost)
	a.charge(m, value)
	return value
}

func (a *countedAttribute) Eval(vars interpreter.Activation) ref.Val {
	return a.Exec(interpreter.AsFrame(vars))
}

// countedCall is a call of a function. Its price depends on the arguments.
type countedCall struct {
	interpreter.InterpretableCall
	comparison
}

func (c *countedCall) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	value := c.InterpretableCall.Exec(frame)
	m := meterOf(frame)
	m.charge(c.ID(), value, m.price(c.InterpretableCall, value))
	c.charge(m, value)
	return value
}

func (c *countedCall) Eval(vars interpreter.Activation) ref.Val {
	return c.Exec(interpreter.AsFrame(vars))
}
