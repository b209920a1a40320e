package mapping

import (
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/decimal"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// AsText converts between a string and a boolean or an int-or-string that is the same without
// quotes.
type AsText struct {
	// Text is the side with the string.
	Text plan.Side
	// Boolean says that the other side has a boolean.
	Boolean bool
}

// Convert implements [plan.Mapping].
func (a AsText) Convert(scratch []byte, from plan.Side, in, out [][]byte) ([]byte, bool) {
	text := in[0]
	if text == nil {
		out[0] = nil
		return scratch, true
	}
	if from == a.Text {
		if text[0] != '"' {
			return scratch, false
		}
		start := len(scratch)
		scratch = jsontext.Unquote(scratch, text[1:len(text)-1])
		inside := scratch[start:len(scratch):len(scratch)]
		switch {
		case a.Boolean:
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
	case a.Boolean && (text[0] == 't' || text[0] == 'f'), !a.Boolean && (text[0] == '-' || text[0]-'0' <= 9):
		start := len(scratch)
		scratch = append(scratch, '"')
		if a.Boolean {
			scratch = append(scratch, text...)
		} else {
			scratch = jsontext.AppendNumber(scratch, text)
		}
		scratch = append(scratch, '"')
		out[0] = scratch[start:len(scratch):len(scratch)]
		return scratch, a.Boolean || isNumeral(out[0][1:len(out[0])-1])
	case !a.Boolean && text[0] == '"':
		out[0] = text
		return scratch, true
	}
	return scratch, false
}

// isNumeral reports whether text is an integer, written as Kubernetes and JSON write one.
func isNumeral(text []byte) bool {
	value, ok := decimal.Parse(text)
	if _, fits := value.Int64(); !ok || !fits {
		return false
	}
	var buffer [24]byte
	return string(value.Append(buffer[:0])) == string(text)
}
