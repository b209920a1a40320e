package expression

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// orderCheck reports macros that iterate over the entries of a map that the expression makes itself.
// Those have no order, and the same object must always give the same bytes. The entries of maps in
// the object are ordered by their names.
type orderCheck struct {
	types map[int64]*types.Type
	// made are the macro variables that may be such a map, and known those that are not.
	known map[string]bool
}

// check returns a mistake for the first such macro.
func (o *orderCheck) check(e ast.Expr) *Mistake {
	var wrong *Mistake
	o.visit(e, func(m *Mistake) {
		if wrong == nil {
			wrong = m
		}
	})
	return wrong
}

func (o *orderCheck) visit(e ast.Expr, fail func(*Mistake)) {
	if e.Kind() == ast.ComprehensionKind {
		c := e.AsComprehension()
		o.visit(c.IterRange(), fail)
		o.visit(c.AccuInit(), fail)
		read := o.isRead(c.IterRange())
		if t := o.types[c.IterRange().ID()]; !read && (t == nil || t.Kind() != types.ListKind) {
			fail(mistake("iterate over a map of the object, or over a list", "it iterates over a map that it creates, whose entries have no order"))
		}
		before := o.known
		o.known = map[string]bool{}
		for name, known := range before {
			o.known[name] = known
		}
		o.known[c.IterVar()] = read || o.hasNoMap(c.IterRange())
		if c.HasIterVar2() {
			o.known[c.IterVar2()] = o.known[c.IterVar()]
		}
		o.known[c.AccuVar()] = false
		for _, part := range []ast.Expr{c.LoopCondition(), c.LoopStep(), c.Result()} {
			o.visit(part, fail)
		}
		o.known = before
		return
	}
	for _, part := range parts(e) {
		o.visit(part, fail)
	}
}

// parts returns the direct parts of an expression, without macros.
func parts(e ast.Expr) []ast.Expr {
	var all []ast.Expr
	switch e.Kind() {
	case ast.SelectKind:
		all = []ast.Expr{e.AsSelect().Operand()}
	case ast.CallKind:
		if e.AsCall().IsMemberFunction() {
			all = append(all, e.AsCall().Target())
		}
		all = append(all, e.AsCall().Args()...)
	case ast.ListKind:
		all = e.AsList().Elements()
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			all = append(all, entry.AsMapEntry().Key(), entry.AsMapEntry().Value())
		}
	case ast.StructKind:
		for _, field := range e.AsStruct().Fields() {
			all = append(all, field.AsStructField().Value())
		}
	}
	return all
}

// isRead reports whether a value is from the object, or has no map with several entries that is
// not.
func (o *orderCheck) isRead(e ast.Expr) bool {
	switch e.Kind() {
	case ast.IdentKind:
		known, local := o.known[e.AsIdent()]
		return known || !local
	case ast.LiteralKind:
		return true
	case ast.SelectKind:
		return o.isRead(e.AsSelect().Operand())
	case ast.MapKind, ast.ListKind:
		if e.Kind() == ast.MapKind && e.AsMap().Size() > 1 {
			return false
		}
		for _, part := range parts(e) {
			if !o.isRead(part) {
				return false
			}
		}
		return true
	case ast.CallKind:
		if o.hasNoMap(e) {
			return true
		}
		switch e.AsCall().FunctionName() {
		case operators.Index, operators.OptIndex, operators.OptSelect, operators.Conditional, operators.Add,
			"orValue", "or", "value", "optional.of", "optional.ofNonZeroValue", "optional.none", "dyn", "first", "last", "slice", "sort", "distinct", "reverse", "flatten":
			for _, part := range parts(e) {
				if !o.isRead(part) {
					return false
				}
			}
			return true
		}
	}
	return false
}

// hasNoMap reports whether a value has no map in it.
func (o *orderCheck) hasNoMap(e ast.Expr) bool { return holdsNoMap(o.types[e.ID()]) }

func holdsNoMap(t *types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Kind() {
	case types.BoolKind, types.BytesKind, types.DoubleKind, types.DurationKind, types.IntKind, types.NullTypeKind, types.StringKind, types.TimestampKind, types.UintKind:
		return true
	case types.ListKind:
		return holdsNoMap(t.Parameters()[0])
	}
	return false
}
