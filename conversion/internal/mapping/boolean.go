package mapping

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// Negation converts true to false, and false to true.
type Negation struct{}

// Convert implements [plan.Mapping].
func (Negation) Convert(scratch []byte, _ plan.Side, in, out [][]byte) ([]byte, bool) {
	switch {
	case in[0] == nil:
		out[0] = nil
	case in[0][0] == 't':
		out[0] = []byte("false")
	case in[0][0] == 'f':
		out[0] = []byte("true")
	default:
		return scratch, false
	}
	return scratch, true
}

// Presence converts between a field that is present or absent and a boolean that is true or false.
type Presence struct {
	// There is the side of the field.
	There plan.Side
	// Value is the value of the field for true.
	Value []byte
}

// Convert implements [plan.Mapping].
func (p *Presence) Convert(scratch []byte, from plan.Side, in, out [][]byte) ([]byte, bool) {
	switch text := in[0]; {
	case text == nil:
		out[0] = nil
	case from == p.There && text[0] == 'n':
		return scratch, false
	case from == p.There:
		out[0] = []byte("true")
	case text[0] == 't':
		out[0] = p.Value
	case text[0] == 'f':
		out[0] = nil
	default:
		return scratch, false
	}
	return scratch, true
}
