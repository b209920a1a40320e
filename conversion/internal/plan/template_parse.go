package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// parseTemplate reads a text such as "{host}:{port}" or "{repository}[:{tag}]". names are
// the operands of the side that has the parts, in order.
func parseTemplate(text string, names []string, parts []*schema.Schema, whole Side) (*template, error) {
	with, without, err := brackets(text)
	if err != nil {
		return nil, fmt.Errorf("template %q: %w", text, err)
	}
	p := templateParser{names: names, parts: parts, used: make([]bool, len(names))}
	t, err := p.parse(with, whole)
	if err != nil {
		return nil, fmt.Errorf("template %q: %w", text, err)
	}
	for i, ok := range p.used {
		if !ok {
			return nil, fmt.Errorf("template %q: the named place %s has no hole; write {%s} where it belongs", text, names[i], names[i])
		}
	}
	for i, s := range parts {
		if s.Type != "string" && s.Type != "integer" {
			return nil, fmt.Errorf("template %q: {%s} is of type %s; a hole holds a string or an integer", text, names[i], s.Describe())
		}
	}
	if with == without {
		return t, nil
	}
	p.used = make([]bool, len(names))
	if t.without, err = p.parse(without, whole); err != nil {
		return nil, fmt.Errorf("template %q, without what is in brackets: %w", text, err)
	}
	switch {
	case len(t.without.holes) == 0:
		return nil, fmt.Errorf("template %q: all holes are in brackets; one outside says whether there is a text", text)
	case len(t.without.holes) == len(t.holes):
		return nil, fmt.Errorf("template %q: no hole is in the brackets, so nothing says whether they count; a bracket itself is written twice", text)
	}
	for _, h := range t.holes {
		if !p.used[h.operand] {
			t.optional = append(t.optional, h.operand)
		}
	}
	return t, nil
}

// brackets is a template with what is in its brackets and without it; the two are the same
// where it has none. In both a bracket that is meant stands alone.
func brackets(text string) (with, without string, err error) {
	const one = "a bracket itself is written twice"
	var all, outside strings.Builder
	inside, seen := false, false
	for rest := text; rest != ""; {
		next := rest[:1]
		switch {
		case strings.HasPrefix(rest, "[["), strings.HasPrefix(rest, "]]"):
			rest = rest[1:]
		case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "}}"):
			next = rest[:2]
		case next == "{":
			if end := strings.IndexByte(rest, '}'); end > 0 {
				next = rest[:end+1] // whatever the name of the place
			}
		case next == "[" && seen:
			return "", "", fmt.Errorf("only one part may be in brackets; %s", one)
		case next == "[":
			inside, seen, next, rest = true, true, "", rest[1:]
		case next == "]" && !inside:
			return "", "", fmt.Errorf("a ] without [; %s", one)
		case next == "]":
			inside, next, rest = false, "", rest[1:]
		}
		rest = rest[len(next):]
		all.WriteString(next)
		if !inside {
			outside.WriteString(next)
		}
	}
	if inside {
		return "", "", fmt.Errorf("[ without ]; %s", one)
	}
	return all.String(), outside.String(), nil
}

// templateParser reads templates without brackets.
type templateParser struct {
	names []string
	parts []*schema.Schema
	// used are the names that have a hole.
	used []bool
}

func (p *templateParser) parse(text string, whole Side) (*template, error) {
	t := &template{whole: whole}
	var literal strings.Builder
	for rest := text; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "}}"):
			literal.WriteByte(rest[0])
			rest = rest[2:]
		case rest[0] == '}':
			return nil, fmt.Errorf("a } without {; a brace itself is written twice")
		case rest[0] == '{':
			end := strings.IndexByte(rest, '}')
			if end < 0 {
				return nil, fmt.Errorf("{ without }; a brace itself is written twice")
			}
			name := rest[1:end]
			i := slices.Index(p.names, name)
			if i < 0 {
				return nil, fmt.Errorf("the hole {%s} is not among the named places; they are %s", name, strings.Join(p.names, ", "))
			}
			if p.used[i] {
				return nil, fmt.Errorf("the hole {%s} occurs twice", name)
			}
			p.used[i] = true
			if len(t.holes) > 0 && literal.Len() == 0 {
				return nil, fmt.Errorf("{%s} follows another hole at once, so nothing tells where it begins; put a separator between them", name)
			}
			t.literal(literal.String())
			literal.Reset()
			t.holes = append(t.holes, hole{operand: i, integer: p.parts[i].Type == "integer"})
			rest = rest[end+1:]
		default:
			literal.WriteByte(rest[0])
			rest = rest[1:]
		}
	}
	t.literal(literal.String())
	return t, nil
}

func (t *template) literal(text string) {
	t.literals = append(t.literals, []byte(text))
	quoted := jsontext.Quote(nil, text)
	t.quoted = append(t.quoted, quoted[1:len(quoted)-1])
}
