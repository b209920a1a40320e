package manifest

import (
	"bytes"
	"unicode/utf8"
)

// maxDirectives is how many lines may begin with % before a document: %YAML, and %TAG for each
// of its prefixes. The library compares each with all others.
const maxDirectives = 100

// manyDirectives reports whether a document has more directives than it may.
func manyDirectives(text []byte) bool {
	directives := 0
	text = bytes.TrimPrefix(text, bom())
	for len(text) > 0 {
		switch text[0] {
		case '%':
			if directives++; directives > maxDirectives {
				return true
			}
		case '#', ' ', '\t', '\r', '\n':
		default:
			if r, _ := utf8.DecodeRune(text); !isBreak(r) {
				return false // the document begins
			}
		}
		end := bytes.IndexFunc(text, isBreak)
		if end < 0 {
			return false
		}
		_, size := utf8.DecodeRune(text[end:])
		text = text[end+size:]
	}
	return false
}

// isBreak reports whether a character ends a line of YAML 1.1, as the library reads it.
func isBreak(r rune) bool {
	switch r {
	case '\n', '\r', '\u0085', '\u2028', '\u2029':
		return true
	}
	return false
}
