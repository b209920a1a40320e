package expression

import (
	"maps"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// place is the field of an object that an expression reads. cel-go itself follows selections, but
// neither optional ones nor the results of macros over a list.
type place struct {
	schema *schema.Schema
	// outside, path and inside are those of Bound.
	outside bool
	path    path.Path
	inside  bool
	// whole says that it is the root of an object.
	whole bool
}

// objectName is the maximal length of the name of an object
// (k8s.io/apimachinery/pkg/util/validation, DNS1123SubdomainMaxLength).
var objectName = int64(253)

func (p *place) member(name string) *place {
	if p == nil || p.schema == nil {
		return nil
	}
	if len(p.schema.Members) > 0 {
		if unescaped, ok := apiservercel.Unescape(name); ok {
			name = unescaped
		}
	}
	next := p.schema.Member(name)
	if next == nil || p.schema.Type == "array" {
		return nil
	}
	inner := &place{schema: next, outside: p.outside, path: p.path.Child(name)}
	if len(inner.path) == 2 && p.whole && inner.path[0] == "metadata" && next.IsAny() {
		inner.schema = &schema.Schema{Type: "string", Max: &objectName}
	}
	inner.whole = p.whole && name == "metadata"
	return inner
}

func (p *place) element() *place {
	if p == nil || p.schema == nil {
		return nil
	}
	of := p.schema.Items
	switch {
	case p.schema.Type == "array":
	case p.schema.Values != nil:
		of = p.schema.Values
	case p.schema.IsAny():
		of = schema.Any()
	}
	if of == nil {
		return nil
	}
	return &place{schema: of, outside: p.outside, path: p.path, inside: true}
}

// roots returns the variables of an environment.
func (e *Environment) roots() map[string]*place {
	atRoot := e.self == e.object
	return map[string]*place{
		Self:   {schema: e.self, whole: atRoot},
		Object: {schema: e.object, whole: true, outside: !atRoot},
	}
}

// places returns the fields that the parts of an expression read, by the numbers of the parts.
func (e *Environment) places(of ast.Expr) map[int64]*place {
	f := follower{}
	f.visit(of, e.roots())
	return f
}

type follower map[int64]*place

func (f follower) visit(e ast.Expr, variables map[string]*place) *place {
	p := f.find(e, variables)
	if p != nil {
		f[e.ID()] = p
	}
	return p
}

func (f follower) find(e ast.Expr, variables map[string]*place) *place {
	switch e.Kind() {
	case ast.IdentKind:
		return variables[e.AsIdent()]
	case ast.SelectKind:
		of := f.visit(e.AsSelect().Operand(), variables)
		if e.AsSelect().IsTestOnly() {
			return nil
		}
		return of.member(e.AsSelect().FieldName())
	case ast.CallKind:
		return f.call(e.AsCall(), variables)
	case ast.ListKind:
		var elements []*place
		for _, element := range e.AsList().Elements() {
			elements = append(elements, f.visit(element, variables))
		}
		return listOf(firstKnown(nil, elements))
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			f.visit(entry.AsMapEntry().Key(), variables)
			f.visit(entry.AsMapEntry().Value(), variables)
		}
	case ast.StructKind:
		for _, field := range e.AsStruct().Fields() {
			f.visit(field.AsStructField().Value(), variables)
		}
	case ast.ComprehensionKind:
		return f.comprehension(e.AsComprehension(), variables)
	}
	return nil
}

func (f follower) call(call ast.CallExpr, variables map[string]*place) *place {
	var target *place
	if call.IsMemberFunction() {
		target = f.visit(call.Target(), variables)
	}
	args := make([]*place, len(call.Args()))
	for i, arg := range call.Args() {
		args[i] = f.visit(arg, variables)
	}
	switch name := call.FunctionName(); {
	case name == operators.OptSelect || name == operators.Index || name == operators.OptIndex:
		if text, ok := literal(call.Args()[1]); ok {
			return args[0].member(text)
		}
		return args[0].element()
	case name == "value" || name == "orValue" || name == "or":
		return firstKnown(target, args)
	case name == "optional.of" || name == "optional.ofNonZeroValue" || name == "dyn" || name == "string" || name == operators.Add:
		return firstKnown(nil, args)
	case name == operators.Conditional:
		return firstKnown(nil, args[1:])
	case name == "distinct" || name == "reverse" || name == "slice" || name == "sort" || name == "@sortByAssociatedKeys":
		return target
	}
	return nil
}

// firstKnown returns the first place that is known.
func firstKnown(p *place, others []*place) *place {
	for i := 0; p == nil && i < len(others); i++ {
		p = others[i]
	}
	return p
}

// comprehension follows what macros expand to: cel.bind and optMap, which name a value, and those
// that iterate over a list.
func (f follower) comprehension(c ast.ComprehensionExpr, variables map[string]*place) *place {
	of := f.visit(c.IterRange(), variables)
	from := f.visit(c.AccuInit(), variables)
	variables = maps.Clone(variables)
	element := of.element()
	if variables[c.IterVar()] = element; c.HasIterVar2() {
		variables[c.IterVar()], variables[c.IterVar2()] = nil, element
	} else if of != nil && of.schema.Type != "array" {
		variables[c.IterVar()] = nil // a name of a map
	}
	variables[c.AccuVar()] = from
	f.visit(c.LoopCondition(), variables)
	f.visit(c.LoopStep(), variables)
	result := f.visit(c.Result(), variables)
	if c.AccuInit().Kind() != ast.ListKind {
		return result
	}
	return listOf(f.addedByStep(c.LoopStep()))
}

// listOf returns the place of a list that an expression makes of elements of the object.
func listOf(element *place) *place {
	if element == nil {
		return nil
	}
	return &place{schema: &schema.Schema{Type: "array", Items: element.schema}, outside: element.outside, path: element.path}
}

// addedByStep returns what an iteration of map or filter appends to the list that it makes.
func (f follower) addedByStep(step ast.Expr) *place {
	if step.Kind() != ast.CallKind {
		return nil
	}
	args := step.AsCall().Args()
	switch {
	case step.AsCall().FunctionName() == operators.Conditional:
		return f.addedByStep(args[1])
	case step.AsCall().FunctionName() == operators.Add && args[1].Kind() == ast.ListKind && args[1].AsList().Size() == 1:
		return f[args[1].AsList().Elements()[0].ID()]
	}
	return nil
}
