package jsontext

import (
	"strconv"
	"unsafe"
)

// longNumber is the length up to which a number without an exponent is surely within float64,
// which reaches to 1.8e308.
const longNumber = 300

// Decodable reports whether the API server can decode all numbers in a valid JSON text. It
// cannot read an object with a number beyond float64 (k8s.io/apimachinery/pkg/util/json).
func Decodable(text []byte) bool {
	for pos := 0; pos < len(text); {
		c := text[pos]
		if c == '"' {
			pos = skimString(text, pos)
			continue
		}
		if c != '-' && c-'0' > 9 {
			pos++
			continue
		}
		start, exponent := pos, false
		for pos++; pos < len(text); pos++ {
			if c := text[pos]; c|0x20 == 'e' {
				exponent = true
			} else if c != '.' && c != '+' && c != '-' && c-'0' > 9 {
				break
			}
		}
		if !exponent && pos-start < longNumber {
			continue
		}
		if _, err := strconv.ParseFloat(unsafe.String(&text[start], pos-start), 64); err != nil {
			return false
		}
	}
	return true
}
