package policy

import (
	"fmt"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"k8s.io/apimachinery/pkg/runtime/schema"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// reads is what an expression can read, as far as its text shows.
type reads struct {
	// object are the places in the object.
	object []read
	// change reports that it reads the request and not only the object: the writer, or the old
	// object. Its value then depends on this request, whatever the request changes.
	change bool
	// writer reports that it reads who writes: request.userInfo, request.options, or authorizer.
	writer bool
	// params reports that it reads params, and objects that it reads any objects besides that
	// of the request: params, or lookups.
	params, objects bool
	// secret reports that it reads a Secret, or values that were found with one, so that
	// nothing derived from it may be shown.
	secret bool
	// authorizer reports that it asks for rights of users.
	authorizer bool
}

// read is what is read of a value: the value at a path, or only whether it exists. A path
// without names is the whole value.
type read struct {
	path     fieldPath
	presence bool
}

// below returns the read of a value with such a member, where r is a read of the member.
func (r read) below(name string) read {
	return read{append(fieldPath{name}, r.path...), r.presence}
}

func (r *reads) add(other *reads) {
	r.change, r.secret, r.writer = r.change || other.change, r.secret || other.secret, r.writer || other.writer
	r.params, r.objects, r.authorizer = r.params || other.params, r.objects || other.objects, r.authorizer || other.authorizer
	for _, place := range other.object {
		r.place(place)
	}
}

// request reports whether it reads anything of the objects of the request.
func (r *reads) request() bool { return r.change || len(r.object) > 0 }

func (r *reads) place(place read) {
	if !slices.ContainsFunc(r.object, func(known read) bool {
		return known.presence == place.presence && slices.Equal(known.path, place.path)
	}) {
		r.object = append(r.object, place)
	}
}

// finder finds what an expression reads. Of a variable it follows the definition, but only the
// part that the expression reads.
type finder struct {
	reads
	// lookups and variables are the known ones, by name.
	lookups   map[string]*reads
	variables map[string]*ast.AST
	// anything is everything that can be read besides the object, and params what is read of
	// params.
	anything, params reads
	// seen holds the reads of variables that were followed, so that a shared one is followed
	// once.
	seen map[string]bool
	// lost reports that there are too many reads.
	lost bool
}

// most is how many places, and reads of variables, are distinguished. Variables of variables
// can read as many places as there are paths through them. An expression that reads more is
// treated as one that reads everything.
const most = 1000

func (f *finder) lose() {
	f.object, f.lost = []read{{}}, true
	f.add(&f.anything)
}

// of finds what an expression reads, and ignores one that does not compile.
func (f finder) of(x *expression) *reads {
	if x.broken == nil {
		f.reads, f.seen, f.lost = reads{}, map[string]bool{}, false
		f.visit(x.checked.Expr(), read{}, nil)
		x.reads = &f.reads
	}
	return x.reads
}

// findReads finds what every expression reads.
func (p *Policy) findReads() {
	f := finder{lookups: map[string]*reads{}, variables: map[string]*ast.AST{}}
	isSecret := func(kind schema.GroupVersionKind) bool { return kind.Group == "" && kind.Kind == "Secret" }
	if p.paramKind != nil {
		f.params = reads{params: true, objects: true, secret: isSecret(*p.paramKind)}
	}
	f.anything = reads{change: true, writer: true, params: p.paramKind != nil, objects: len(p.Reads()) > 0, secret: slices.ContainsFunc(p.Reads(), func(r Read) bool { return isSecret(r.Kind) })}
	for _, l := range p.lookups {
		all := &reads{objects: true, secret: isSecret(l.kind)}
		for _, x := range l.expressions() {
			if found := f.of(x); found != nil {
				all.add(found)
			}
		}
		f.lookups[l.name] = all
	}
	for _, v := range p.variables {
		if f.of(&v.expression) != nil {
			f.variables[v.name] = v.checked
		}
	}
	find := func(x *expression) {
		found := f.of(x)
		p.authorizes = p.authorizes || found != nil && found.authorizer
		p.writer = p.writer || found != nil && found.writer
	}
	for _, c := range p.conditions {
		find(&c.expression)
	}
	for _, r := range p.rules {
		find(&r.expression)
		if r.messageExpression != nil {
			find(r.messageExpression)
		}
	}
	for _, a := range p.audits {
		find(&a.expression)
	}
	for _, m := range p.mutations {
		find(&m.expression)
	}
}

// neutral reports whether a member of request describes the request and not the writer.
func neutral(member string) bool {
	switch member {
	case "operation", "kind", "resource", "subResource", "requestKind", "requestResource", "requestSubResource", "name", "namespace":
		return true
	}
	return false
}

// visit walks an expression whose value is read. bound are the variables of macros around it:
// their values were read with what the macro iterates over.
func (f *finder) visit(e ast.Expr, of read, bound []string) {
	if f.lost {
		return
	}
	all := func(parts ...ast.Expr) {
		for _, part := range parts {
			f.visit(part, read{}, bound)
		}
	}
	switch e.Kind() {
	case ast.IdentKind:
		if !slices.Contains(bound, e.AsIdent()) {
			f.read(e.AsIdent(), of)
		}
	case ast.SelectKind:
		of = of.below(e.AsSelect().FieldName())
		of.presence = of.presence || e.AsSelect().IsTestOnly()
		f.visit(e.AsSelect().Operand(), of, bound)
	case ast.CallKind:
		f.call(e.AsCall(), of, bound)
	case ast.ListKind:
		all(e.AsList().Elements()...)
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			all(entry.AsMapEntry().Key(), entry.AsMapEntry().Value())
		}
	case ast.StructKind:
		for _, field := range e.AsStruct().Fields() {
			all(field.AsStructField().Value())
		}
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		all(c.IterRange(), c.AccuInit())
		bound = append(slices.Clone(bound), c.IterVar(), c.IterVar2(), c.AccuVar())
		all(c.LoopCondition(), c.LoopStep(), c.Result())
	}
}

