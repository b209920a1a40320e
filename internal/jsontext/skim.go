package jsontext

import (
	"encoding/binary"
	"math/bits"
)

// Skim returns the end of the value that starts at pos without validating it. The end is right
// if the value is valid JSON. Otherwise the bytes up to the end are not valid, or the value is
// followed by something that may not follow it. So a caller that validates those bytes and what
// follows has validated everything.
func (s *Scanner) Skim(pos int) (int, error) {
	src := s.Src
	if pos >= len(src) {
		return pos, unexpected(src, pos, "a value")
	}
	switch c := src[pos]; c {
	case '{', '[':
		return s.skimNested(pos)
	case '"':
		end := skimString(src, pos)
		if end < 0 {
			return pos, &SyntaxError{Offset: pos, Reason: "the string has no end"}
		}
		return end, nil
	}
	return s.Value(pos, 0) // a number or a literal
}

// skimNested counts brackets of either kind. Validation finds brackets that do not match.
func (s *Scanner) skimNested(start int) (int, error) {
	src := s.Src
	depth := 0
	for pos := start; pos < len(src); {
		switch src[pos] {
		case '"':
			if pos = skimString(src, pos); pos < 0 {
				return start, &SyntaxError{Offset: start, Reason: "the value has no end"}
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return pos + 1, nil
			}
		}
		pos++
	}
	return start, &SyntaxError{Offset: start, Reason: "the value has no end"}
}

// skimString returns the end of the string that opens at pos, or -1.
func skimString(src []byte, pos int) int {
	pos++
	for pos+8 <= len(src) {
		w := binary.LittleEndian.Uint64(src[pos:])
		quote, backslash := w^ones*'"', w^ones*'\\'
		m := ((quote-ones)&^quote | (backslash-ones)&^backslash) & highs
		if m == 0 {
			pos += 8
			continue
		}
		pos += bits.TrailingZeros64(m) >> 3
		if src[pos] == '"' {
			return pos + 1
		}
		pos += 2
	}
	for pos < len(src) {
		switch src[pos] {
		case '"':
			return pos + 1
		case '\\':
			pos++
		}
		pos++
	}
	return -1
}
