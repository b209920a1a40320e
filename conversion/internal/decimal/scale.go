package decimal

import "math/bits"

// Rounding is what Scale does with a fraction.
type Rounding uint8

// The ways to round. Exact does not round: it fails for a fraction.
const (
	Exact   Rounding = iota
	Down             // to the next lower number
	Up               // to the next higher number
	Nearest          // halves to the larger magnitude
)

// Scale returns d × times / over, as an integer if whole is set.
func (d Decimal) Scale(times, over Decimal, whole bool, rounding Rounding) (Decimal, bool) {
	if d.Digits == 0 {
		return Decimal{}, true
	}
	if over.Digits == 0 || times.Digits == 0 {
		return Decimal{}, false
	}
	exponent := d.Exponent + times.Exponent - over.Exponent
	hi, lo := bits.Mul64(d.Digits, times.Digits)
	den := over.Digits
	// For an integer, powers of ten are put into the numerator, or into the denominator.
	for ; whole && exponent > 0; exponent-- {
		if hi, lo = mul10(hi, lo); hi >= 1<<60 {
			return Decimal{}, false
		}
	}
	tiny := false // the denominator exceeds 64 bits: the quotient is nearly 0
	for ; whole && exponent < 0; exponent++ {
		if tiny = den > (1<<64-1)/10; tiny {
			break
		}
		den *= 10
	}
	if tiny {
		if hi != 0 || rounding == Exact {
			return Decimal{}, false
		}
		return Decimal{}.rounded(d.Negative, 1, 4, rounding)
	}
	if hi >= den {
		return Decimal{}, false
	}
	q, r := bits.Div64(hi, lo, den)
	if whole {
		return Decimal{Negative: d.Negative, Digits: q}.rounded(d.Negative, r, den, rounding)
	}
	for r != 0 {
		// One more digit after the point, as long as there is room.
		rh, rl := bits.Mul64(r, 10)
		digit, rest := bits.Div64(rh, rl, den)
		qh, ql := bits.Mul64(q, 10)
		sum, carry := bits.Add64(ql, digit, 0)
		if qh != 0 || carry != 0 {
			return Decimal{}, false
		}
		q, r = sum, rest
		exponent--
	}
	return Decimal{Negative: d.Negative, Digits: q, Exponent: exponent}.normal(), exponent >= -maxExponent && exponent <= maxExponent
}

// rounded returns an integer for a number with the fraction r/den.
func (d Decimal) rounded(negative bool, r, den uint64, rounding Rounding) (Decimal, bool) {
	if r != 0 {
		grows := false
		switch rounding {
		case Exact:
			return Decimal{}, false
		case Down:
			grows = negative
		case Up:
			grows = !negative
		case Nearest:
			grows = r >= den-r
		}
		if grows {
			if d.Digits++; d.Digits == 0 {
				return Decimal{}, false
			}
			d.Negative = negative
		}
	}
	return d.normal(), true
}

func mul10(hi, lo uint64) (uint64, uint64) {
	carry, low := bits.Mul64(lo, 10)
	return hi*10 + carry, low
}

// Int64 returns the number as an int64, if it is one.
func (d Decimal) Int64() (int64, bool) {
	n := d.Digits
	if d.Exponent < 0 || d.Exponent > 19 {
		return 0, n == 0
	}
	for range d.Exponent {
		if n > (1<<64-1)/10 {
			return 0, false
		}
		n *= 10
	}
	switch {
	case d.Negative && n <= 1<<63:
		return -int64(n), true
	case !d.Negative && n < 1<<63:
		return int64(n), true
	}
	return 0, false
}
