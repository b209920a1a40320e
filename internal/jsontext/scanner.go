package jsontext

// MaxDepth is how deeply values may nest. It is the limit of encoding/json, which every object
// of the API server has passed through.
const MaxDepth = 10000

// Span is a half-open range of bytes.
type Span struct{ Start, End int32 }

// Bytes returns the bytes of the span.
func (s Span) Bytes(src []byte) []byte { return src[s.Start:s.End] }

// A Scanner validates JSON text and finds the spans of its values. The zero
// value is ready for Reset. It is not safe for concurrent use.
type Scanner struct {
	Src   []byte
	names nameStack
}

// Reset makes the scanner read src.
func (s *Scanner) Reset(src []byte) {
	s.Src = src
	s.names.reset()
}

// Space returns the position of the first byte at or after pos that is not
// white space.
func (s *Scanner) Space(pos int) int {
	src := s.Src
	for pos < len(src) {
		switch src[pos] {
		case ' ', '\t', '\n', '\r':
			pos++
		default:
			return pos
		}
	}
	return pos
}

// Value validates the value that starts at pos and returns its end. depth is
// the number of objects and arrays that enclose it.
func (s *Scanner) Value(pos, depth int) (end int, err error) {
	src := s.Src
	if pos >= len(src) {
		return pos, unexpected(src, pos, "a value")
	}
	switch c := src[pos]; c {
	case '"':
		end, _, err = s.String(pos)
		return end, err
	case '{':
		return s.skipObject(pos, depth)
	case '[':
		return s.skipArray(pos, depth)
	case 't':
		return s.literal(pos, "true")
	case 'f':
		return s.literal(pos, "false")
	case 'n':
		return s.literal(pos, "null")
	default:
		if c == '-' || c-'0' <= 9 {
			return s.number(pos)
		}
		return pos, unexpected(src, pos, "a value")
	}
}

// Document validates src as one value with white space around it and returns
// the span of the value.
func (s *Scanner) Document() (Span, error) {
	start := s.Space(0)
	end, err := s.Value(start, 0)
	if err != nil {
		return Span{}, err
	}
	return Span{int32(start), int32(end)}, s.Trailing(end)
}

// Trailing fails if anything but white space follows pos.
func (s *Scanner) Trailing(pos int) error {
	if pos = s.Space(pos); pos < len(s.Src) {
		return unexpected(s.Src, pos, "the end of the JSON")
	}
	return nil
}

func (s *Scanner) literal(pos int, word string) (int, error) {
	end := pos + len(word)
	if end <= len(s.Src) && string(s.Src[pos:end]) == word {
		return end, nil
	}
	return pos, &SyntaxError{Offset: pos, Reason: "not a value; expected " + word}
}

func tooDeep(pos int) error {
	return &SyntaxError{Offset: pos, Reason: "nested more than 10000 levels deep"}
}

func (s *Scanner) skipObject(pos, depth int) (int, error) {
	if depth >= MaxDepth {
		return pos, tooDeep(pos)
	}
	o := s.Object(pos)
	for {
		_, ok, err := o.Next()
		if err != nil {
			return pos, err
		}
		if !ok {
			return o.End, nil
		}
		end, err := s.Value(o.Value, depth+1)
		if err != nil {
			return pos, err
		}
		o.End = end
	}
}

func (s *Scanner) skipArray(pos, depth int) (int, error) {
	if depth >= MaxDepth {
		return pos, tooDeep(pos)
	}
	a := s.Array(pos)
	for {
		ok, err := a.Next()
		if err != nil {
			return pos, err
		}
		if !ok {
			return a.End, nil
		}
		end, err := s.Value(a.Value, depth+1)
		if err != nil {
			return pos, err
		}
		a.End = end
	}
}
