package jsontext

import (
	"bytes"
	"math"
	"strconv"
	"unsafe"
)

// number validates the number that starts at pos.
func (s *Scanner) number(pos int) (int, error) {
	src := s.Src
	if src[pos] == '-' {
		pos++
	}
	switch {
	case pos < len(src) && src[pos] == '0':
		pos++
	case pos < len(src) && src[pos]-'1' < 9:
		pos = digits(src, pos)
	default:
		return pos, unexpected(src, pos, "a digit")
	}
	if pos < len(src) && src[pos] == '.' {
		pos++
		if pos >= len(src) || src[pos]-'0' > 9 {
			return pos, unexpected(src, pos, "a digit")
		}
		pos = digits(src, pos)
	}
	if pos < len(src) && src[pos]|0x20 == 'e' {
		pos++
		if pos < len(src) && (src[pos] == '+' || src[pos] == '-') {
			pos++
		}
		if pos >= len(src) || src[pos]-'0' > 9 {
			return pos, unexpected(src, pos, "a digit")
		}
		pos = digits(src, pos)
	}
	return pos, nil
}

func digits(src []byte, pos int) int {
	for pos < len(src) && src[pos]-'0' <= 9 {
		pos++
	}
	return pos
}

// IsInteger reports whether a number is written without fraction and exponent.
func IsInteger(number []byte) bool {
	return !bytes.ContainsAny(number, ".eE")
}

// AppendNumber appends a number as the API server returns it: an int64 unchanged, anything else
// as the shortest text of the nearest float64 (k8s.io/apimachinery/pkg/util/json,
// encoding/json). A number beyond float64 stays unchanged; the API server rejects it.
func AppendNumber(dst, number []byte) []byte {
	text := unsafe.String(unsafe.SliceData(number), len(number))
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return strconv.AppendInt(dst, i, 10)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return append(dst, number...)
	}
	if f == 0 {
		// -0.0 is written as -0, and that is the int64 0 when read again.
		return append(dst, '0')
	}
	// The format of encoding/json, which is the one of ECMAScript.
	format := byte('f')
	if abs := math.Abs(f); abs < 1e-6 || abs >= 1e21 {
		format = 'e'
	}
	at := len(dst)
	dst = strconv.AppendFloat(dst, f, format, -1, 64)
	if format == 'e' {
		// e-09 to e-9
		if n := len(dst); n-at >= 4 && dst[n-4] == 'e' && (dst[n-3] == '-' || dst[n-3] == '+') && dst[n-2] == '0' {
			dst[n-2] = dst[n-1]
			dst = dst[:n-1]
		}
	}
	return dst
}
