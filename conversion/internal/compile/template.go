package compile

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// template ties one string to several values: texts and holes, of which some may be in
// brackets.
type template struct {
	// whole is the side with the one string.
	whole plan.Side
	steps []templateStep
	// sparing says that holes take as little as they can: some step is in brackets.
	sparing bool
}

// templateStep is a text, a hole, or the beginning of a part in brackets.
type templateStep struct {
	// text is nil where this is no text; quoted is the same with JSON's escapes.
	text, quoted []byte
	// hole is nil where this is none.
	hole *hole
	// behind is the step behind the part that begins here, 0 where none does.
	behind int
}

type hole struct {
	operand int
	integer bool
	// never are the characters that it does not take.
	never string
}

func (b *builder) checkTemplate(w *written) {
	switch {
	case w.Spoke == nil || w.Hub == nil:
	case w.Spoke.Named == nil && w.Hub.Named == nil && len(holesOf(w.Template)) == 1:
		name := holesOf(w.Template)[0]
		b.problem(w, fmt.Sprintf("name the field of the placeholder, for example hub: {%s: %s}", name, w.Hub.Path), "the template has the placeholder {%s}, but neither side has named fields", name)
	case (w.Spoke.Named == nil) == (w.Hub.Named == nil):
		b.problem(w, `for example spoke: .spec.hostPort, hub: {host: .spec.host, port: .spec.port}, template: "{host}:{port}"`,
			"a template maps one path on one side to named fields on the other")
	case w.Default != nil:
		b.problem(w, "remove default", "the row of a template can't have a default: the text is absent if all its fields are")
	}
}

func (b *builder) templateRow(w *written, r *plan.Row) bool {
	whole := plan.Spoke
	if w.Hub.Named == nil {
		whole = plan.Hub
	}
	parts := whole.Other()
	if b.leadsInto(w) {
		return false
	}
	if s := w.schemas[whole][0]; s.Type != "string" {
		b.problem(w, "name a field of type string", "a template makes a string, but %s is of type %s", w.paths[whole][0], s.Describe())
		return false
	}
	t, err := parseTemplate(w.Template, w.names[parts], w.schemas[parts], whole)
	if err != nil {
		b.problem(w, "", "template %q: %v", w.Template, err)
		return false
	}
	b.warnForeign(w)
	r.Kind, r.Mapping = plan.Map, t
	r.Needs[whole] = fmt.Sprintf("text of the form %q", w.Template)
	r.Needs[parts] = fmt.Sprintf("a value for every part of %q, without the text between the parts", w.Template)
	if t.sparing {
		r.Needs[parts] = fmt.Sprintf("a value for every part of %q, or for none of those in brackets, without the text between the parts", w.Template)
	}
	return true
}

func (t *template) Convert(scratch []byte, from plan.Side, in, out [][]byte) ([]byte, bool) {
	if from == t.whole {
		return t.split(scratch, in[0], out)
	}
	return t.render(scratch, in, out)
}

// render writes the string. It has one only if every hole has its part, one that the hole
// takes, so that what is written can be read; but what is in brackets is left out where
// none of its holes has one.
func (t *template) render(scratch []byte, in, out [][]byte) ([]byte, bool) {
	if !t.fills(t.steps, in) {
		out[0] = nil
		return scratch, true
	}
	start := len(scratch)
	scratch = append(scratch, '"')
	for i := 0; i < len(t.steps); i++ {
		s := &t.steps[i]
		if s.behind > 0 && !t.fills(t.steps[i+1:s.behind], in) {
			i = s.behind - 1
			continue
		}
		if s.hole == nil {
			scratch = append(scratch, s.quoted...)
			continue
		}
		switch text := in[s.hole.operand]; {
		case text == nil:
			return scratch[:start], false
		case text[0] == '"' && !s.hole.integer:
			at := len(scratch)
			scratch = append(scratch, text[1:len(text)-1]...)
			if s.hole.never != "" && bytes.ContainsAny(jsontext.Unquote(nil, scratch[at:]), s.hole.never) {
				return scratch[:start], false
			}
		case s.hole.integer && isDecimal(text):
			scratch = append(scratch, text...)
		default:
			return scratch[:start], false
		}
	}
	scratch = append(scratch, '"')
	out[0] = scratch[start:len(scratch):len(scratch)]
	return scratch, true
}

// fills reports whether some hole among the steps has its part.
func (t *template) fills(steps []templateStep, in [][]byte) bool {
	return slices.ContainsFunc(steps, func(s templateStep) bool { return s.hole != nil && in[s.hole.operand] != nil })
}

// warnForeign warns of what other languages write around a hole, and what is text here.
func (b *builder) warnForeign(w *written) {
	const meant = "; if that is intended, leave it"
	switch text := w.Template; {
	case strings.Contains(text, "${"):
		b.warning(w, "write the placeholders without it: "+strings.ReplaceAll(text, "${", "{")+meant, "template %q: the $ before a placeholder is a character of the text", text)
	case regexp.MustCompile(`\)[?*]`).MatchString(text):
		b.warning(w, "write optional parts in brackets, for example {a}[:{b}]"+meant, "template %q: parentheses and what follows them are characters of the text", text)
	}
}
