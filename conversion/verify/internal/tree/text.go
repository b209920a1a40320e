package tree

import (
	"fmt"
	"strings"
)

// Append writes a value as compact JSON.
func (v *Value) Append(dst []byte) []byte {
	if v == nil {
		return append(dst, "absent"...)
	}
	switch v.Kind {
	case Null:
		return append(dst, "null"...)
	case Bool, Number:
		return append(dst, v.Text...)
	case String:
		return AppendString(dst, v.Text)
	case List:
		dst = append(dst, '[')
		for i, item := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.Append(dst)
		}
		return append(dst, ']')
	}
	dst = append(dst, '{')
	for i, m := range v.Members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, m.Name)
		dst = append(dst, ':')
		dst = m.Value.Append(dst)
	}
	return append(dst, '}')
}

// short are the characters with an escape of one letter, and letters are these letters.
const short, letters = "\n\t\r\b\f", "ntrbf"

// AppendString writes a JSON string with as few escapes as possible.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case strings.IndexByte(short, c) >= 0:
			dst = append(dst, '\\', letters[strings.IndexByte(short, c)])
		case c < 0x20:
			dst = fmt.Appendf(dst, `\u%04x`, c)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

func (v *Value) String() string { return string(v.Append(nil)) }
