package mapping

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// ParseTemplate parses a text such as "{host}:{port}" or "{repository}[:{tag}]". names are the
// operands of the side that has the parts, in order.
func ParseTemplate(text string, names []string, parts []*schema.Schema, whole plan.Side) (*Template, error) {
	p := templateParser{text: text, rest: text, names: names, parts: parts, used: make([]bool, len(names))}
	if err := p.parse(); err != nil {
		return nil, err
	}
	for i, ok := range p.used {
		if !ok {
			twice := ""
			if strings.Contains(text, "{{") {
				twice = ", in single braces: " + braceTwice
			}
			return nil, fmt.Errorf("the template has no placeholder for the field %s; add {%s}%s", names[i], names[i], twice)
		}
	}
	for i, s := range parts {
		if s.Type != "string" && s.Type != "integer" {
			return nil, fmt.Errorf("{%s} is of type %s; a placeholder is for a string or an integer", names[i], s.Describe())
		}
	}
	if p.bracketed && !p.outside {
		return nil, errors.New("all placeholders are in brackets; at least one must be outside")
	}
	return &Template{whole: whole, steps: p.steps, Sparing: p.bracketed}, nil
}

// templateParser reads a template from left to right.
type templateParser struct {
	// text is the template, and rest the part that is not parsed yet.
	text, rest string
	names      []string
	parts      []*schema.Schema
	// used are the names that have a placeholder.
	used  []bool
	steps []templateStep
	// literal is the text since the last step.
	literal strings.Builder
	// open is the optional part that is being parsed, or nil.
	open *openPart
	// bracketed says that there is an optional part, and outside that there is a placeholder
	// outside of these.
	bracketed, outside bool
	// before are the placeholders that may be directly before the next step.
	before []before
}

// openPart is an optional part that is not parsed to its end yet.
type openPart struct {
	step int
	// text is the template from its bracket on.
	text string
	// holes says that it has a placeholder.
	holes bool
	// before are the placeholders directly before the next step if the part is missing.
	before []before
}

// before is a placeholder that may be directly before the next step.
type before struct {
	name string
	// missing is the optional part that must be missing for that, or "".
	missing string
}

const (
	braceTwice   = "write a brace in the text twice"
	bracketTwice = "write a bracket in the text twice"
)

func (p *templateParser) parse() error {
	for p.rest != "" {
		next := p.rest[0]
		var err error
		switch {
		case strings.IndexByte("{}[]", next) >= 0 && strings.HasPrefix(p.rest[1:], p.rest[:1]):
			p.literal.WriteByte(next)
			p.rest = p.rest[2:]
		case next == '{':
			err = p.hole()
		case next == '}':
			err = fmt.Errorf("a } without {; %s", braceTwice)
		case next == '[':
			err = p.begin()
		case next == ']':
			err = p.end()
		default:
			p.literal.WriteByte(next)
			p.rest = p.rest[1:]
		}
		if err != nil {
			return err
		}
	}
	if p.open != nil {
		return fmt.Errorf("[ without ]; %s", bracketTwice)
	}
	p.flush()
	return nil
}

// flush makes a step of the text since the last step.
func (p *templateParser) flush() {
	if p.literal.Len() == 0 {
		return
	}
	text := p.literal.String()
	quoted := jsontext.Quote(nil, text)
	p.steps = append(p.steps, templateStep{text: []byte(text), quoted: quoted[1 : len(quoted)-1]})
	p.literal.Reset()
	p.before = nil
}

