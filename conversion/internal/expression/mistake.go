package expression

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/edits"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

// Mistake is something that is wrong with an expression.
type Mistake struct{ Message, Remedy string }

func (m *Mistake) Error() string { return m.Message }

// objectTypes are the names of objects' types, which authors don't know.
var objectTypes = regexp.MustCompile(`\b(Self|Object)(\.[\w@]+)*`)

func mistake(remedy, format string, args ...any) *Mistake {
	return &Mistake{Message: fmt.Sprintf(format, args...), Remedy: remedy}
}

// issue makes a mistake of the first issue that cel-go reports.
func (e *Environment) issue(text string, issues *cel.Issues) *Mistake {
	first := issues.Errors()[0]
	message := objectTypes.ReplaceAllString(strings.TrimSpace(first.Message), "object")
	at := fmt.Sprintf("at character %d", first.Location.Column()+1)
	if strings.Contains(text, "\n") {
		at = fmt.Sprintf("at line %d, character %d", first.Location.Line(), first.Location.Column()+1)
	}
	if name, ok := between(message, "undefined field '", "'"); ok {
		if c, found := e.selectedObject(text, first.ExprID); found && c.variable == Parameters && len(c.names) == 0 {
			return mistake(AddParameter(name, e.parameters.names()), "%s: there is no parameter %s", at, name)
		}
	}
	return mistake(e.remedy(text, first, message), "%s: %s", at, message)
}

// AddParameter returns the remedy for a parameter that is not among those of the table.
func AddParameter(name string, known []string) string {
	switch near := nearest(name, known, len(name)/3+1); {
	case near != "":
		return "did you mean " + near + "?"
	case len(known) > 0:
		return fmt.Sprintf("add it: spec.parameters: {%s: ...}, or use one of %s", name, strings.Join(known, ", "))
	}
	return fmt.Sprintf("add it: spec.parameters: {%s: ...}", name)
}

func (e *Environment) remedy(text string, first *common.Error, message string) string {
	if name, ok := between(message, "undefined field '", "'"); ok {
		return e.similarField(text, first.ExprID, name)
	}
	if name, ok := between(message, "undeclared reference to '", "'"); ok {
		if near := nearest(name, []string{Self, Object, Parameters}, len(name)/2+1); near != "" {
			return "did you mean " + near + "?"
		}
		if s, _ := e.follow(chain{variable: Self, names: []string{name}}); s != nil && s != e.self && !strings.Contains(message, "function") {
			return "did you mean self." + name + "?"
		}
		if !strings.Contains(message, "function") {
			return "an expression can use self, object and parameters, and the functions of Kubernetes 1.36"
		}
	}
	for sign, meant := range map[string]string{"=": "==", "&": "&&", "|": "||"} {
		if strings.Contains(message, "token recognition error at: '"+sign) {
			return "write " + meant
		}
	}
	if strings.Contains(message, "overload for '_?_:_'") {
		if strings.Contains(message, "optional_type(") {
			return "if one result is optional, the other must be, too: read it as self.spec.?a, or write optional.of(...) around it"
		}
		return oneType(message)
	}
	if strings.Contains(message, "overload for '_+_'") && (strings.Contains(message, "list(") || strings.Contains(message, "map(")) {
		return "the elements of both lists must have the same type: write dyn(...) around each element, for example [dyn({...})] + self.list.map(e, dyn(e))"
	}
	if operands, ok := between(message, "applied to '(", ")'"); ok && strings.Contains(message, "overload for '_") {
		left, right, two := strings.Cut(operands, ", ")
		switch {
		case two && (strings.HasPrefix(left, "null") || strings.HasPrefix(right, "null")):
			return "an absent field is not null: test it with has(self.field) or self.?field.hasValue()"
		case two && left == "object" && right == "object":
			return "the two are objects of different types: write dyn(...) around each"
		case two && (left == "object" || right == "object"):
			return "one of the two is an object: name a field of it"
		case two && (left == "string" || right == "string"):
			return "the two are of different types: write string(...) around the one that is not a string"
		case two && left != right && (left == "double" || right == "double"):
			return "the two are of different types: write double(...) around the other one"
		case two && left != right:
			return "the two are of different types: convert one of them, for example with int(...) or string(...)"
		}
	}
	if operands, ok := between(message, "applied to '", "'"); ok && strings.Contains(operands, "list(object).(object)") {
		return "the two are objects of different types: write dyn(...) around each"
	}
	return ""
}

