package expression

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// readOf records the list that a macro iterates over. If the macro reads only some members of the
// elements, an edit of the others does not change what the expression reads.
func (r *reader) readOf(list chain, c ast.ComprehensionExpr) {
	s, at := r.e.follow(list)
	if len(at) < len(list.names) || s.Type != "array" || s.Items == nil || len(s.Items.Members) == 0 {
		r.read(list)
		return
	}
	element := c.IterVar()
	if c.HasIterVar2() {
		element = c.IterVar2()
	}
	m := selectedMembers{of: s.Items, element: element}
	if !m.readsOnlyMembers(c.LoopCondition()) || !m.readsOnlyMembers(c.LoopStep()) || !m.readsOnlyMembers(c.Result()) {
		r.read(list)
		return
	}
	slices.Sort(m.names)
	r.readMembers(list, slices.Compact(m.names))
}

// selectedMembers finds the members of an element that expressions read.
type selectedMembers struct {
	of      *schema.Schema
	element string
	names   []string
}

// readsOnlyMembers reports whether an expression reads only single members of the element, and records them.
func (m *selectedMembers) readsOnlyMembers(e ast.Expr) bool {
	switch e.Kind() {
	case ast.IdentKind:
		return strings.TrimPrefix(e.AsIdent(), ".") != m.element
	case ast.SelectKind:
		s := e.AsSelect()
		return m.member(s.Operand(), s.FieldName(), true) || m.readsOnlyMembers(s.Operand())
	case ast.CallKind:
		call := e.AsCall()
		switch call.FunctionName() {
		case operators.Index, operators.OptIndex, operators.OptSelect:
			if name, constant := literal(call.Args()[1]); m.member(call.Args()[0], name, constant) {
				return true
			}
		}
		return (!call.IsMemberFunction() || m.readsOnlyMembers(call.Target())) && m.all(call.Args())
	case ast.ListKind:
		return m.all(e.AsList().Elements())
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			if !m.readsOnlyMembers(entry.AsMapEntry().Key()) || !m.readsOnlyMembers(entry.AsMapEntry().Value()) {
				return false
			}
		}
	case ast.StructKind:
		for _, field := range e.AsStruct().Fields() {
			if !m.readsOnlyMembers(field.AsStructField().Value()) {
				return false
			}
		}
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		if !m.readsOnlyMembers(c.IterRange()) || !m.readsOnlyMembers(c.AccuInit()) {
			return false
		}
		if slices.Contains([]string{c.IterVar(), c.IterVar2(), c.AccuVar()}, m.element) {
			return true // inside, the name is another variable
		}
		return m.readsOnlyMembers(c.LoopCondition()) && m.readsOnlyMembers(c.LoopStep()) && m.readsOnlyMembers(c.Result())
	}
	return true
}

func (m *selectedMembers) all(expressions []ast.Expr) bool {
	return !slices.ContainsFunc(expressions, func(e ast.Expr) bool { return !m.readsOnlyMembers(e) })
}

// member records a member that is selected from the element itself.
func (m *selectedMembers) member(object ast.Expr, name string, constant bool) bool {
	if !constant || object.Kind() != ast.IdentKind || object.AsIdent() != m.element {
		return false
	}
	if unescaped, ok := apiservercel.Unescape(name); ok {
		name = unescaped
	}
	m.names = append(m.names, name)
	return true
}

func merged(a, b []string) []string {
	all := append(slices.Clone(a), b...)
	slices.Sort(all)
	return slices.Compact(all)
}
