package mapping

import (
	"bytes"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// Variant converts between fields of which one has a value, the alternatives, and a discriminator that says which
// of them, with the value in one field.
type Variant struct {
	// Alternatives is the side that has a field for each alternative.
	Alternatives plan.Side
	// Words are the values of the discriminator, as JSON, in the order of the alternatives.
	Words [][]byte
	// Discriminator and Value are the numbers of these operands on the other side. Value is -1 if other
	// rows map the alternatives.
	Discriminator, Value int
}

// Convert implements [plan.Mapping].
func (v *Variant) Convert(scratch []byte, from plan.Side, in, out [][]byte) ([]byte, bool) {
	clear(out)
	if from == v.Alternatives {
		found := -1
		for i, text := range in {
			if text == nil || text[0] == 'n' && v.Value < 0 {
				continue
			}
			if found >= 0 {
				return scratch, false
			}
			found = i
		}
		if found >= 0 {
			out[v.Discriminator] = v.Words[found]
			if v.Value >= 0 {
				out[v.Value] = in[found]
			}
		}
		return scratch, true
	}
	word := in[v.Discriminator]
	if v.Value < 0 {
		return scratch, true // the alternatives have rows of their own
	}
	if value := in[v.Value]; word == nil || value == nil {
		return scratch, word == nil && value == nil
	}
	if word[0] != '"' {
		return scratch, false
	}
	start := len(scratch)
	scratch = schema.Canonical(scratch, word, nil)
	defer func() { scratch = scratch[:start] }()
	for i, w := range v.Words {
		if bytes.Equal(w, scratch[start:]) {
			out[i] = in[v.Value]
			return scratch, true
		}
	}
	return scratch, false
}
