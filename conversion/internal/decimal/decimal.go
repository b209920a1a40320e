// Package decimal calculates exactly with numbers as tables map them. A result that needs more than
// 64 bits of digits is an error.
package decimal

import (
	"math/bits"
	"strconv"
)

// Decimal is the number ±Digits × 10^Exponent. Parse and the functions here return numbers without
// zeros at the end of Digits, so that equal numbers are equal values.
type Decimal struct {
	Negative bool
	Digits   uint64
	Exponent int
}

// maxExponent is larger than those of float64 and of all units.
const maxExponent = 400

// Parse parses digits with an optional sign, fraction and exponent: -007.50e3.
func Parse[T string | []byte](text T) (Decimal, bool) {
	var d Decimal
	i := 0
	if i < len(text) && text[i] == '-' {
		d.Negative = true
		i++
	}
	digits, point := 0, -1
	zeros := 0 // they may be at the end
	for ; i < len(text); i++ {
		c := text[i]
		if c == '.' && point < 0 && digits > 0 {
			point = digits
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		digits++
		if c == '0' {
			zeros++
			continue
		}
		for ; zeros > 0 && d.Digits > 0; zeros-- {
			if d.Digits > (1<<64-1)/10 {
				return d, false
			}
			d.Digits *= 10
		}
		zeros = 0
		hi, lo := bits.Mul64(d.Digits, 10)
		sum, carry := bits.Add64(lo, uint64(c-'0'), 0)
		if hi != 0 || carry != 0 {
			return d, false
		}
		d.Digits = sum
	}
	if digits == 0 || point == digits {
		return d, false
	}
	d.Exponent = zeros
	if point >= 0 {
		d.Exponent -= digits - point
	}
	if i < len(text) {
		if text[i]|0x20 != 'e' || len(text)-i > 6 {
			return d, false
		}
		e, err := strconv.Atoi(string(text[i+1:]))
		if err != nil {
			return d, false
		}
		d.Exponent += e
	}
	return d.normal(), d.Digits == 0 || d.Exponent >= -maxExponent && d.Exponent <= maxExponent
}

// Int makes a Decimal of an integer.
func Int(n uint64) Decimal { return Decimal{Digits: n}.normal() }

func (d Decimal) normal() Decimal {
	if d.Digits == 0 {
		return Decimal{}
	}
	for d.Digits%10 == 0 {
		d.Digits /= 10
		d.Exponent++
	}
	return d
}

// IsInt reports whether the number has no fraction.
func (d Decimal) IsInt() bool { return d.Exponent >= 0 }

// Append writes the number, without an exponent if that is readable.
func (d Decimal) Append(dst []byte) []byte {
	if d.Negative && d.Digits != 0 {
		dst = append(dst, '-')
	}
	var buffer [20]byte
	digits := strconv.AppendUint(buffer[:0], d.Digits, 10)
	const readable = 25
	whole := len(digits) + d.Exponent // the number of digits before the point
	switch {
	case d.Exponent > readable || d.Exponent < -readable:
		dst = append(append(dst, digits...), 'e')
		return strconv.AppendInt(dst, int64(d.Exponent), 10)
	case d.Exponent >= 0:
		return appendZeros(append(dst, digits...), d.Exponent)
	case whole <= 0:
		return append(appendZeros(append(dst, "0."...), -whole), digits...)
	}
	dst = append(append(dst, digits[:whole]...), '.')
	return append(dst, digits[whole:]...)
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}