// call walks a call. A call that returns a part of an argument reads that part, and any other
// call reads all of it.
func (f *finder) call(call ast.CallExpr, of read, bound []string) {
	args := call.Args()
	if call.IsMemberFunction() {
		args = append([]ast.Expr{call.Target()}, args...)
	}
	switch name := call.FunctionName(); {
	case asksForObject(call):
		return
	case name == operators.Conditional:
		f.visit(args[0], read{}, bound)
		f.visit(args[1], of, bound)
		f.visit(args[2], of, bound)
		return
	case name == operators.Index || name == operators.OptIndex || name == operators.OptSelect:
		if member, literal := text(args[1]); literal {
			f.visit(args[0], of.below(member), bound)
			return
		}
	case name == "orValue" || name == "or":
		f.visit(args[0], of, bound)
		f.visit(args[1], of, bound)
		return
	case name == "hasValue":
		f.visit(args[0], read{presence: true}, bound)
		return
	case name == "value" || name == "optional.of" || name == "dyn":
		f.visit(args[0], of, bound)
		return
	}
	for _, arg := range args {
		f.visit(arg, read{}, bound)
	}
}

// asksForObject recognizes object == null and object != null. If there are two objects to
// compare, neither is null.
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

func (f *finder) read(root string, of read) {
	switch root {
	case plugincel.ObjectVarName:
		if f.place(of); len(f.object) > most {
			f.lose()
		}
	case plugincel.RequestVarName:
		f.change = f.change || len(of.path) == 0 || !neutral(of.path[0])
		f.writer = f.writer || len(of.path) == 0 || of.path[0] == "userInfo" || of.path[0] == "options"
	case plugincel.OldObjectVarName:
		f.change = true
	case plugincel.AuthorizerVarName, plugincel.RequestResourceAuthorizerVarName:
		f.change, f.writer, f.authorizer = true, true, true
	case plugincel.ParamsVarName:
		f.add(&f.params)
	case plugincel.VariableVarName, lookupsVarName:
		f.member(root, of)
	}
}

// member reads what a variable or a lookup reads. An unknown one reads everything.
func (f *finder) member(root string, of read) {
	name, known := "", len(of.path) > 0
	if known {
		name, known = apiservercel.Unescape(of.path[0])
	}
	of.path = of.path[min(1, len(of.path)):]
	lookup, variable := f.lookups[name], f.variables[name]
	switch {
	case known && root == lookupsVarName && lookup != nil:
		f.add(lookup)
	case known && root == plugincel.VariableVarName && variable != nil:
		key := fmt.Sprintf("%q %t", append(fieldPath{name}, of.path...), of.presence)
		if f.seen[key] {
			return
		}
		if f.seen[key] = true; len(f.seen) > most {
			f.lose()
		}
		f.visit(variable.Expr(), of, nil)
	default:
		f.add(&f.anything)
	}
}

func text(e ast.Expr) (string, bool) {
	if e.Kind() != ast.LiteralKind {
		return "", false
	}
	s, ok := e.AsLiteral().(types.String)
	return string(s), ok
}
