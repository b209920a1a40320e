package policy

import (
	"context"
	"errors"
	"math"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// expression is one expression of a policy, compiled.
type expression struct {
	// field is its place in the policy.
	field, text string
	returns     []*cel.Type
	program     cel.Program
	// output is the type of its value, where it has been compiled.
	output *cel.Type
	// broken says why it could not be compiled.
	broken error
}

// GetExpression and ReturnTypes are what apiserver's compiler asks.
func (x *expression) GetExpression() string    { return x.text }
func (x *expression) ReturnTypes() []*cel.Type { return x.returns }

// GetName is the name of a variable, for apiserver's compiler.
func (v *variable) GetName() string { return v.name }

// variable is an expression with a name.
type variable struct {
	expression
	name string
}

// compiler compiles the expressions of one policy.
type compiler struct {
	composited *plugincel.CompositedCompiler
	declared   plugincel.OptionalVariableDeclarations
	problems   *Problems
}

// newCompiler uses the environment that the API server has for stored
// expressions: it takes whatever any release has taken.
func newCompiler(hasParams bool, problems *Problems) (*compiler, error) {
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	composited, err := plugincel.NewCompositedCompiler(base)
	if err != nil {
		return nil, err
	}
	return &compiler{
		composited: composited,
		declared:   plugincel.OptionalVariableDeclarations{HasParams: hasParams, HasAuthorizer: true},
		problems:   problems,
	}, nil
}

// rule compiles what may use everything.
func (c *compiler) rule(x *expression) {
	c.take(x, c.composited.CompileCELExpression(x, c.declared, environment.StoredExpressions))
}

// message compiles what may use everything but authorizer.
func (c *compiler) message(x *expression) {
	declared := c.declared
	declared.HasAuthorizer = false
	c.take(x, c.composited.CompileCELExpression(x, declared, environment.StoredExpressions))
}

// variable compiles a variable, which those after it may use.
func (c *compiler) variable(v *variable) {
	c.take(&v.expression, c.composited.CompileAndStoreVariable(v, c.declared, environment.StoredExpressions))
}

func (c *compiler) take(x *expression, result plugincel.CompilationResult) {
	x.program, x.output = result.Program, result.OutputType
	if result.Error == nil {
		return
	}
	x.broken = result.Error
	text := strings.TrimPrefix(result.Error.Detail, "compilation failed: ")
	c.problems.add(x.field, "%s", text+hint(text))
}

// hint says how to mend what authors often get wrong.
func hint(detail string) string {
	for _, known := range []struct{ said, hint string }{
		{"undeclared reference to 'params'", "set spec.paramKind to use params"},
		{"undeclared reference to 'self'", "the object is called object here"},
		{"undefined field", "variables may use those that stand before them; others are written variables.NAME"},
		{"undeclared reference to 'authorizer'", "a messageExpression cannot use authorizer"},
		{"must evaluate to bool but got dyn", "compare it with a value, for example == true"},
		{"must evaluate to string but got dyn", "convert it with string()"},
		{"[string null_type] but got dyn", "convert it with string()"},
	} {
		if strings.Contains(detail, known.said) {
			return "\n(" + known.hint + ")"
		}
	}
	return ""
}

// finalError ends the evaluation of a policy: no further expression is evaluated.
type finalError struct{ reason string }

func (e *finalError) Error() string {
	return e.reason + ", and no further expression of the policy is evaluated"
}

// final says whether an error ends the evaluation of a policy.
func final(err error) bool {
	var last *finalError
	return errors.As(err, &last)
}

// budget is the cost that is left.
type budget struct{ left int64 }

func (b *budget) spend(cost uint64) error {
	if cost > math.MaxInt64 || int64(cost) > b.left {
		b.left = 0
		return &finalError{"the cost budget of the policy is spent"}
	}
	b.left -= int64(cost)
	return nil
}

// evaluate gives the value of an expression. An error that is a *finalError ends
// the evaluation of the policy, as in apiserver's own
// (k8s.io/apiserver/pkg/admission/plugin/cel/activation.go).
func (x *expression) evaluate(ctx context.Context, e *evaluation, b *budget) (ref.Val, error) {
	if x.broken != nil {
		return nil, x.broken
	}
	value, details, err := x.program.ContextEval(ctx, e)
	// Variables that were needed for the first time have their own cost.
	if spent := b.spend(e.variables.takeCost()); spent != nil {
		return nil, spent
	}
	if details == nil || details.ActualCost() == nil {
		return nil, &finalError{"the cost of the expression cannot be told"}
	}
	if spent := b.spend(*details.ActualCost()); spent != nil {
		return nil, spent
	}
	if unreadable := e.subject.unreadable(); unreadable != nil {
		return nil, unreadable
	}
	return value, err
}
