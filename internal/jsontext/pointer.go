package jsontext

import (
	"strconv"
	"strings"
)

// maxPointer is how many steps of a pointer are written. A pointer into deeply nested hostile
// input would be of no use in a message.
const maxPointer = 64

// Pointer returns the JSON pointer (RFC 6901) of the innermost value of src that contains the
// byte at offset, as far as src is JSON. It is meant for messages: it reads src once and
// validates nothing.
func Pointer(src []byte, offset int) string {
	type level struct {
		array  bool
		index  int
		name   Span
		inside bool // a value of this level has begun
	}
	var open []level
	var s Scanner
	s.Reset(src)
	named := func() bool { return len(open) > 0 && !open[len(open)-1].array && !open[len(open)-1].inside }
walk:
	for pos := 0; pos < len(src) && pos < offset; {
		switch src[pos] {
		case '"':
			end, _, err := s.String(pos)
			if named() {
				if err != nil {
					break walk
				}
				open[len(open)-1].name = Span{int32(pos + 1), int32(end - 1)}
			}
			if err != nil || end > offset {
				break walk
			}
			pos = end
			continue
		case '{', '[':
			open = append(open, level{array: src[pos] == '[', inside: src[pos] == '['})
		case '}', ']':
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		case ':':
			if len(open) > 0 {
				open[len(open)-1].inside = true
			}
		case ',':
			if len(open) > 0 {
				l := &open[len(open)-1]
				l.index++
				l.inside = l.array
				l.name = Span{}
			}
		}
		pos++
	}
	var b strings.Builder
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	for i, l := range open {
		if i == maxPointer {
			b.WriteString("/…")
			break
		}
		switch {
		case l.array:
			b.WriteString("/" + strconv.Itoa(l.index))
		case l.name.Start > 0:
			b.WriteString("/" + escape.Replace(string(Unquote(nil, l.name.Bytes(src)))))
		}
	}
	return b.String()
}
