package policy

import (
	"fmt"
	"maps"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/runtime/schema"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// A policy about several kinds asks for the kind, or for a field, before it reads what
// only some of them have:
//
//	object.kind == 'Pod' ? object.spec : object.spec.template.spec
//	!has(object.spec.hostPort) || object.spec.hostPort != ''
//
// So of an expression only that is checked for a kind which can be evaluated for it. What
// it asks of the kind is answered, and what then is decided is taken out of its tree. A
// field that is asked for and that the kind does not have is not there; that is a mistake
// only where none of the kinds has it.

// narrower takes out of expressions what is not evaluated for a kind.
type narrower struct {
	kind schema.GroupVersionKind
	// resource is the only one by which the policy is about the kind, deployments or
	// deployments/scale; empty where there may be several.
	resource string
	// roots are the types of CEL variables.
	roots map[string]*apiservercel.DeclType
	info  *ast.SourceInfo
	// asked tells of fields that were asked for, by message and place, whether they are
	// there.
	asked map[string]bool
}

// narrow does so with a tree. Bound are the types of what macros go over, where they are
// known.
func (n *narrower) narrow(e ast.Expr, bound map[string]*apiservercel.DeclType) {
	switch e.Kind() {
	case ast.SelectKind:
		of := e.AsSelect()
		n.narrow(of.Operand(), bound)
		if of.IsTestOnly() && !n.has(e, of.Operand(), of.FieldName(), bound) {
			n.become(e, types.False)
		}
	case ast.CallKind:
		n.call(e, bound)
	case ast.ListKind:
		for _, one := range e.AsList().Elements() {
			n.narrow(one, bound)
		}
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			n.narrow(entry.AsMapEntry().Key(), bound)
			n.narrow(entry.AsMapEntry().Value(), bound)
		}
	case ast.StructKind:
		for _, field := range e.AsStruct().Fields() {
			n.narrow(field.AsStructField().Value(), bound)
		}
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
	}
}

func (n *narrower) call(e ast.Expr, bound map[string]*apiservercel.DeclType) {
	call := e.AsCall()
	args := call.Args()
	switch name := call.FunctionName(); name {
	case operators.Conditional:
		n.narrow(args[0], bound)
		if value, known := n.value(args[0], bound); known {
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
			switch value, known := n.value(arg, bound); {
			case known && value == decides:
				n.become(e, decides)
				return
			case known && i == 0: // and leaves it to the other one
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
		if call.IsMemberFunction() {
			n.narrow(call.Target(), bound)
		}
		for _, arg := range args {
			n.narrow(arg, bound)
		}
		if value, known := n.value(e, bound); known {
			n.become(e, value)
		}
	}
}

// leave puts a part of an expression in its place, with its position.
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

// has reports whether a field that is asked for may be there.
func (n *narrower) has(e, operand ast.Expr, member string, bound map[string]*apiservercel.DeclType) bool {
	of := n.typeOf(operand, bound)
	if of == nil || !of.IsObject() {
		return true
	}
	_, found := of.Fields[member]
	n.asked[placed(fmt.Sprintf("undefined field '%s'", member), n.info.GetStartLocation(e.ID()))] = found
	return found
}

// typeOf is the type of what a path leads to, nil where it is not known.
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

// value is what an expression comes to for every request about the kind, where that can
// be told.
func (n *narrower) value(e ast.Expr, bound map[string]*apiservercel.DeclType) (ref.Val, bool) {
	switch e.Kind() {
	case ast.LiteralKind:
		return e.AsLiteral(), true
	case ast.SelectKind:
		return n.said(e, bound)
	case ast.CallKind:
	default:
		return nil, false
	}
	call := e.AsCall()
	switch name := call.FunctionName(); name {
	case operators.LogicalNot:
		if value, known := n.value(call.Args()[0], bound); known {
			return types.Bool(value != types.True), true
		}
	case operators.Equals, operators.NotEquals:
		left, known := n.value(call.Args()[0], bound)
		right, both := n.value(call.Args()[1], bound)
		if known && both {
			return types.Bool((left.Equal(right) == types.True) == (name == operators.Equals)), true
		}
	case operators.In:
		value, known := n.value(call.Args()[0], bound)
		if !known || call.Args()[1].Kind() != ast.ListKind {
			return nil, false
		}
		found := false
		for _, one := range call.Args()[1].AsList().Elements() {
			other, known := n.value(one, bound)
			if !known {
				return nil, false
			}
			found = found || value.Equal(other) == types.True
		}
		return types.Bool(found), true
	case "hasValue":
		if call.IsMemberFunction() && call.Target().Kind() == ast.CallKind && call.Target().AsCall().FunctionName() == "optional.none" {
			return types.False, true
		}
	}
	return nil, false
}

// said is what the object and the request say of the kind.
func (n *narrower) said(e ast.Expr, bound map[string]*apiservercel.DeclType) (ref.Val, bool) {
	var path []string
	for e.Kind() == ast.SelectKind {
		path = append([]string{e.AsSelect().FieldName()}, path...)
		e = e.AsSelect().Operand()
	}
	if e.Kind() != ast.IdentKind {
		return nil, false
	}
	if _, is := bound[e.AsIdent()]; is {
		return nil, false
	}
	resource, sub, _ := strings.Cut(n.resource, "/")
	switch said := e.AsIdent() + "." + strings.Join(path, "."); said {
	case plugincel.ObjectVarName + ".kind", plugincel.OldObjectVarName + ".kind", plugincel.RequestVarName + ".kind.kind":
		return types.String(n.kind.Kind), true
	case plugincel.ObjectVarName + ".apiVersion", plugincel.OldObjectVarName + ".apiVersion":
		return types.String(n.kind.GroupVersion().String()), true
	case plugincel.RequestVarName + ".kind.group":
		return types.String(n.kind.Group), true
	case plugincel.RequestVarName + ".resource.resource":
		return types.String(resource), n.resource != ""
	case plugincel.RequestVarName + ".subResource":
		return types.String(sub), n.resource != ""
	}
	return nil, false
}
