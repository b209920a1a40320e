package policy

import (
	"context"
	"errors"
	"math"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types/ref"
)

// expression is one compiled expression of a policy.
type expression struct {
	// field is its place in the policy.
	field, text string
	returns     []*cel.Type
	// kind is the kind of environment in which it is compiled.
	kind environmentKind
	// counted is the program that counts its cost, and free the one that does not.
	counted, free cel.Program
	checked       *ast.AST
	// output is the type of its value, if it compiled.
	output *cel.Type
	// reads is what it reads, if it compiled.
	reads *reads
	// broken is why it did not compile.
	broken error
}

// variable is an expression with a name.
type variable struct {
	expression
	name string
}

// finalError ends the evaluation of a policy: no further expression is evaluated.
type finalError struct{ error }

func (e *finalError) Unwrap() error { return e.error }

// final reports whether an error ends the evaluation of a policy.
func final(err error) bool {
	var last *finalError
	return errors.As(err, &last)
}

// budget is the remaining cost.
type budget struct{ left int64 }

func (b *budget) spend(cost uint64) error {
	if cost > math.MaxInt64 || int64(cost) > b.left {
		b.left = 0
		return spent()
	}
	b.left -= int64(cost)
	return nil
}

// evaluate returns the value of an expression. An error that is a *finalError ends the
// evaluation of the policy, as in apiserver
// (k8s.io/apiserver/pkg/admission/plugin/cel/activation.go).
func (x *expression) evaluate(ctx context.Context, e *evaluation, b *budget) (ref.Val, error) {
	if x.broken != nil {
		return nil, x.broken
	}
	if e.free {
		value, _, err := x.free.ContextEval(ctx, e)
		if unreadable := e.subject.unreadable(); unreadable != nil {
			return nil, unreadable
		}
		return value, err
	}
	value, details, err := x.counted.ContextEval(ctx, e)
	// Variables that were needed for the first time have their own cost.
	if spent := b.spend(e.takeCost()); spent != nil {
		return nil, spent
	}
	if details == nil || details.ActualCost() == nil {
		return nil, x.untold()
	}
	if spent := b.spend(*details.ActualCost()); spent != nil {
		return nil, spent
	}
	if unreadable := e.subject.unreadable(); unreadable != nil {
		return nil, unreadable
	}
	return value, err
}
