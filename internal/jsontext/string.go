package jsontext

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks, in the high bit of each byte, those bytes of w that need a closer look:
// control characters, quotes, backslashes and non-ASCII. A byte above a marked one may be
// marked by mistake, so use only the lowest mark.
func special(w uint64) uint64 {
	quote := w ^ ones*'"'
	backslash := w ^ ones*'\\'
	return (w | (w - ones*0x20) | (quote - ones) | (backslash - ones)) & highs
}

// String validates the string that opens at pos. It returns its end, just past the closing
// quote, and whether it has escapes.
func (s *Scanner) String(pos int) (end int, escaped bool, err error) {
	src := s.Src
	start := pos
	pos++
	for {
		for pos+8 <= len(src) {
			if m := special(binary.LittleEndian.Uint64(src[pos:])); m != 0 {
				pos += bits.TrailingZeros64(m) >> 3
				break
			}
			pos += 8
		}
		if pos >= len(src) {
			return start, false, &SyntaxError{Offset: start, Reason: "the string has no end"}
		}
		switch c := src[pos]; {
		case c == '"':
			return pos + 1, escaped, nil
		case c == '\\':
			escaped = true
			if pos, err = s.escape(pos); err != nil {
				return start, false, err
			}
		case c < 0x20:
			return start, false, &SyntaxError{Offset: pos, Reason: "a control character in a string must be escaped"}
		case c < utf8.RuneSelf:
			pos++
		default:
			r, n := utf8.DecodeRune(src[pos:])
			if r == utf8.RuneError && n <= 1 {
				return start, false, &SyntaxError{Offset: pos, Reason: "invalid UTF-8 in a string"}
			}
			pos += n
		}
	}
}

// escape validates the escape at pos and returns its end.
func (s *Scanner) escape(pos int) (int, error) {
	src := s.Src
	if pos+1 >= len(src) {
		return pos, unexpected(src, pos+1, "an escaped character")
	}
	switch src[pos+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return pos + 2, nil
	case 'u':
		r := hex4(src, pos+2)
		if r < 0 {
			return pos, &SyntaxError{Offset: pos, Reason: "\\u needs four hexadecimal digits"}
		}
		if !utf16.IsSurrogate(r) {
			return pos + 6, nil
		}
		if pos+8 <= len(src) && src[pos+6] == '\\' && src[pos+7] == 'u' {
			if utf16.DecodeRune(r, hex4(src, pos+8)) != utf8.RuneError {
				return pos + 12, nil
			}
		}
		return pos, &SyntaxError{Offset: pos, Reason: "a lone surrogate is not a character"}
	}
	return pos, &SyntaxError{Offset: pos, Reason: "unknown escape in a string"}
}

func hex4(src []byte, pos int) rune {
	if pos+4 > len(src) {
		return -1
	}
	var r rune
	for _, c := range src[pos : pos+4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return -1
		}
	}
	return r
}

// Unquoted returns the characters of a string. inside is the string without its quotes; without
// escapes it is returned itself.
func Unquoted(inside []byte) []byte {
	if bytes.IndexByte(inside, '\\') < 0 {
		return inside[:len(inside):len(inside)]
	}
	return Unquote([]byte{}, inside)
}

// Unquote appends the characters of a string. inside is the string without its quotes. It must
// have been validated.
func Unquote(dst, inside []byte) []byte {
	for i := 0; i < len(inside); {
		c := inside[i]
		if c != '\\' {
			dst = append(dst, c)
			i++
			continue
		}
		c = inside[i+1]
		i += 2
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r := hex4(inside, i)
			i += 4
			if utf16.IsSurrogate(r) {
				r = utf16.DecodeRune(r, hex4(inside, i+2))
				i += 6
			}
			dst = utf8.AppendRune(dst, r)
			continue
		}
		dst = append(dst, c)
	}
	return dst
}

const hexDigits = "0123456789abcdef"

// Quote appends text as a JSON string with no more escapes than JSON requires. text must be
// valid UTF-8.
func Quote[T string | []byte](dst []byte, text T) []byte {
	dst = append(dst, '"')
	run := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, text[run:i]...)
		run = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	dst = append(dst, text[run:]...)
	return append(dst, '"')
}
