package expression

import (
	"errors"
	"fmt"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types/ref"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// Program is one expression, compiled. It is safe for concurrent use.
type Program struct {
	// Reads are the fields whose values it is given.
	Reads []Read
	// Parameters are those that it uses.
	Parameters []string
	// Optional says that it may have no value.
	Optional bool
	// Cost is what an evaluation may cost.
	Cost Cost

	program       cel.Program
	steps         int64
	to            *schema.Schema
	parameters    ref.Val
	self, outside *branch
	atRoot        bool
}

// Compile compiles an expression for a field of the other version.
func (e *Environment) Compile(text string, to *schema.Schema) (*Program, *Mistake) {
	checked, issues := e.env.Compile(text)
	if issues.Err() != nil {
		return nil, e.issue(text, issues)
	}
	native := checked.NativeRep()
	if m := checkType(checked.OutputType(), to); m != nil {
		return nil, m
	}
	r := &reader{e: e}
	r.visit(native.Expr(), nil)
	if r.wrong != nil {
		return nil, r.wrong
	}
	if m := (&orderCheck{types: native.TypeMap()}).check(native.Expr()); m != nil {
		return nil, m
	}
	if m := checkZones(native.Expr()); m != nil {
		return nil, m
	}
	program, err := e.env.Program(checked, cel.CustomDecoratorV2(countSteps))
	if err != nil {
		return nil, mistake("", "%v", err)
	}
	cost, err := e.cost(checked)
	if err != nil {
		return nil, mistake("", "%v", err)
	}
	p := &Program{Reads: r.reads, Parameters: r.parameters, Optional: checked.OutputType().TypeName() == "optional_type", Cost: cost, program: program, steps: ast.MaxID(native) + 1, to: to, parameters: e.parameters.value, atRoot: e.self == e.object}
	p.self, p.outside = newBranch(e.self), newBranch(e.object)
	for i, read := range p.Reads {
		if read.Outside {
			p.outside.add(read, i)
		} else {
			p.self.add(read, i)
		}
	}
	if p.outside.markMetadata(); p.atRoot {
		p.self.markMetadata()
	}
	return p, nil
}

// Limit is how much one evaluation may cost, and Budget how much all evaluations for one object may
// cost: what the API server allows the validation rules of an object.
const (
	Limit  = celconfig.PerCallLimit
	Budget = celconfig.RuntimeCELCostBudget
)

var (
	errExpensive = fmt.Errorf("it costs more than %d", Limit)
	errSpent     = fmt.Errorf("the expressions of the object cost more than %d together", Budget)
)

// Evaluate appends the value of the expression to dst. value is nil if the expression has no value.
// in has the values of Reads, in canonical JSON or nil; for a read of presence, any value. Its cost
// is subtracted from left. An error says why there is no value that the field could have.
func (p *Program) Evaluate(dst []byte, in [][]byte, left *uint64) (out, value []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, value, err = dst, nil, fmt.Errorf("the evaluation failed: %v", r)
		}
	}()
	if *left == 0 {
		return dst, nil, errSpent
	}
	m := &meter{limit: min(Limit, *left), values: make([]ref.Val, p.steps)}
	result, _, err := p.program.Eval(&variables{p: p, in: in, meter: m})
	if m.cost > m.limit {
		if m.limit == Limit {
			*left -= Limit
			return dst, nil, errExpensive
		}
		*left = 0
		return dst, nil, errSpent
	}
	*left -= m.cost
	if err != nil {
		return dst, nil, err
	}
	if result == nil {
		return dst, nil, errors.New("it returns no value")
	}
	start := len(dst)
	dst, absent, err := encode(dst, result, p.to, 0)
	if err != nil || absent {
		return dst[:start], nil, err
	}
	return dst, slices.Clip(dst[start:]), nil
}
