package plan

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// template ties one string to several values: literal, hole, literal, hole,
// ... literal.
type template struct {
	// whole is the side with the one string.
	whole Side
	// literals are the texts before, between and behind the holes; quoted is
	// the same with JSON's escapes.
	literals, quoted [][]byte
	holes            []hole
	// without is the template without what is in brackets, nil where nothing is, and
	// optional are the operands whose holes are in them.
	without  *template
	optional []int
}

type hole struct {
	operand int
	integer bool
}

func (b *builder) checkTemplate(w *written) {
	switch {
	case w.Spoke == nil || w.Hub == nil:
	case (w.Spoke.Named == nil) == (w.Hub.Named == nil):
		b.problem(w, `for example spoke: .spec.hostPort, hub: {host: .spec.host, port: .spec.port}, template: "{host}:{port}"`,
			"a template ties one path on one side to named places on the other")
	case w.Default != nil:
		b.problem(w, "remove default", "a template says itself what absence means: the text is absent where all parts are")
	}
}

func (b *builder) templateRow(w *written, r *Row) bool {
	whole := Spoke
	if w.Hub.Named == nil {
		whole = Hub
	}
	parts := whole.Other()
	if b.leadsInto(w) {
		return false
	}
	if s := w.schemas[whole][0]; s.Type != "string" {
		b.problem(w, "name a place of type string", "a template makes a string, and %s is of type %s", w.paths[whole][0], s.Describe())
		return false
	}
	t, err := parseTemplate(w.Template, w.names[parts], w.schemas[parts], whole)
	if err != nil {
		b.problem(w, "", "%v", err)
		return false
	}
	r.Kind, r.Mapping = Map, t
	r.Needs[whole] = fmt.Sprintf("text of the form %q", w.Template)
	r.Needs[parts] = fmt.Sprintf("all parts of %q, without what separates them there", w.Template)
	if t.without != nil {
		r.Needs[parts] = fmt.Sprintf("all parts of %q, or all but those in brackets, without what separates them there", w.Template)
	}
	return true
}

func (t *template) Convert(scratch []byte, from Side, in, out [][]byte) ([]byte, bool) {
	if from == t.whole {
		next, ok := t.split(scratch, in[0], out)
		if !ok && t.without != nil {
			clear(out)
			return t.without.split(scratch, in[0], out)
		}
		return next, ok
	}
	if t.without != nil && !slices.ContainsFunc(t.optional, func(operand int) bool { return in[operand] != nil }) {
		return t.without.render(scratch, in, out)
	}
	return t.render(scratch, in, out)
}

// render writes the string. It has one only if every hole has its part.
func (t *template) render(scratch []byte, in, out [][]byte) ([]byte, bool) {
	absent := 0
	for _, text := range in {
		if text == nil {
			absent++
		}
	}
	if absent == len(in) {
		out[0] = nil
		return scratch, true
	}
	start := len(scratch)
	scratch = append(scratch, '"')
	for i, h := range t.holes {
		scratch = append(scratch, t.quoted[i]...)
		switch text := in[h.operand]; {
		case text == nil:
			return scratch[:start], false
		case text[0] == '"' && !h.integer:
			scratch = append(scratch, text[1:len(text)-1]...)
		case text[0]-'0' <= 9 || text[0] == '-':
			if !h.integer || !jsontext.IsInteger(text) {
				return scratch[:start], false
			}
			scratch = append(scratch, text...)
		default:
			return scratch[:start], false
		}
	}
	scratch = append(scratch, t.quoted[len(t.holes)]...)
	scratch = append(scratch, '"')
	out[0] = scratch[start:len(scratch):len(scratch)]
	return scratch, true
}

// split finds the parts of the string. A hole takes as much as it can, the
// leftmost first, so "{host}:{port}" splits [::1]:80 at its last colon.
func (t *template) split(scratch, text []byte, out [][]byte) ([]byte, bool) {
	if text == nil {
		clear(out)
		return scratch, true
	}
	if text[0] != '"' {
		return scratch, false
	}
	rest := text[1 : len(text)-1]
	if slices.Contains(rest, '\\') {
		start := len(scratch)
		scratch = jsontext.Unquote(scratch, rest)
		rest = scratch[start:len(scratch):len(scratch)]
	}
	if !bytes.HasPrefix(rest, t.literals[0]) {
		return scratch, false
	}
	tries := maxTries
	return t.match(scratch, rest[len(t.literals[0]):], 0, out, &tries)
}

// maxTries bounds the work on a text that hardly fits its template, whose
// holes could otherwise be moved against each other without end. Beyond it the
// text counts as one that does not fit, and is kept.
const maxTries = 10_000

// match fills hole i and those behind it from rest.
func (t *template) match(scratch, rest []byte, i int, out [][]byte, tries *int) ([]byte, bool) {
	h, behind := t.holes[i], t.literals[i+1]
	if i == len(t.holes)-1 {
		part, ok := bytes.CutSuffix(rest, behind)
		if !ok || h.integer && !isDecimal(part) {
			return scratch, false
		}
		return h.put(scratch, part, out), true
	}
	for within := rest; *tries > 0; *tries-- {
		end := bytes.LastIndex(within, behind)
		if end < 0 {
			break
		}
		if part := rest[:end]; !h.integer || isDecimal(part) {
			if next, ok := t.match(scratch, rest[end+len(behind):], i+1, out, tries); ok {
				return h.put(next, part, out), true
			}
		}
		within = rest[:end+len(behind)-1]
	}
	return scratch, false
}

func (h hole) put(scratch, part []byte, out [][]byte) []byte {
	start := len(scratch)
	if h.integer {
		scratch = jsontext.AppendNumber(scratch, trimZeros(part))
	} else {
		scratch = jsontext.Quote(scratch, part)
	}
	out[h.operand] = scratch[start:len(scratch):len(scratch)]
	return scratch
}

// isDecimal says whether text is an integer that the API server keeps exact.
func isDecimal(text []byte) bool {
	digits := text
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > 18 {
		return false
	}
	for _, c := range digits {
		if c-'0' > 9 {
			return false
		}
	}
	return true
}

// trimZeros removes leading zeros, which JSON does not allow.
func trimZeros(text []byte) []byte {
	sign := 0
	if text[0] == '-' {
		sign = 1
	}
	zeros := sign
	for zeros < len(text)-1 && text[zeros] == '0' {
		zeros++
	}
	if zeros == sign {
		return text
	}
	return append(append([]byte(nil), text[:sign]...), text[zeros:]...)
}
