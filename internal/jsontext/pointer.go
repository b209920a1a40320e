package jsontext

import (
	"errors"
	"strconv"
	"strings"
)

// Pointer returns the JSON pointer (RFC 6901) of the innermost value of src
// that holds the byte at offset, as far as src is JSON. It is meant for
// messages and takes its time.
func Pointer(src []byte, offset int) string {
	var s Scanner
	s.Reset(src)
	var b strings.Builder
	pos := s.Space(0)
	for depth := 0; depth < MaxDepth && pos < len(src); depth++ {
		next, step := s.stepTowards(pos, offset, depth)
		if next < 0 {
			break
		}
		b.WriteByte('/')
		b.WriteString(step)
		pos = next
	}
	return b.String()
}

// stepTowards finds the member or element of the value at pos that holds
// offset: where its value starts and its pointer token; or -1.
func (s *Scanner) stepTowards(pos, offset, depth int) (int, string) {
	switch s.Src[pos] {
	case '{':
		o := s.Object(pos)
		for {
			name, ok, err := o.Next()
			if err != nil || !ok || o.Value > offset {
				return -1, ""
			}
			end, err := s.Value(o.Value, depth)
			if offset < end || err != nil && holds(err, offset) {
				token := string(Unquote(nil, name.Bytes(s.Src)))
				return o.Value, strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
			}
			if err != nil {
				return -1, ""
			}
			o.End = end
		}
	case '[':
		a := s.Array(pos)
		for i := 0; ; i++ {
			ok, err := a.Next()
			if err != nil || !ok || a.Value > offset {
				return -1, ""
			}
			end, err := s.Value(a.Value, depth)
			if offset < end || err != nil && holds(err, offset) {
				return a.Value, strconv.Itoa(i)
			}
			if err != nil {
				return -1, ""
			}
			a.End = end
		}
	}
	return -1, ""
}

func holds(err error, offset int) bool {
	var syntax *SyntaxError
	return errors.As(err, &syntax) && syntax.Offset <= offset+1
}
