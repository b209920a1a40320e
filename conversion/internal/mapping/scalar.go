package mapping

import (
	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/decimal"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Scalar converts between two ways to write a number.
type Scalar struct {
	Sides [2]Notation
	Types [2]*schema.Schema
	Round decimal.Rounding
}

// Notation is how a side writes numbers.
type Notation struct {
	Kind v1alpha1.Notation
	// Unit is the value of 1 in the unit in which both sides are compared: nanoseconds for
	// durations, hundredths for percentages, otherwise 1.
	Unit decimal.Decimal
	// Binary says that a quantity is written with powers of 1024.
	Binary bool
}

// Convert implements [plan.Mapping].
func (s *Scalar) Convert(scratch []byte, from plan.Side, in, out [][]byte) ([]byte, bool) {
	if in[0] == nil {
		out[0] = nil
		return scratch, true
	}
	source, target := &s.Sides[from], &s.Sides[from.Other()]
	start := len(scratch)
	scratch, value, ok := source.read(scratch, in[0])
	scratch = scratch[:start]
	if !ok {
		return scratch, false
	}
	whole := target.Kind == v1alpha1.NotationInteger || target.Kind == v1alpha1.NotationDuration
	value, ok = value.Scale(source.Unit, target.Unit, whole, s.Round)
	if !ok {
		return scratch, false
	}
	if scratch, ok = target.write(scratch, value); ok {
		out[0] = scratch[start:len(scratch):len(scratch)]
		ok = s.Types[from.Other()].Holds(out[0])
	}
	return scratch, ok
}

// read reads a JSON value. It appends the characters of strings to scratch.
func (n *Notation) read(scratch, text []byte) ([]byte, decimal.Decimal, bool) {
	isText := text[0] == '"'
	isNumber := text[0] == '-' || text[0]-'0' <= 9
	start := len(scratch)
	switch {
	case isText:
		scratch = jsontext.Unquote(scratch, text[1:len(text)-1])
		text = scratch[start:]
	case isNumber:
		// As the API server will return it.
		scratch = jsontext.AppendNumber(scratch, text)
		text = scratch[start:]
	default:
		return scratch, decimal.Decimal{}, false
	}
	var value decimal.Decimal
	ok := false
	switch n.Kind {
	case v1alpha1.NotationInteger, v1alpha1.NotationNumber:
		if isNumber {
			value, ok = decimal.Parse(text)
			ok = ok && (n.Kind == v1alpha1.NotationNumber || value.IsInt())
		}
	case v1alpha1.NotationString:
		if isText {
			value, ok = decimal.Parse(text)
		}
	case v1alpha1.NotationDuration:
		if isText {
			value, ok = decimal.ParseDuration(text)
		}
	case v1alpha1.NotationQuantity:
		// Kubernetes allows 5 instead of "5" for a quantity.
		value, ok = decimal.ParseQuantity(text)
	case v1alpha1.NotationPercentage:
		if digits := len(text) - 1; isText && digits >= 0 && text[digits] == '%' {
			value, ok = decimal.Parse(text[:digits])
		}
	}
	return scratch, value, ok
}

// write appends a JSON value.
func (n *Notation) write(dst []byte, value decimal.Decimal) ([]byte, bool) {
	ok := true
	switch n.Kind {
	case v1alpha1.NotationInteger:
		_, ok = value.Int64()
		return value.Append(dst), ok
	case v1alpha1.NotationNumber:
		// Only numbers that the API server returns unchanged.
		start := len(dst)
		dst = value.Append(dst)
		end := len(dst)
		dst = jsontext.AppendNumber(dst, dst[start:end])
		again, read := decimal.Parse(dst[end:])
		return append(dst[:start], dst[end:]...), read && again == value
	}
	dst = append(dst, '"')
	switch n.Kind {
	case v1alpha1.NotationDuration:
		dst, ok = value.AppendDuration(dst)
	case v1alpha1.NotationQuantity:
		dst, ok = value.AppendQuantity(dst, n.Binary)
	case v1alpha1.NotationPercentage:
		dst = append(value.Append(dst), '%')
	default:
		dst = value.Append(dst)
	}
	return append(dst, '"'), ok
}
