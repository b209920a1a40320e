package reference

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// scalar converts a value to the notation of the other side, with fractions of any size.
func (s side) scalar(m *v1alpha1.Scalar, value *tree.Value, from, to *schema) (*tree.Value, bool) {
	read, write := m.Spoke, m.Hub
	if !s.toHub {
		read, write = write, read
	}
	read, write = notation(read, from), notation(write, to)
	switch {
	case read == v1alpha1.NotationBoolean:
		return tree.NewString(value.Text), value.Kind == tree.Bool
	case write == v1alpha1.NotationBoolean:
		truth := slices.Contains(truths, value.Text)
		return tree.NewBool(truth), value.Kind == tree.String && (truth || slices.Contains(untruths, value.Text))
	case read == v1alpha1.NotationIntOrString && value.Kind == tree.String:
		return value, true
	case read == v1alpha1.NotationIntOrString:
		return tree.NewString(tree.NormalNumber(value.Text)), value.Kind == tree.Number
	case write == v1alpha1.NotationIntOrString:
		if n, err := strconv.ParseInt(value.Text, 10, 64); err == nil && strconv.FormatInt(n, 10) == value.Text {
			return tree.NewNumber(value.Text), value.Kind == tree.String
		}
		return value, value.Kind == tree.String
	}
	number, ok := s.number(read, value)
	if !ok {
		return nil, false
	}
	unit := func(toHub bool, kind, beside v1alpha1.Notation) *big.Rat {
		if u := m.Unit; u != nil && (kind == v1alpha1.NotationInteger || kind == v1alpha1.NotationNumber || kind == v1alpha1.NotationString) {
			name := u.Spoke
			if toHub {
				name = u.Hub
			}
			if u.Name != "" {
				name = u.Name
			}
			return unitOf(name, beside)
		}
		return big.NewRat(1, 1)
	}
	number.Mul(number, unit(!s.toHub, read, write))
	number.Quo(number, unit(s.toHub, write, read))
	if write == v1alpha1.NotationInteger || write == v1alpha1.NotationDuration {
		if number, ok = rounded(number, m.Round); !ok {
			return nil, false
		}
	}
	binary := m.Unit != nil && strings.HasSuffix(m.Unit.Name, "i")
	return s.written(write, number, binary)
}

// truths and untruths are the words that are parsed as booleans.
var truths, untruths = []string{"true", "True", "TRUE", "t", "T", "1"}, []string{"false", "False", "FALSE", "f", "F", "0"}

func notation(given v1alpha1.Notation, of *schema) v1alpha1.Notation {
	if given == "" && of.XIntOrString {
		return v1alpha1.NotationIntOrString
	}
	if given == "" {
		return v1alpha1.Notation(of.Type)
	}
	return given
}

// number parses a value. Durations are in nanoseconds.
func (s side) number(kind v1alpha1.Notation, value *tree.Value) (*big.Rat, bool) {
	text := value.Text
	switch kind {
	case v1alpha1.NotationInteger, v1alpha1.NotationNumber:
		if value.Kind != tree.Number {
			return nil, false
		}
		return new(big.Rat).SetString(tree.NormalNumber(text))
	case v1alpha1.NotationQuantity:
		q, err := resource.ParseQuantity(text)
		if value.Kind != tree.String && value.Kind != tree.Number || err != nil || !strings.ContainsAny(text, "0123456789") {
			return nil, false
		}
		if value.Kind == tree.Number && text != tree.NormalNumber(text) {
			s.c.unclear = true
		}
		return new(big.Rat).SetString(q.AsDec().String())
	}
	if value.Kind != tree.String {
		return nil, false
	}
	switch kind {
	case v1alpha1.NotationDuration:
		d, err := time.ParseDuration(text)
		return new(big.Rat).SetInt64(int64(d)), err == nil
	case v1alpha1.NotationPercentage:
		var percent bool
		if text, percent = strings.CutSuffix(text, "%"); !percent {
			return nil, false
		}
	}
	if text == "" || strings.Trim(text, "-.0123456789eE") != "" || strings.HasPrefix(text, ".") || strings.HasSuffix(text, ".") {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

func unitOf(name string, beside v1alpha1.Notation) *big.Rat {
	length := map[string]int64{"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "m": 60e9, "h": 3600e9, "d": 24 * 3600e9}
	switch {
	case beside == v1alpha1.NotationPercentage && name == "1":
		return big.NewRat(100, 1)
	case beside == v1alpha1.NotationQuantity && name != "1":
		q := resource.MustParse("1" + name)
		r, _ := new(big.Rat).SetString(q.AsDec().String())
		return r
	case beside == v1alpha1.NotationQuantity, beside == v1alpha1.NotationPercentage:
		return big.NewRat(1, 1)
	}
	return big.NewRat(length[name], 1)
}

func rounded(r *big.Rat, how v1alpha1.Rounding) (*big.Rat, bool) {
	if r.IsInt() {
		return r, true
	}
	floor := new(big.Int).Div(r.Num(), r.Denom()) // Euclidean, and denominators are positive
	up := new(big.Rat).SetInt(new(big.Int).Add(floor, big.NewInt(1)))
	down := new(big.Rat).SetInt(floor)
	switch how {
	case v1alpha1.RoundDown:
		return down, true
	case v1alpha1.RoundUp:
		return up, true
	case v1alpha1.RoundNearest:
		half := new(big.Rat).Add(down, big.NewRat(1, 2))
		if c := r.Cmp(half); c < 0 || c == 0 && r.Sign() < 0 {
			return down, true
		}
		return up, true
	}
	return nil, false
}

func (s side) written(kind v1alpha1.Notation, r *big.Rat, binary bool) (*tree.Value, bool) {
	switch kind {
	case v1alpha1.NotationInteger:
		return tree.NewNumber(r.Num().String()), r.Num().IsInt64()
	case v1alpha1.NotationDuration:
		return tree.NewString(time.Duration(r.Num().Int64()).String()), r.Num().IsInt64()
	case v1alpha1.NotationQuantity:
		digits, exact := decimals(r)
		if !exact || len(digits) > 15 {
			s.c.unclear = true // beyond what both sides can represent
			return nil, false
		}
		q, err := resource.ParseQuantity(digits)
		if err != nil {
			return nil, false
		}
		q.Format = resource.DecimalSI
		if binary && r.IsInt() {
			q.Format = resource.BinarySI
		}
		number, suffix := q.CanonicalizeBytes(nil)
		return tree.NewString(string(number) + string(suffix)), true
	}
	digits, exact := decimals(r)
	if !exact || len(digits) > 17 {
		s.c.unclear = true
		return nil, false
	}
	switch kind {
	case v1alpha1.NotationNumber:
		return tree.NewNumber(tree.NormalNumber(digits)), true
	case v1alpha1.NotationPercentage:
		return tree.NewString(digits + "%"), true
	}
	return tree.NewString(digits), true
}

// decimals writes a fraction without an exponent, and without zeros at its end.
func decimals(r *big.Rat) (string, bool) {
	n, exact := r.FloatPrec()
	if n > math.MaxInt16 {
		return "", false
	}
	return r.FloatString(n), exact
}
