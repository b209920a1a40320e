package expression

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// Read is a field that an expression reads.
type Read struct {
	// Outside says that Path starts at the whole object, although the expression is about an
	// element.
	Outside bool
	Path    path.Path
	// Presence says that the expression reads only whether the field has a value other than null.
	Presence bool
	// Object says that, for Presence, the value must be an object.
	Object bool
	// Of are the members of the elements of a list that are read, or nil if all are.
	Of     []string
	Schema *schema.Schema
}

// Same reports whether two reads are the same.
func (r Read) Same(o Read) bool { return r.samePlace(o) && slices.Equal(r.Of, o.Of) }

func (r Read) samePlace(o Read) bool {
	return r.Outside == o.Outside && r.Presence == o.Presence && r.Object == o.Object && slices.Equal(r.Path, o.Path)
}

// chain is a variable with the constant names that are selected from it.
type chain struct {
	variable string
	// names are the names as the expression writes them: those of fields are escaped.
	names []string
	// presence says that has() tests the last one.
	presence bool
}

// chainOf returns the chain that an expression is. locals are the names of the macro variables
// around it.
func chainOf(e ast.Expr, locals []string) (chain, bool) {
	switch e.Kind() {
	case ast.IdentKind:
		name := strings.TrimPrefix(e.AsIdent(), ".")
		known := name == Self || name == Object || name == Parameters
		return chain{variable: name}, known && !slices.Contains(locals, e.AsIdent())
	case ast.SelectKind:
		s := e.AsSelect()
		c, ok := chainOf(s.Operand(), locals)
		return c.with(s.FieldName(), s.IsTestOnly()), ok
	case ast.CallKind:
		call := e.AsCall()
		switch call.FunctionName() {
		case operators.Index, operators.OptIndex, operators.OptSelect:
			name, isString := literal(call.Args()[1])
			c, ok := chainOf(call.Args()[0], locals)
			return c.with(name, false), ok && isString
		}
	}
	return chain{}, false
}

func (c chain) with(name string, presence bool) chain {
	return chain{c.variable, append(c.names[:len(c.names):len(c.names)], name), presence}
}

func literal(e ast.Expr) (string, bool) {
	if e.Kind() != ast.LiteralKind {
		return "", false
	}
	text, ok := e.AsLiteral().(types.String)
	return string(text), ok
}

// follow returns the schema and the path of the field that a chain selects, as far as there is a
// field for one name after the other.
func (e *Environment) follow(c chain) (*schema.Schema, path.Path) {
	s := e.self
	if c.variable == Object {
		s = e.object
	}
	var at path.Path
	for _, name := range c.names {
		if len(s.Members) > 0 {
			if unescaped, ok := apiservercel.Unescape(name); ok {
				name = unescaped
			}
		}
		next := s.Member(name)
		if s.Type == "array" || next == nil {
			break
		}
		s, at = next, append(at, name)
	}
	return s, at
}

// reader finds the fields that an expression reads.
type reader struct {
	e     *Environment
	reads []Read
	// parameters are those that it uses.
	parameters []string
	wrong      *Mistake
}

