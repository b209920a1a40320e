package reference

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

var (
	// hole finds placeholders of a template, with the characters that they never have, and braces
	// that are written twice.
	hole = regexp.MustCompile(`\{\{|\}\}|\{([^{}!]*)(?:!([^{}]*))?\}`)
	// optional finds optional parts.
	optional = regexp.MustCompile(`\[([^\[\]]*)\]`)
)

// brace returns the brace that is written twice.
func brace(h string) (string, bool) { return h[:1], h == "{{" || h == "}}" }

// template writes a string from fields, or fields from a string.
func (s side) template(text string, source, target *v1alpha1.Place, v, out *tree.Value, to *schema) {
	in := func(place string) tree.Path { return s.path(&v1alpha1.Place{Path: place}) }
	if source.Named != nil {
		if made, ok := s.fillTemplate(text, func(name string) *tree.Value { return v.At(in(source.Named[name])) }); ok {
			out.Put(s.path(target), tree.NewString(made))
		}
		return
	}
	value := v.At(s.path(source))
	if value == nil || value.Kind != tree.String {
		return
	}
	for name, part := range s.partsOfText(text, value.Text, func(name string) bool { return at(to, in(target.Named[name])).Type == "integer" }) {
		out.Put(in(target.Named[name]), part)
	}
}

// wholeText converts an element of which one side is the string.
func (s side) wholeText(text string, source, target *v1alpha1.Place, v *tree.Value, to *schema) (*tree.Value, bool) {
	in := func(place string) tree.Path { return s.path(&v1alpha1.Place{Path: place}) }
	if source.Named != nil {
		made, ok := s.fillTemplate(text, func(name string) *tree.Value { return v.At(in(source.Named[name])) })
		return tree.NewString(made), ok
	}
	parts := map[string]*tree.Value(nil)
	if v.Kind == tree.String {
		parts = s.partsOfText(text, v.Text, func(name string) bool { return at(to, in(target.Named[name])).Type == "integer" })
	}
	out := tree.NewObject()
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		out.Put(in(target.Named[name]), parts[name])
	}
	return out, parts != nil
}

// fillTemplate returns a template with values in its placeholders. It is complete if every placeholder
// has one. Optional parts without values are left out.
func (s side) fillTemplate(text string, of func(name string) *tree.Value) (made string, complete bool) {
	text = optional.ReplaceAllStringFunc(text, func(part string) string {
		for _, m := range hole.FindAllStringSubmatch(part, -1) {
			if _, is := brace(m[0]); !is && of(m[1]) != nil {
				return part[1 : len(part)-1]
			}
		}
		return ""
	})
	complete = true
	made = hole.ReplaceAllStringFunc(text, func(h string) string {
		if one, is := brace(h); is {
			return one
		}
		m := hole.FindStringSubmatch(h)
		value := of(m[1])
		if value == nil || value.Kind == tree.String && strings.ContainsAny(value.Text, m[2]) || value.Kind != tree.String && value.Kind != tree.Number {
			complete = false
			return ""
		}
		if value.Kind == tree.Number && strings.HasPrefix(value.Text, "-") {
			s.c.unclear = true
		}
		return value.Text
	})
	return made, complete
}

// partsOfText returns the values of the placeholders in a text, or nil if the text does not fit.
// The template becomes a regular expression, whose placeholders are greedy unless it has optional
// parts.
func (s side) partsOfText(template, text string, integer func(name string) bool) map[string]*tree.Value {
	sparing := ""
	if optional.MatchString(template) {
		sparing = "?"
	}
	names, expr, last := []string{}, "", 0
	literal := func(end int) {
		quoted := regexp.QuoteMeta(template[last:end])
		expr += strings.NewReplacer(`\[`, "(?:", `\]`, ")?").Replace(quoted)
	}
	for _, m := range hole.FindAllStringSubmatchIndex(template, -1) {
		literal(m[0])
		last = m[1]
		if one, is := brace(template[m[0]:m[1]]); is {
			expr += regexp.QuoteMeta(one)
			continue
		}
		name, part := template[m[2]:m[3]], ".*"
		if integer(name) {
			part = "-?[0-9]{1,19}"
		} else if m[4] >= 0 {
			part = "[^" + regexp.QuoteMeta(template[m[4]:m[5]]) + "]*"
		}
		names, expr = append(names, name), expr+"("+part+sparing+")"
	}
	literal(len(template))
	found := regexp.MustCompile("^(?s:" + expr + ")$").FindStringSubmatchIndex(text)
	if found == nil {
		return nil
	}
	parts := map[string]*tree.Value{}
	for i, name := range names {
		start, end := found[2*i+2], found[2*i+3]
		switch {
		case start < 0:
		case integer(name):
			n, err := strconv.ParseInt(text[start:end], 10, 64)
			if err != nil {
				s.c.unclear = true // another reading may fit
				return nil
			}
			parts[name] = tree.NewNumber(strconv.FormatInt(n, 10))
		default:
			parts[name] = tree.NewString(text[start:end])
		}
	}
	return parts
}