// hole parses a placeholder, as {tag}, or {tag!/} for one without slashes.
func (p *templateParser) hole() error {
	end := strings.IndexByte(p.rest, '}')
	if end < 0 {
		return fmt.Errorf("{ without }; %s", braceTwice)
	}
	p.flush()
	name, never := p.rest[1:end], ""
	i, limited := slices.Index(p.names, name), false
	if i < 0 {
		name, never, limited = strings.Cut(name, "!")
		i = slices.Index(p.names, name)
	}
	switch {
	case i < 0 && p.named(name) != "":
		return fmt.Errorf("{%s} is not a placeholder; write {%s}, or {%[2]s!:} for one that takes no colons", name, p.named(name))
	case i < 0 && slices.Contains(p.names, name[strings.LastIndexByte(name, '.')+1:]):
		return fmt.Errorf("{%s} is not a placeholder: it must have the name of a field, and not its path; write {%s}", name, name[strings.LastIndexByte(name, '.')+1:])
	case i < 0:
		return fmt.Errorf("the placeholder {%s} is not among the named fields, which are %s", name, strings.Join(p.names, ", "))
	case p.used[i]:
		return fmt.Errorf("the placeholder {%s} occurs twice", name)
	case limited && never == "":
		return fmt.Errorf("{%s!} does not have the characters that it never takes; write them after the !, or remove it", name)
	case limited && p.parts[i].Type == "integer":
		return fmt.Errorf("{%s!%s} is an integer, which has only digits; write {%s}", name, never, name)
	case len(p.before) > 0 && p.before[0].missing == "":
		within := ""
		if p.open != nil {
			within = fmt.Sprintf(", for example [:{%s}]", name)
		}
		return fmt.Errorf("{%s} follows another placeholder without a separator, so its beginning can't be found; put a separator between them%s", name, within)
	case len(p.before) > 0:
		return fmt.Errorf("{%s} follows {%s} without a separator if %s is missing, so its beginning can't be found; put a separator between them that is not in brackets",
			name, p.before[0].name, p.before[0].missing)
	}
	p.used[i] = true
	p.before = []before{{name: name}}
	if p.open != nil {
		p.open.holes = true
	} else {
		p.outside = true
	}
	p.steps = append(p.steps, templateStep{hole: &hole{operand: i, integer: p.parts[i].Type == "integer", never: never}})
	p.rest = p.rest[end+1:]
	return nil
}

// named returns the name that text begins with, written as a placeholder of another language, or
// "".
func (p *templateParser) named(text string) string {
	name := strings.TrimRight(text[:strings.IndexAny(text+":", ":=?*+<^.$|")], " ")
	if name != text && slices.Contains(p.names, name) {
		return name
	}
	return ""
}

// begin parses the [ of an optional part.
func (p *templateParser) begin() error {
	if p.open != nil {
		return fmt.Errorf("brackets can't contain brackets; write one part after the other, each in its own brackets, for example %s; %s", p.unnested(), bracketTwice)
	}
	p.flush()
	p.bracketed, p.open = true, &openPart{step: len(p.steps), text: p.rest, before: p.before}
	p.steps = append(p.steps, templateStep{})
	p.rest = p.rest[1:]
	return nil
}

// unnested returns a template in which a part that begins within another one comes after it, or
// another valid template.
func (p *templateParser) unnested() string {
	inner, behind, ok := strings.Cut(p.rest[1:], "]]")
	if !ok || strings.ContainsAny(inner, "[]") {
		return "{a}[.{b}][.{c}]"
	}
	return strings.TrimSuffix(p.text, p.rest) + "][" + inner + "]" + behind
}

// end parses the ] of an optional part.
func (p *templateParser) end() error {
	if p.open == nil && strings.Contains(p.text, "[[") {
		return fmt.Errorf("a ] without [, because [[ is a bracket in the text; brackets can't contain brackets: write one part after the other, for example [{a}/][{b}/]{c}")
	}
	if p.open == nil {
		return fmt.Errorf("a ] without [; %s", bracketTwice)
	}
	p.flush()
	p.rest = p.rest[1:]
	part := p.open.text[:len(p.open.text)-len(p.rest)]
	if !p.open.holes {
		return fmt.Errorf("%s has no placeholder, so it can't be optional; %s", part, bracketTwice)
	}
	for _, b := range p.open.before {
		p.before = append(p.before, before{b.name, b.missing + part})
	}
	p.steps[p.open.step].behind = len(p.steps)
	p.open = nil
	return nil
}
