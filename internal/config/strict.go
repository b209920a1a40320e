package config

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/edits"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// problem is something in a document that its Go type does not allow.
type problem struct {
	line int
	err  *FieldError
}

// FieldError is an error in one field.
type FieldError struct {
	// Path is the field, such as .spec.versions[0].rows[2].spoke. It is empty for the whole
	// document.
	Path string
	// Message explains what is wrong, and the remedy.
	Message string
}

// Error formats as
//
//	.spec.hub must be a string, not a number; put it in quotes
//	.spec.hubb: unknown field; did you mean hub?
func (e *FieldError) Error() string {
	switch {
	case e.Path == "":
		return "the document " + e.Message
	case strings.HasPrefix(e.Message, "unknown"):
		return e.Path + ": " + e.Message
	}
	return e.Path + " " + e.Message
}

// checkDocument checks a document against the Go type of its kind, strictly: unknown fields,
// wrong types and nulls are problems. encoding/json is no substitute: it stops at the first
// problem, knows no lines, and treats null like a missing field.
func checkDocument(node *manifest.Node, t reflect.Type, remedy string) []problem {
	var c checker
	c.check("", node, t)
	if len(c.problems) > 0 {
		return c.problems
	}
	if node.Get("metadata").GetString("name") == "" {
		c.fail(node.Line, ".metadata.name", "is missing%s", remedy)
	}
	if node.Get("spec") == nil {
		c.fail(node.Line, ".spec", "is missing")
	}
	return c.problems
}

// checkCrosswalk checks a document against the type of a table.
func checkCrosswalk(node *manifest.Node) []problem {
	return checkDocument(node, reflect.TypeFor[v1alpha1.Crosswalk](), ": name the table for its CustomResourceDefinition")
}

type checker struct{ problems []problem }

func (c *checker) fail(line int, path, format string, args ...any) {
	c.problems = append(c.problems, problem{line, &FieldError{path, fmt.Sprintf(format, args...)}})
}

func (c *checker) check(path string, n *manifest.Node, t reflect.Type) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
		if n.Kind == manifest.Null {
			c.fail(n.Line, path, "must not be null: remove the field")
			return
		}
	}
	switch t {
	case reflect.TypeFor[v1alpha1.Place]():
		c.named(path, n, "a path", "a path or a map from names to paths")
		return
	case reflect.TypeFor[v1alpha1.Expressions]():
		c.named(path, n, "an expression", "an expression or a map from the names of places to expressions")
		return
	case reflect.TypeFor[v1alpha1.Names]():
		c.names(path, n)
		return
	case reflect.TypeFor[v1alpha1.Unit]():
		c.unit(path, n)
		return
	}
	if path == ".status" {
		// The cluster writes it. In a file it is ignored.
		c.want(path, n, manifest.Map)
		return
	}
	if words := wordsOf(t); words != nil {
		c.word(path, n, words)
		return
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		// v1alpha1.Value is any JSON. Types of metav1 are checked when they are decoded.
		return
	}
	switch t.Kind() {
	case reflect.String:
		c.want(path, n, manifest.String)
	case reflect.Bool:
		c.want(path, n, manifest.Boolean)
	case reflect.Int64:
		c.want(path, n, manifest.Number)
	case reflect.Slice:
		if c.want(path, n, manifest.List) {
			for i, item := range n.Items {
				c.check(fmt.Sprintf("%s[%d]", path, i), item, t.Elem())
			}
		}
	case reflect.Map:
		if c.want(path, n, manifest.Map) {
			for _, member := range n.Members {
				c.key(path, member)
				c.check(fmt.Sprintf("%s[%q]", path, member.Key), member.Value, t.Elem())
			}
		}
	case reflect.Struct:
		if c.want(path, n, manifest.Map) {
			c.fields(path, n, t)
		}
	}
}

// wordsOf returns the words that a type allows, or nil if it allows any text.
func wordsOf(t reflect.Type) []string {
	switch t {
	case reflect.TypeFor[v1alpha1.Admission]():
		return texts(v1alpha1.Admissions())
	case reflect.TypeFor[v1alpha1.Notation]():
		return texts(v1alpha1.Notations())
	case reflect.TypeFor[v1alpha1.Rounding]():
		return texts(v1alpha1.Roundings())
	case reflect.TypeFor[v1alpha1.Format]():
		return texts(v1alpha1.Formats())
	case reflect.TypeFor[v1alpha1.Side]():
		return texts(v1alpha1.Sides())
	}
	return nil
}

func texts[T ~string](words []T) []string {
	var out []string
	for _, word := range words {
		out = append(out, string(word))
	}
	return out
}

func (c *checker) word(path string, n *manifest.Node, words []string) {
	if !c.want(path, n, manifest.String) || slices.Contains(words, n.Text) {
		return
	}
	last := len(words) - 1
	remedy := ""
	if near := edits.Nearest(n.Text, words); near != "" && last > 1 {
		remedy = "; did you mean " + near + "?"
	}
	c.fail(n.Line, path, "must be %s or %s, not %q%s", strings.Join(words[:last], ", "), words[last], n.Text, remedy)
}

func (c *checker) unit(path string, n *manifest.Node) {
	switch n.Kind {
	case manifest.String:
	case manifest.Map:
		for _, member := range n.Members {
			if member.Key != "spoke" && member.Key != "hub" {
				c.fail(member.Line, path+"."+member.Key, "unknown field; known are hub, spoke")
				continue
			}
			c.want(path+"."+member.Key, member.Value, manifest.String)
		}
	case manifest.Number:
		c.fail(n.Line, path, "must be a unit such as s or Mi, or a map with spoke and hub, not %s; put it in quotes", n.Kind)
	default:
		c.fail(n.Line, path, "must be a unit such as s or Mi, or a map with spoke and hub, not %s", n.Kind)
	}
}

func (c *checker) want(path string, n *manifest.Node, kind manifest.Kind) bool {
	if n.Kind == kind {
		return true
	}
	remedy := ""
	if kind == manifest.String && (n.Kind == manifest.Boolean || n.Kind == manifest.Number) {
		// Usually it is a word that YAML does not read as text: y, on, 1.
		remedy = "; put it in quotes"
	}
	c.fail(n.Line, path, "must be %s, not %s%s", kind, n.Kind, remedy)
	return false
}

// key rejects the key of a map of texts that YAML reads as another type. It would silently
// become another value.
func (c *checker) key(path string, member manifest.Member) {
	if member.Word != "" {
		c.fail(member.Line, path, "has the key %s, which YAML reads as %s; put it in quotes, or write %[2]s", member.Word, member.Key)
	}
}

// named checks one text, or several by name. each describes one text, and all the whole field.
func (c *checker) named(path string, n *manifest.Node, each, all string) {
	switch n.Kind {
	case manifest.String:
	case manifest.Map:
		for _, member := range n.Members {
			c.key(path, member)
			if member.Value.Kind != manifest.String {
				c.fail(member.Value.Line, path+"."+member.Key, "must be %s (a string), not %s", each, member.Value.Kind)
			}
		}
	default:
		c.fail(n.Line, path, "must be %s, not %s", all, n.Kind)
	}
}

func (c *checker) names(path string, n *manifest.Node) {
	switch n.Kind {
	case manifest.String:
	case manifest.List:
		for i, item := range n.Items {
			c.want(fmt.Sprintf("%s[%d]", path, i), item, manifest.String)
		}
	default:
		c.fail(n.Line, path, "must be a field name or a list of field names, not %s", n.Kind)
	}
}
