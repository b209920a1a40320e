package reference

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// hole is a hole of a template, or a brace that is written twice.
var hole = regexp.MustCompile(`\{\{|\}\}|\{([^{}]*)\}`)

// brace is the one that stands for two.
func brace(h string) (string, bool) { return h[:1], h == "{{" || h == "}}" }

// optional is what is in brackets.
var optional = regexp.MustCompile(`\[([^\[\]]*)\]`)

// template writes a string from fields, or fields from a string, with what is in brackets
// if there is any of it.
func (s side) template(text string, source, target *v1alpha1.Place, v, out *tree.Value, to *schema) {
	with, without := optional.ReplaceAllString(text, "$1"), optional.ReplaceAllString(text, "")
	if inside := optional.FindString(text); inside != "" && source.Named != nil {
		there := false
		for name, path := range source.Named {
			there = there || strings.Contains(inside, "{"+name+"}") && v.At(s.path(&v1alpha1.Place{Path: path})) != nil
		}
		if !there {
			with = without
		}
	}
	if !s.plainTemplate(with, source, target, v, out, to) && source.Named == nil {
		s.plainTemplate(without, source, target, v, out, to)
	}
}

// plainTemplate is template for one without brackets. It says whether the fields, or the string,
// are as that says.
func (s side) plainTemplate(text string, source, target *v1alpha1.Place, v, out *tree.Value, to *schema) bool {
	if source.Named != nil {
		complete := true
		made := hole.ReplaceAllStringFunc(text, func(h string) string {
			if one, is := brace(h); is {
				return one
			}
			value := v.At(s.path(&v1alpha1.Place{Path: source.Named[strings.Trim(h, "{}")]}))
			if value == nil || value.Kind != tree.String && value.Kind != tree.Number {
				complete = false
				return ""
			}
			if value.Kind == tree.Number && strings.HasPrefix(value.Text, "-") {
				s.c.unclear = true
			}
			return value.Text
		})
		if complete {
			out.Put(s.path(target), tree.NewString(made))
		}
		return complete
	}
	value := v.At(s.path(source))
	if value == nil || value.Kind != tree.String {
		return false
	}
	integer := func(path string) bool { return at(to, s.path(&v1alpha1.Place{Path: path})).Type == "integer" }
	names, expr, last := []string{}, "^(?s:", 0
	for _, m := range hole.FindAllStringSubmatchIndex(text, -1) {
		expr += regexp.QuoteMeta(text[last:m[0]])
		last = m[1]
		if one, is := brace(text[m[0]:m[1]]); is {
			expr += regexp.QuoteMeta(one)
			continue
		}
		name := text[m[2]:m[3]]
		if integer(target.Named[name]) {
			expr += "([0-9]+)"
		} else {
			expr += "(.*)"
		}
		names = append(names, name)
	}
	parts := regexp.MustCompile(expr + regexp.QuoteMeta(text[last:]) + ")$").FindStringSubmatch(value.Text)
	if parts == nil {
		return false
	}
	for i, name := range names {
		if integer(target.Named[name]) {
			if _, err := strconv.ParseInt(parts[i+1], 10, 64); err != nil {
				return false
			}
		}
	}
	for i, name := range names {
		p := s.path(&v1alpha1.Place{Path: target.Named[name]})
		if integer(target.Named[name]) {
			n, _ := strconv.ParseInt(parts[i+1], 10, 64)
			out.Put(p, tree.NewNumber(strconv.FormatInt(n, 10)))
		} else {
			out.Put(p, tree.NewString(parts[i+1]))
		}
	}
	return true
}