// oneType returns the remedy for two results of different types.
func oneType(message string) string {
	operands, _ := between(message, "applied to '(bool, ", ")'")
	first, second, two := strings.Cut(operands, ", ")
	single := func(name string) bool { return slices.Contains([]string{"string", "int", "double", "bool"}, name) }
	switch {
	case !two || !single(first) || !single(second):
		return "both results must have the same type: write dyn(...) around each"
	case first == "string" || second == "string":
		return "both results must have the same type: write string(...) around the one that is not a string"
	case first == "double" || second == "double":
		return "both results must have the same type: write double(...) around the other one"
	}
	return "both results must have the same type: write string(...) around each"
}

// similarField returns the field of an object that an author may have meant, or "".
func (e *Environment) similarField(text string, id int64, name string) string {
	c, found := e.selectedObject(text, id)
	if !found {
		return ""
	}
	var names []string
	var further string
	ofSelf := false
	if s, _ := e.follow(c); s != nil {
		names = fieldsOf(s, s == e.object)
		ofSelf = s == e.self
		further = furtherIn(c, s, name)
	}
	switch near := nearest(name, names, len(name)/3+1); {
	case ofSelf && e.self != e.object && e.object.Member(name) != nil:
		return "self is the element here, or the object that the table is used for; the whole object is " + Object
	case near != "":
		return "did you mean " + near + "?"
	case further != "":
		return "did you mean " + further + "?"
	case len(names) == 0:
		return ""
	case len(names) > 12:
		names = append(names[:12], "...")
	}
	return "its fields are " + strings.Join(names, ", ")
}

// selectedObject returns the object from which an expression selects a field, by the number of the
// selection.
func (e *Environment) selectedObject(text string, id int64) (c chain, found bool) {
	if e.env == nil {
		return c, false
	}
	parsed, issues := e.env.Parse(text)
	if issues.Err() != nil {
		return c, false
	}
	ast.PreOrderVisit(parsed.NativeRep().Expr(), ast.NewExprVisitor(func(expr ast.Expr) {
		if object := objectOf(expr, id); object != nil {
			if of, ok := chainOf(object, nil); ok {
				c, found = of, true
			}
		}
	}))
	return c, found
}

// objectOf returns the object from which an expression selects a field, or nil. id is the number of
// the selection, or of the name of the field: a.b, or a.?b.
func objectOf(expr ast.Expr, id int64) ast.Expr {
	switch expr.Kind() {
	case ast.SelectKind:
		if expr.ID() == id {
			return expr.AsSelect().Operand()
		}
	case ast.CallKind:
		if call := expr.AsCall(); call.FunctionName() == operators.OptSelect && (expr.ID() == id || call.Args()[1].ID() == id) {
			return call.Args()[0]
		}
	}
	return nil
}

// fieldsOf returns the names that expressions have for the fields of an object.
func fieldsOf(s *schema.Schema, root bool) []string {
	var names []string
	for name := range sortedMembers(s) {
		if root && (name == "apiVersion" || name == "kind") {
			continue
		}
		if escaped, ok := apiservercel.Escape(name); ok {
			names = append(names, escaped)
		}
	}
	return names
}

// nearest returns the name that is nearest to another, if it is nearer than distance.
func nearest(name string, names []string, distance int) string {
	best := ""
	for _, candidate := range names {
		if d := edits.Distance(name, candidate); d < distance {
			best, distance = candidate, d
		}
	}
	return best
}

func between(text, before, behind string) (string, bool) {
	_, rest, found := strings.Cut(text, before)
	if !found {
		return "", false
	}
	inside, _, found := strings.Cut(rest, behind)
	return inside, found
}

// furtherIn returns the path of the only field of that name inside an object's members, as an
// expression writes it, or "".
func furtherIn(c chain, s *schema.Schema, name string) string {
	var found []string
	for in := range sortedMembers(s) {
		escaped, ok := apiservercel.Escape(in)
		if ok && s.Members[in] != nil && s.Members[in].Members[name] != nil {
			found = append(found, strings.Join(slices.Concat([]string{c.variable}, c.names, []string{escaped, name}), "."))
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// Select returns the expression that reads a field of a variable, as far as CEL has names for the
// path.
func Select(variable string, p path.Path) string {
	text := variable
	for _, name := range p {
		escaped, ok := apiservercel.Escape(name)
		if !ok {
			return text
		}
		text += "." + escaped
	}
	return text
}
