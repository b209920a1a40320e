package jsontext

import (
	"strconv"
	"unsafe"
)

// longNumber is how long the text of a number without an exponent may be before it
// can be beyond float64, which reaches to 1.8e308.
const longNumber = 300

// Decodable reports whether the API server can decode all numbers in a text that is
// known to be valid JSON: an object with a number beyond float64 it cannot read
// (k8s.io/apimachinery/pkg/util/json).
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
