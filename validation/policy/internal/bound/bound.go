// Package bound computes the highest possible cost of a CEL expression before it is evaluated.
//
// Counting the cost of an expression during its evaluation takes several times as long as the
// evaluation. If no value of a certain size can make an expression too expensive, counting is
// not necessary. A bound is never too low. If an expression has functions that this package
// does not know, it is infinite.
package bound

import (
	"math"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
)

// Bound is the highest cost of an expression, and the largest size of its value and of anything
// in it: characters, bytes, elements, entries.
type Bound struct{ Cost, Size float64 }

// Unknown is the bound of an unknown value.
func Unknown() Bound { return Bound{math.Inf(1), math.Inf(1)} }

// Of returns the bound of a checked expression. sizes returns the size of a variable and of
// anything in it, and infinity for an unknown one. A member of the variable variables is named
// variables.NAME.
func Of(checked *ast.AST, sizes func(variable string) float64) Bound {
	w := &walker{checked: checked, sizes: sizes, locals: map[string]float64{}}
	return w.expr(checked.Expr())
}

type walker struct {
	checked *ast.AST
	sizes   func(string) float64
	// locals holds the sizes of the variables of macros.
	locals map[string]float64
}

// Costs of building values (cel-go, common/cost.go).
const (
	listCost   = 10
	mapCost    = 30
	structCost = 40
)

func (w *walker) expr(e ast.Expr) Bound {
	switch e.Kind() {
	case ast.LiteralKind:
		return Bound{Size: literalSize(e)}
	case ast.IdentKind:
		return Bound{Cost: 1, Size: w.variable(e.AsIdent())}
	case ast.SelectKind:
		return w.selection(e.AsSelect())
	case ast.CallKind:
		b := w.call(e)
		if w.scalar(e) {
			b.Size = 1
		}
		return b
	case ast.ListKind:
		return w.sum(listCost, e.AsList().Elements()...)
	case ast.MapKind:
		var parts []ast.Expr
		for _, entry := range e.AsMap().Entries() {
			parts = append(parts, entry.AsMapEntry().Key(), entry.AsMapEntry().Value())
		}
		return w.sum(mapCost, parts...)
	case ast.StructKind:
		var parts []ast.Expr
		for _, field := range e.AsStruct().Fields() {
			parts = append(parts, field.AsStructField().Value())
		}
		return w.sum(structCost, parts...)
	case ast.ComprehensionKind:
		return w.comprehension(e.AsComprehension())
	}
	return Unknown()
}

func literalSize(e ast.Expr) float64 {
	switch v := e.AsLiteral().(type) {
	case types.String:
		return float64(len(v))
	case types.Bytes:
		return float64(len(v))
	}
	return 1
}

func (w *walker) variable(name string) float64 {
	if size, local := w.locals[name]; local {
		return size
	}
	return w.sizes(name)
}

func (w *walker) selection(s ast.SelectExpr) Bound {
	operand := w.expr(s.Operand())
	if s.Operand().Kind() == ast.IdentKind && s.Operand().AsIdent() == "variables" {
		if _, local := w.locals["variables"]; !local {
			operand.Size = w.sizes("variables." + s.FieldName())
		}
	}
	return Bound{Cost: operand.Cost + 1, Size: operand.Size}
}

// sum returns the bound of a value that is built from parts.
func (w *walker) sum(cost float64, parts ...ast.Expr) Bound {
	b := Bound{Cost: cost, Size: float64(len(parts))}
	for _, part := range parts {
		p := w.expr(part)
		b.Cost += p.Cost
		b.Size = max(b.Size, p.Size)
	}
	return b
}

// scalar reports whether a value always has size 1.
func (w *walker) scalar(e ast.Expr) bool {
	switch w.checked.GetType(e.ID()).Kind() {
	case types.BoolKind, types.IntKind, types.UintKind, types.DoubleKind, types.NullTypeKind, types.TimestampKind, types.DurationKind:
		return true
	}
	return false
}

// comprehension is for macros: all, exists, exists_one, map, filter and others. Their step is
// evaluated at most once for each element.
func (w *walker) comprehension(c ast.ComprehensionExpr) Bound {
	elements, start := w.expr(c.IterRange()), w.expr(c.AccuInit())
	done := w.bind(c.IterVar(), elements.Size)
	if c.HasIterVar2() {
		defer w.bind(c.IterVar2(), elements.Size)()
	}
	defer done()
	grown := start.Size
	if elements.Size > 0 {
		grown = w.grown(c, elements.Size, start.Size)
	}
	defer w.bind(c.AccuVar(), grown)()
	condition, step, result := w.expr(c.LoopCondition()), w.expr(c.LoopStep()), w.expr(c.Result())
	loop := condition.Cost + step.Cost
	return Bound{
		Cost: elements.Cost + start.Cost + times(elements.Size, loop) + result.Cost,
		Size: result.Size,
	}
}

// grown returns the largest size of a macro's result: 1 for a boolean or a number, and one more
// element with each step for a list.
func (w *walker) grown(c ast.ComprehensionExpr, steps, start float64) float64 {
	if w.scalar(c.AccuInit()) {
		return 1
	}
	if element, ok := w.appended(c.LoopStep(), c.AccuVar()); ok {
		return max(start+steps, element)
	}
	return math.Inf(1)
}

// appended returns the size of the one element that a step appends to its list, if it does
// nothing else.
func (w *walker) appended(step ast.Expr, list string) (float64, bool) {
	if step.Kind() == ast.IdentKind && step.AsIdent() == list {
		return 0, true
	}
	if step.Kind() != ast.CallKind {
		return 0, false
	}
	args := step.AsCall().Args()
	switch step.AsCall().FunctionName() {
	case "_?_:_":
		first, ok1 := w.appended(args[1], list)
		second, ok2 := w.appended(args[2], list)
		return max(first, second), ok1 && ok2
	case "_+_":
		if args[0].Kind() == ast.IdentKind && args[0].AsIdent() == list && args[1].Kind() == ast.ListKind && args[1].AsList().Size() == 1 {
			return w.expr(args[1]).Size, true
		}
	}
	return 0, false
}

// bind defines a variable of a macro, until the returned function is called.
func (w *walker) bind(name string, size float64) func() {
	before, shadowed := w.locals[name]
	w.locals[name] = size
	return func() {
		delete(w.locals, name)
		if shadowed {
			w.locals[name] = before
		}
	}
}

// times multiplies, where 0 times infinity is 0.
func times(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return a * b
}
