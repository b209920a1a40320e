package policy

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// reads are what an expression can read, as far as its text tells.
type reads struct {
	// object are the places in the object. One without names is all of it.
	object []fieldPath
	// change says that it reads what belongs to the request and not to the object:
	// who writes, or the old object. Whether it holds is then a matter of this
	// request, whatever the request changes.
	change bool
}

func (r *reads) add(other *reads) {
	r.change = r.change || other.change
	for _, path := range other.object {
		r.place(path)
	}
}

func (r *reads) place(path fieldPath) {
	if !slices.ContainsFunc(r.object, func(known fieldPath) bool { return slices.Equal(known, path) }) {
		r.object = append(r.object, path)
	}
}

// readsOf finds what an expression reads. of gives what the members of variables
// and of other variables with members read, asked for as variables.NAME.
func readsOf(checked *ast.AST, of func(name string) *reads) *reads {
	f := &finder{of: of}
	f.visit(checked.Expr(), nil)
	return &f.reads
}

type finder struct {
	reads
	of func(string) *reads
}

// neutral are members of request that say what is asked and not by whom.
func neutral(member string) bool {
	switch member {
	case "operation", "kind", "resource", "subResource", "requestKind", "requestResource", "requestSubResource", "name", "namespace":
		return true
	}
	return false
}

// visit walks an expression. bound are the variables of macros around it: what
// they stand for has been read by what the macro goes over.
func (f *finder) visit(e ast.Expr, bound []string) {
	if root, path, ok := chain(e); ok {
		if !slices.Contains(bound, root) {
			f.read(root, path)
		}
		return
	}
	switch e.Kind() {
	case ast.SelectKind:
		f.visit(e.AsSelect().Operand(), bound)
	case ast.CallKind:
		if asksForObject(e.AsCall()) {
			return
		}
		if e.AsCall().IsMemberFunction() {
			f.visit(e.AsCall().Target(), bound)
		}
		for _, arg := range e.AsCall().Args() {
			f.visit(arg, bound)
		}
	case ast.ListKind:
		for _, element := range e.AsList().Elements() {
			f.visit(element, bound)
		}
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			f.visit(entry.AsMapEntry().Key(), bound)
			f.visit(entry.AsMapEntry().Value(), bound)
		}
	case ast.StructKind:
		for _, field := range e.AsStruct().Fields() {
			f.visit(field.AsStructField().Value(), bound)
		}
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		f.visit(c.IterRange(), bound)
		f.visit(c.AccuInit(), bound)
		inner := append(slices.Clone(bound), c.IterVar(), c.IterVar2(), c.AccuVar())
		f.visit(c.LoopCondition(), inner)
		f.visit(c.LoopStep(), inner)
		f.visit(c.Result(), inner)
	}
}

// asksForObject says that a call is object == null or object != null. Where there are
// two objects to compare, neither is null.
func asksForObject(call ast.CallExpr) bool {
	switch call.FunctionName() {
	case operators.Equals, operators.NotEquals:
	default:
		return false
	}
	is := func(e ast.Expr) (object, null bool) {
		return e.Kind() == ast.IdentKind && e.AsIdent() == plugincel.ObjectVarName, e.Kind() == ast.LiteralKind && e.AsLiteral() == types.NullValue
	}
	leftObject, leftNull := is(call.Args()[0])
	rightObject, rightNull := is(call.Args()[1])
	return leftObject && rightNull || leftNull && rightObject
}

func (f *finder) read(root string, path fieldPath) {
	switch root {
	case plugincel.ObjectVarName:
		f.place(path)
	case plugincel.RequestVarName:
		f.change = f.change || len(path) == 0 || !neutral(path[0])
	case plugincel.OldObjectVarName, plugincel.AuthorizerVarName, plugincel.RequestResourceAuthorizerVarName:
		f.change = true
	case plugincel.VariableVarName, lookupsVarName:
		f.member(root, path)
	}
}

// member reads what a member of variables reads. Of one that is not known nothing
// can be said.
func (f *finder) member(root string, path fieldPath) {
	if len(path) > 0 {
		if name, ok := apiservercel.Unescape(path[0]); ok {
			if known := f.of(root + "." + name); known != nil {
				f.add(known)
				return
			}
		}
	}
	f.change = true
}

// chain takes apart what is written as a.b.c, a['b'] or a.?b: the variable, and
// the names after it.
func chain(e ast.Expr) (root string, path fieldPath, ok bool) {
	switch e.Kind() {
	case ast.IdentKind:
		return e.AsIdent(), nil, true
	case ast.SelectKind:
		root, path, ok = chain(e.AsSelect().Operand())
		return root, append(path, e.AsSelect().FieldName()), ok
	case ast.CallKind:
		call := e.AsCall()
		switch call.FunctionName() {
		case "_[_]", "_?._", "_[?_]":
			if name, literal := text(call.Args()[1]); literal {
				root, path, ok = chain(call.Args()[0])
				return root, append(path, name), ok
			}
		}
	}
	return "", nil, false
}

func text(e ast.Expr) (string, bool) {
	if e.Kind() != ast.LiteralKind {
		return "", false
	}
	s, ok := e.AsLiteral().(types.String)
	return string(s), ok
}
