package mapping

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Template converts between a string and several values that are parts of it.
type Template struct {
	// whole is the side with the string.
	whole plan.Side
	// steps are the texts and the placeholders of the template.
	steps []templateStep
	// Sparing says that placeholders take as little as they can: some part is in brackets.
	Sparing bool
}

// templateStep is a text, a placeholder, or the beginning of an optional part.
type templateStep struct {
	// text is nil if the step is not a text. quoted is the same with JSON's escapes.
	text, quoted []byte
	// hole is nil if the step is not a placeholder.
	hole *hole
	// behind is the step behind the optional part that begins here, or 0.
	behind int
}

type hole struct {
	operand int
	integer bool
	// never are the characters that the placeholder does not take.
	never string
}

// Convert implements [plan.Mapping].
func (t *Template) Convert(scratch []byte, from plan.Side, in, out [][]byte) ([]byte, bool) {
	if from == t.whole {
		return t.split(scratch, in[0], out)
	}
	return t.render(scratch, in, out)
}

// render writes the string. Every placeholder must have a part that it can take, so that the string
// can be split again. An optional part is left out if none of its placeholders has one.
func (t *Template) render(scratch []byte, in, out [][]byte) ([]byte, bool) {
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

// fills reports whether a placeholder among the steps has a part.
func (t *Template) fills(steps []templateStep, in [][]byte) bool {
	return slices.ContainsFunc(steps, func(s templateStep) bool { return s.hole != nil && in[s.hole.operand] != nil })
}
