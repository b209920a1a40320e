package patch

import (
	"bytes"
	"strconv"
	"unsafe"
)

// appendDecimal appends a number in a normal form: its digits without zeros at either end, and
// the power of ten to multiply them by. No digit is lost, as it would be in a float64. A number
// whose exponent is beyond int64 is unchanged.
func appendDecimal(dst, number []byte) []byte {
	mantissa, power := number, []byte("0")
	if i := bytes.IndexAny(number, "eE"); i >= 0 {
		mantissa, power = number[:i], number[i+1:]
	}
	exponent, err := strconv.ParseInt(unsafe.String(unsafe.SliceData(power), len(power)), 10, 64)
	far := err != nil || exponent > 1<<62 || exponent < -1<<62 // so that the sums below do not overflow
	start := len(dst)
	if mantissa[0] == '-' {
		dst, mantissa = append(dst, '-'), mantissa[1:]
	}
	first := len(dst)
	whole, fraction, _ := bytes.Cut(mantissa, []byte{'.'})
	dst = append(append(dst, whole...), fraction...)
	digits := bytes.TrimLeft(dst[first:], "0")
	significant := bytes.TrimRight(digits, "0")
	if len(significant) == 0 {
		return append(dst[:start], '0') // -0 is 0, and both are the int64 0 for the API server
	}
	if far {
		return append(dst[:start], number...)
	}
	exponent += int64(len(digits) - len(significant) - len(fraction))
	dst = dst[:first+copy(dst[first:], significant)]
	return strconv.AppendInt(append(dst, 'e'), exponent, 10)
}
