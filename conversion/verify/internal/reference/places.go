package reference

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// path parses a path of a row. Only tests use this package, with tables that have compiled. So a
// path that can't be parsed, and a value that is not JSON (see literal), is a mistake of the test.
func (s side) path(p *v1alpha1.Place) tree.Path {
	out, ok := s.c.parse(p.Path)
	if !ok {
		panic(fmt.Sprintf("path %q", p.Path))
	}
	return out
}

func (s side) paths(p *v1alpha1.Place) []tree.Path {
	if p == nil {
		return nil
	}
	if p.Named == nil {
		return []tree.Path{s.path(p)}
	}
	var out []tree.Path
	for _, text := range p.Named {
		out = append(out, s.path(&v1alpha1.Place{Path: text}))
	}
	return out
}

// inRange reports whether a number fits an integer of 32 bits, if the schema requires that.
func inRange(s *schema, v *tree.Value) bool {
	if s == nil || s.Type != "integer" || s.Format != "int32" || v.Kind != tree.Number {
		return true
	}
	_, err := strconv.ParseInt(tree.NormalNumber(v.Text), 10, 32)
	return err == nil
}

func nullable(s *schema) bool { return s == nil || s.Nullable }

// holdsMembers reports whether an object is valid, declared or without a schema.
func holdsMembers(s *schema) bool {
	return s.Type == "object" || s.Type == "" && preserves(s)
}

func preserves(s *schema) bool {
	return s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields
}

// at returns the schema at a path of names.
func at(s *schema, p tree.Path) *schema {
	for _, step := range p {
		if s == nil {
			return nil
		}
		next, ok := s.Properties[step.Name]
		switch {
		case ok:
			s = &next
		case s.AdditionalProperties != nil:
			s = s.AdditionalProperties.Schema
		default:
			return &schema{}
		}
	}
	return s
}

// isDeclared reports whether a schema has a field, or allows any.
func isDeclared(s *schema, p tree.Path) bool {
	around := at(s, p[:len(p)-1])
	if around == nil {
		return false
	}
	_, known := around.Properties[p[len(p)-1].Name]
	return known || around.XPreserveUnknownFields != nil && *around.XPreserveUnknownFields
}

// literal returns a value of a row. The compiler has rejected it if it is not JSON.
func literal(v *v1alpha1.Value) *tree.Value {
	if v == nil {
		return nil
	}
	out, err := tree.Parse(v.JSON)
	if err != nil {
		panic(err)
	}
	return out
}

func validLabel(text string) bool {
	if len(text) > 63 {
		return false
	}
	letter := func(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' }
	for i := range len(text) {
		if !letter(text[i]) && (i == 0 || i == len(text)-1 || !strings.ContainsRune("-_.", rune(text[i]))) {
			return false
		}
	}
	return true
}
