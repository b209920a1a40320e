package compile

import (
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/decimal"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// asText ties a string to a boolean or an int-or-string: the same without
// quotes.
type asText struct {
	text    plan.Side // the side with the string
	boolean bool
}

func (a asText) Convert(scratch []byte, from plan.Side, in, out [][]byte) ([]byte, bool) {
	text := in[0]
	if text == nil {
		out[0] = nil
		return scratch, true
	}
	if from == a.text {
		if text[0] != '"' {
			return scratch, false
		}
		start := len(scratch)
		scratch = jsontext.Unquote(scratch, text[1:len(text)-1])
		inside := scratch[start:len(scratch):len(scratch)]
		switch {
		case a.boolean:
			truth, err := strconv.ParseBool(string(inside)) // the words that Go programs take
			scratch = strconv.AppendBool(scratch[:start], truth)
			out[0] = scratch[start:len(scratch):len(scratch)]
			return scratch, err == nil
		case isNumeral(inside):
			out[0] = inside
		default:
			out[0] = text
		}
		return scratch, true
	}
	switch {
	case a.boolean && (text[0] == 't' || text[0] == 'f'), !a.boolean && (text[0] == '-' || text[0]-'0' <= 9):
		start := len(scratch)
		scratch = append(scratch, '"')
		if a.boolean {
			scratch = append(scratch, text...)
		} else {
			scratch = jsontext.AppendNumber(scratch, text)
		}
		scratch = append(scratch, '"')
		out[0] = scratch[start:len(scratch):len(scratch)]
		return scratch, a.boolean || isNumeral(out[0][1:len(out[0])-1])
	case !a.boolean && text[0] == '"':
		out[0] = text
		return scratch, true
	}
	return scratch, false
}

// isNumeral reports whether text is an integer as Kubernetes writes an
// int-or-string, and JSON a number.
func isNumeral(text []byte) bool {
	value, ok := decimal.Parse(text)
	if _, fits := value.Int64(); !ok || !fits {
		return false
	}
	var buffer [24]byte
	return string(value.Append(buffer[:0])) == string(text)
}

// warnWords warns of a boolean whose words the enum of the text has not got.
func (b *builder) warnWords(w *written, side plan.Side) {
	text := w.schemas[side][0]
	for _, v := range [...]string{`"true"`, `"false"`} {
		if err := diagnose.InEnum([]byte(v), text); err != nil {
			b.warning(w, "replace scalar with "+diagnose.Boolean(diagnose.TruthWords(text)), "scalar: %s, which a boolean is written as, %v", v, err)
			return
		}
	}
}
