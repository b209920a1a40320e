package policy

import (
	"fmt"
	"maps"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// A policy for several kinds asks for the kind, or for a field, before it reads what only some
// of them have:
//
// 	object.kind == 'Pod' ? object.spec : object.spec.template.spec
// 	['Deployment', 'Job'].all(kind, object.kind != kind) || object.spec.template.spec.hostPID
// 	!has(object.spec.hostPort) || object.spec.hostPort != ''
//
// So for each kind only the part of an expression is checked that can be evaluated for it.
// Values of the object and the request that are known for the kind are substituted. A condition
// that then has the same value for every request is evaluated, and the part that it excludes is
// removed from the tree. A field that is asked for and that the kind does not have is absent.
// That is a mistake only if none of the kinds has it.

// narrower removes from expressions the parts that are not evaluated for a kind.
type narrower struct {
	// known maps paths to their values, such as object.kind.
	known map[string]ref.Val
	// roots are the types of CEL variables.
	roots map[string]*apiservercel.DeclType
	info  *ast.SourceInfo
	env   *cel.Env
	// asked maps fields that were asked for, by message and place, to whether they exist.
	asked map[string]bool
}

// narrow narrows a tree. bound holds the types of what macros iterate over, if they are known.
func (n *narrower) narrow(e ast.Expr, bound map[string]*apiservercel.DeclType) {
	switch e.Kind() {
	case ast.SelectKind:
		if value, known := n.stated(e, bound); known {
			n.become(e, value)
			return
		}
		of := e.AsSelect()
		n.narrow(of.Operand(), bound)
		if of.IsTestOnly() && !n.has(e, of.Operand(), of.FieldName(), bound) {
			n.become(e, types.False)
		}
	case ast.CallKind:
		n.call(e, bound)
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		n.narrow(c.IterRange(), bound)
		n.narrow(c.AccuInit(), bound)
		inside := maps.Clone(bound)
		if inside == nil {
			inside = map[string]*apiservercel.DeclType{}
		}
		inside[c.IterVar()], inside[c.IterVar2()], inside[c.AccuVar()] = nil, nil, nil
		if over := n.typeOf(c.IterRange(), bound); over != nil && over.IsList() && c.IterVar2() == "" {
			inside[c.IterVar()] = over.ElemType
		}
		for _, part := range []ast.Expr{c.LoopCondition(), c.LoopStep(), c.Result()} {
			n.narrow(part, inside)
		}
	default:
		for _, part := range parts(e) {
			n.narrow(part, bound)
		}
	}
}

func (n *narrower) call(e ast.Expr, bound map[string]*apiservercel.DeclType) {
	args := e.AsCall().Args()
	switch name := e.AsCall().FunctionName(); name {
	case operators.Conditional:
		n.narrow(args[0], bound)
		if value, known := n.value(args[0]); known {
			branch := args[2]
			if value == types.True {
				branch = args[1]
			}
			n.leave(e, branch, bound)
			return
		}
		n.narrow(args[1], bound)
		n.narrow(args[2], bound)
	case operators.LogicalAnd, operators.LogicalOr:
		decides := types.Bool(name == operators.LogicalOr)
		for i, arg := range args {
			n.narrow(arg, bound)
			switch value, known := n.value(arg); {
			case known && value == decides:
				n.become(e, decides)
				return
			case known && i == 0: // the result is the other operand
				n.leave(e, args[1], bound)
				return
			}
		}
	case operators.OptSelect, operators.OptIndex:
		n.narrow(args[0], bound)
		if member, literal := text(args[1]); literal && !n.has(e, args[0], member, bound) {
			e.SetKindCase(ast.NewExprFactory().NewCall(e.ID(), "optional.none"))
		}
	default:
		for _, part := range parts(e) {
			n.narrow(part, bound)
		}
	}
}

// parts returns the operands of an expression that binds no names.
func parts(e ast.Expr) []ast.Expr {
	switch e.Kind() {
	case ast.SelectKind:
		return []ast.Expr{e.AsSelect().Operand()}
	case ast.CallKind:
		if call := e.AsCall(); call.IsMemberFunction() {
			return append([]ast.Expr{call.Target()}, call.Args()...)
		}
		return e.AsCall().Args()
	case ast.ListKind:
		return e.AsList().Elements()
	case ast.MapKind:
		var all []ast.Expr
		for _, entry := range e.AsMap().Entries() {
			all = append(all, entry.AsMapEntry().Key(), entry.AsMapEntry().Value())
		}
		return all
	case ast.StructKind:
		var all []ast.Expr
		for _, field := range e.AsStruct().Fields() {
			all = append(all, field.AsStructField().Value())
		}
		return all
	}
	return nil
}

// leave replaces an expression by a part of it, with its position.
func (n *narrower) leave(e, part ast.Expr, bound map[string]*apiservercel.DeclType) {
	if at, found := n.info.GetOffsetRange(part.ID()); found {
		n.info.SetOffsetRange(e.ID(), at)
	}
	e.SetKindCase(part)
	n.narrow(e, bound)
}

func (n *narrower) become(e ast.Expr, value ref.Val) {
	e.SetKindCase(ast.NewExprFactory().NewLiteral(e.ID(), value))
}

// has reports whether a field that is asked for may exist.
func (n *narrower) has(e, operand ast.Expr, member string, bound map[string]*apiservercel.DeclType) bool {
	of := n.typeOf(operand, bound)
	if of == nil || !of.IsObject() {
		return true
	}
	_, found := of.Fields[member]
	n.asked[placed(fmt.Sprintf("undefined field '%s'", member), n.info.GetStartLocation(e.ID()))] = found
	return found
}

// typeOf returns the type of the value at a path, or nil if it is not known.
func (n *narrower) typeOf(e ast.Expr, bound map[string]*apiservercel.DeclType) *apiservercel.DeclType {
	var of *apiservercel.DeclType
	member := ""
	switch e.Kind() {
	case ast.IdentKind:
		if t, is := bound[e.AsIdent()]; is {
			return t
		}
		return n.roots[e.AsIdent()]
	case ast.SelectKind:
		of, member = n.typeOf(e.AsSelect().Operand(), bound), e.AsSelect().FieldName()
	case ast.CallKind:
		if call := e.AsCall(); call.FunctionName() == operators.Index {
			of = n.typeOf(call.Args()[0], bound)
			member, _ = text(call.Args()[1])
		}
	}
	switch {
	case of == nil:
		return nil
	case of.IsList() || of.IsMap():
		return of.ElemType
	}
	if field := of.Fields[member]; field != nil {
		return field.Type
	}
	return nil
}

// mostCost limits an evaluation to about a millisecond, in the API server's units of cost. An
// expression is evaluated again for every condition around it.
const mostCost = 10_000

// value returns the bool, string or number that an expression has for every request about the
// kind, or false. It evaluates the expression without a request: to read the request is an
// error, and a value that CEL finds despite such errors is the value for every request.
func (n *narrower) value(e ast.Expr) (ref.Val, bool) {
	if e.Kind() == ast.LiteralKind {
		return e.AsLiteral(), true
	}
	program, err := n.env.PlanProgram(ast.NewAST(e, n.info), cel.CostLimit(mostCost))
	if err != nil {
		return nil, false
	}
	value, _, err := program.Eval(cel.NoVars())
	if err != nil {
		return nil, false
	}
	switch value.(type) {
	case types.Bool, types.String, types.Int:
		return value, true
	}
	return nil, false
}

// stated returns the value of a path for every request about the kind.
func (n *narrower) stated(e ast.Expr, bound map[string]*apiservercel.DeclType) (ref.Val, bool) {
	path := ""
	for e.Kind() == ast.SelectKind && !e.AsSelect().IsTestOnly() {
		path = "." + e.AsSelect().FieldName() + path
		e = e.AsSelect().Operand()
	}
	if e.Kind() != ast.IdentKind {
		return nil, false
	}
	if _, is := bound[e.AsIdent()]; is {
		return nil, false
	}
	value, known := n.known[e.AsIdent()+path]
	return value, known
}

// known returns the values that all objects of the kind, and all requests about them, have,
// by path.
func (k namedKind) known() map[string]ref.Val {
	all := map[string]ref.Val{
		plugincel.RequestVarName + ".kind.kind":  types.String(k.Kind),
		plugincel.RequestVarName + ".kind.group": types.String(k.Group),
	}
	for _, object := range []string{plugincel.ObjectVarName, plugincel.OldObjectVarName} {
		all[object+".kind"], all[object+".apiVersion"] = types.String(k.Kind), types.String(k.GroupVersion().String())
	}
	if k.resource != "" {
		resource, sub, _ := strings.Cut(k.resource, "/")
		all[plugincel.RequestVarName+".resource.resource"], all[plugincel.RequestVarName+".subResource"] = types.String(resource), types.String(sub)
	}
	return all
}
