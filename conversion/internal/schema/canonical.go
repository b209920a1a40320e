package schema

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Canonical appends value as the API server would hand it back, in a form in
// which equal values are equal bytes: members sorted, numbers normalised, no
// white space, nulls at places that are not nullable absent, and members that
// hold their default absent. s may be nil where no schema is known. value must
// be valid JSON.
func Canonical(dst, value []byte, s *Schema) []byte {
	return canonicalizer{}.append(dst, value, s)
}

// Content is Canonical without what is sensitive.
func Content(dst, value []byte, s *Schema) []byte {
	return canonicalizer{omitSensitive: true}.append(dst, value, s)
}

// WithoutDropped is Canonical without what some table drops.
func WithoutDropped(dst, value []byte, s *Schema) []byte {
	return canonicalizer{omitDropped: true}.append(dst, value, s)
}

type canonicalizer struct{ omitSensitive, omitDropped bool }

func (c canonicalizer) append(dst, value []byte, s *Schema) []byte {
	var scan jsontext.Scanner
	scan.Reset(value)
	dst, _ = c.value(dst, &scan, scan.Space(0), s)
	return dst
}

type member struct {
	name  []byte
	value []byte
}

func (c canonicalizer) value(dst []byte, scan *jsontext.Scanner, pos int, s *Schema) ([]byte, int) {
	src := scan.Src
	switch b := src[pos]; {
	case b == '{':
		return c.object(dst, scan, pos, s)
	case b == '[':
		var items *Schema
		if s != nil {
			items = s.Items
		}
		dst = append(dst, '[')
		a := scan.Array(pos)
		for first := true; ; first = false {
			ok, err := a.Next()
			if err != nil || !ok {
				break
			}
			if !first {
				dst = append(dst, ',')
			}
			dst, a.End = c.value(dst, scan, a.Value, items)
		}
		return append(dst, ']'), a.End
	case b == '"':
		end, escaped, _ := scan.String(pos)
		inside := src[pos+1 : end-1]
		if escaped {
			inside = jsontext.Unquote(nil, inside)
		}
		return jsontext.Quote(dst, inside), end
	case b == '-' || b-'0' <= 9:
		end, _ := scan.Value(pos, 0)
		return jsontext.AppendNumber(dst, src[pos:end]), end
	default:
		end, _ := scan.Value(pos, 0)
		return append(dst, src[pos:end]...), end
	}
}

func (c canonicalizer) object(dst []byte, scan *jsontext.Scanner, pos int, s *Schema) ([]byte, int) {
	var members []member
	o := scan.Object(pos)
	for {
		name, ok, err := o.Next()
		if err != nil || !ok {
			break
		}
		text := name.Bytes(scan.Src)
		if name.Escaped {
			text = jsontext.Unquote(nil, text)
		}
		var of *Schema
		if s != nil {
			of = s.Member(string(text))
		}
		var value []byte
		value, o.End = c.value(nil, scan, o.Value, of)
		if of != nil && (absent(value, of) || c.omitSensitive && of.Sensitive || c.omitDropped && of.Dropped) {
			continue
		}
		members = append(members, member{text, value})
	}
	slices.SortFunc(members, func(a, b member) int { return bytes.Compare(a.name, b.name) })
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontext.Quote(dst, m.name)
		dst = append(dst, ':')
		dst = append(dst, m.value...)
	}
	return append(dst, '}'), o.End
}

// absent says whether a canonical value counts as not there.
func absent(value []byte, s *Schema) bool {
	if value[0] == 'n' && !s.Nullable {
		return true
	}
	return s.Default != nil && bytes.Equal(value, s.Default)
}

func isInt64(number []byte) bool {
	var buf [32]byte
	_, err := strconv.ParseInt(string(jsontext.AppendNumber(buf[:0], number)), 10, 64)
	return err == nil
}
