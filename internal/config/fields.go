package config

import (
	"reflect"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/edits"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// fields checks the members of a map whose Go type is a struct.
func (c *checker) fields(path string, n *manifest.Node, t reflect.Type) {
	types := fieldTypes(t)
	for _, member := range n.Members {
		fieldType, known := types[member.Key]
		if known {
			if t == reflect.TypeFor[v1alpha1.Row]() && member.Value.Kind == manifest.String && member.Value.Text == "" && fieldType.Kind() == reflect.String {
				// An empty value would have the same effect as no field, and a row without drop
				// keeps values.
				c.fail(member.Line, path+"."+member.Key, "is empty; write it out, or remove it")
				continue
			}
			c.field(path+"."+member.Key, member, t, fieldType)
			continue
		}
		var names []string
		for name := range types {
			names = append(names, name)
		}
		slices.Sort(names)
		_, ofRow := fieldTypes(reflect.TypeFor[v1alpha1.Row]())[member.Key]
		if t == reflect.TypeFor[v1alpha1.Part]() && ofRow {
			c.fail(member.Line, path+"."+member.Key, "unknown field; a part has no mapping, because rows or table map its elements. Known are %s", strings.Join(names, ", "))
			continue
		}
		if within := misplaced(t, member, ofRow); within != "" {
			c.fail(member.Line, path+"."+member.Key, "unknown field; %s", within)
			continue
		}
		if stray := strayed(member.Key, n); t == reflect.TypeFor[v1alpha1.Row]() && stray != "" {
			c.fail(member.Line, path+"."+member.Key, "unknown field; %s", stray)
			continue
		}
		if near := edits.Nearest(member.Key, names); near != "" {
			c.fail(member.Line, path+"."+member.Key, "unknown field; did you mean %s?", near)
		} else {
			c.fail(member.Line, path+"."+member.Key, "unknown field; known are %s%s", strings.Join(names, ", "), torn(member.Key))
		}
	}
	for _, name := range required(t) {
		if text := n.Get(name); text == nil || text.Kind == manifest.String && text.Text == "" {
			c.fail(n.Line, path+"."+name, "is missing or empty; write %s", innerForms[t][name])
		}
	}
}

// field checks a field of a type. If its value has another type, the message shows how to write
// it.
func (c *checker) field(path string, member manifest.Member, of, t reflect.Type) {
	before := len(c.problems)
	mayBeEmpty := slices.Contains([]string{"each", "single", "scalar", "variant"}, member.Key)
	if member.Value.Kind == manifest.Null && of == reflect.TypeFor[v1alpha1.Row]() && mayBeEmpty {
		// Usually the content of the field is not indented far enough.
		c.fail(member.Line, path, "must not be null: indent its content further, or write %s: {}", member.Key)
		return
	}
	c.check(path, member.Value, t)
	form := ""
	switch {
	case of == reflect.TypeFor[v1alpha1.Row]():
		form = forms[member.Key]
	default:
		form = innerForms[of][member.Key]
	}
	if form == "" {
		return
	}
	if member.Key == "text" && member.Value.Get("rows") != nil {
		form += "; " + textRows
	}
	for _, p := range c.problems[before:] {
		if p.err.Path == path && strings.HasPrefix(p.err.Message, "must be") {
			p.err.Message, _, _ = strings.Cut(p.err.Message, "; put it in quotes")
			p.err.Message += "; write " + form
		}
	}
}

// required returns the texts that a mapping must have. The compiler checks those of the table
// itself, because it knows which values are possible.
func required(t reflect.Type) []string {
	switch t {
	case reflect.TypeFor[v1alpha1.Join]():
		return []string{"separator"}
	case reflect.TypeFor[v1alpha1.Keyed]():
		return []string{"key"}
	case reflect.TypeFor[v1alpha1.Alternative]():
		return []string{"name"}
	}
	return nil
}

// fieldTypes maps the names of a struct's fields in JSON to their types.
func fieldTypes(t reflect.Type) map[string]reflect.Type {
	types := map[string]reflect.Type{}
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name != "":
			types[name] = field.Type
		case strings.Contains(options, "inline"):
			for name, inner := range fieldTypes(field.Type) {
				types[name] = inner
			}
		}
	}
	return types
}