func (r *reader) visit(e ast.Expr, locals []string) {
	if c, ok := chainOf(e, locals); ok {
		switch {
		case c.variable != Parameters:
			r.read(c)
		case len(c.names) > 0:
			name, _ := apiservercel.Unescape(c.names[0])
			r.parameters = append(r.parameters, name)
		default:
			r.parameters = append(r.parameters, r.e.parameters.names()...)
		}
		return
	}
	switch e.Kind() {
	case ast.SelectKind:
		r.visit(e.AsSelect().Operand(), locals)
	case ast.CallKind:
		call := e.AsCall()
		if call.IsMemberFunction() {
			r.visit(call.Target(), locals)
		}
		for _, arg := range call.Args() {
			r.visit(arg, locals)
		}
	case ast.ListKind:
		for _, element := range e.AsList().Elements() {
			r.visit(element, locals)
		}
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			r.visit(entry.AsMapEntry().Key(), locals)
			r.visit(entry.AsMapEntry().Value(), locals)
		}
	case ast.StructKind:
		for _, field := range e.AsStruct().Fields() {
			r.visit(field.AsStructField().Value(), locals)
		}
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		if list, ok := chainOf(c.IterRange(), locals); ok && list.variable != Parameters {
			r.readOf(list, c)
		} else {
			r.visit(c.IterRange(), locals)
		}
		r.visit(c.AccuInit(), locals)
		inner := append(locals[:len(locals):len(locals)], c.IterVar(), c.IterVar2(), c.AccuVar())
		for _, name := range []string{Self, Object, Parameters} {
			if c.IterVar() == name || c.IterVar2() == name {
				r.fail(mistake("use another name", "a macro declares the variable %s, which is the name of %s", name, described(name)))
			}
		}
		r.visit(c.LoopCondition(), inner)
		r.visit(c.LoopStep(), inner)
		r.visit(c.Result(), inner)
	}
}

func described(variable string) string {
	return map[string]string{Self: "the object at the row's scope", Object: "the whole object", Parameters: "the table's parameters"}[variable]
}

func (r *reader) fail(m *Mistake) {
	if r.wrong == nil {
		r.wrong = m
	}
}

// read records the field of a chain, and the presence of the objects around it: without them,
// selecting fails.
func (r *reader) read(c chain) { r.readMembers(c, nil) }

func (r *reader) readMembers(c chain, of []string) {
	s, at := r.e.follow(c)
	whole := c.variable == Object || r.e.self == r.e.object
	if whole && len(at) == 0 {
		r.fail(mistake("name the fields that it needs, for example "+c.variable+".spec", "it reads all of %s", c.variable))
		return
	}
	presence := c.presence && len(at) == len(c.names)
	if whole && at[0] == "metadata" {
		if m := checkMetadata(c, at); m != nil {
			r.fail(m)
			return
		}
	}
	outside := whole && r.e.self != r.e.object
	if !whole || at[0] != "metadata" {
		for n := 1; n < len(at); n++ {
			r.add(Read{Outside: outside, Path: at[:n:n], Presence: true, Schema: r.e.at(outside, at[:n])})
		}
	}
	r.add(Read{Outside: outside, Path: at, Presence: presence, Of: of, Schema: s})
}

func (e *Environment) at(outside bool, p path.Path) *schema.Schema {
	if outside {
		return e.object.At(p)
	}
	return e.self.At(p)
}

func (r *reader) add(read Read) {
	known := slices.IndexFunc(r.reads, read.samePlace)
	if known < 0 {
		r.reads = append(r.reads, read)
		return
	}
	if of := &r.reads[known].Of; *of == nil || read.Of == nil {
		*of = nil
	} else {
		*of = merged(*of, read.Of)
	}
}

// checkMetadata allows only single fields of metadata, and single labels and annotations, because
// conversions add annotations.
func checkMetadata(c chain, at path.Path) *Mistake {
	switch {
	case len(at) == 2 && slices.Contains([]string{"name", "generateName", "namespace"}, at[1]):
	case len(at) == 3 && (at[1] == "labels" || at[1] == "annotations"):
		if strings.HasSuffix(strings.Split(at[2], "/")[0], "crosswalk.dev") {
			return mistake("use a prefix of your own", "it reads %s: annotations of crosswalk.dev are reserved for Crosswalk", at)
		}
	default:
		return mistake("name one, for example "+c.variable+".metadata.?annotations[?'example.com/owner']", "it reads %s: in metadata, an expression can only read name, generateName, namespace, and a single label or annotation", at)
	}
	return nil
}

func sortedMembers(s *schema.Schema) iter.Seq2[string, *schema.Schema] {
	return func(yield func(string, *schema.Schema) bool) {
		for _, name := range slices.Sorted(maps.Keys(s.Members)) {
			if !yield(name, s.Members[name]) {
				return
			}
		}
	}
}
