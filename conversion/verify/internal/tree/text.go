package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// Parse reads one I-JSON text (RFC 7493): valid UTF-8, no duplicate names, no
// lone surrogates, nothing after the value.
func Parse(data []byte) (*Value, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("not valid UTF-8")
	}
	if !json.Valid(data) {
		return nil, errors.New("not valid JSON")
	}
	if loneSurrogate(data) {
		return nil, errors.New("a lone surrogate")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	v, err := parse(dec)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("something after the value")
	}
	return v, nil
}

func parse(dec *json.Decoder) (*Value, error) {
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case nil:
		return NewNull(), nil
	case bool:
		return NewBool(t), nil
	case json.Number:
		return NewNumber(string(t)), nil
	case string:
		return NewString(t), nil
	case json.Delim:
		if t == '[' {
			v := NewList()
			for dec.More() {
				item, err := parse(dec)
				if err != nil {
					return nil, err
				}
				v.Items = append(v.Items, item)
			}
			_, err := dec.Token()
			return v, err
		}
		v := NewObject()
		seen := map[string]bool{}
		for dec.More() {
			name, err := dec.Token()
			if err != nil {
				return nil, err
			}
			if seen[name.(string)] {
				return nil, fmt.Errorf("name %q twice", name)
			}
			seen[name.(string)] = true
			member, err := parse(dec)
			if err != nil {
				return nil, err
			}
			v.Members = append(v.Members, Member{name.(string), member})
		}
		_, err := dec.Token()
		return v, err
	}
	return nil, fmt.Errorf("unexpected token %v", t)
}

// loneSurrogate finds escapes \uD800 to \uDFFF that are not pairs.
func loneSurrogate(data []byte) bool {
	unit := func(i int) (u uint16, ok bool) {
		if i+6 > len(data) || data[i] != '\\' || data[i+1] != 'u' {
			return 0, false
		}
		_, err := fmt.Sscanf(string(data[i+2:i+6]), "%04x", &u)
		return u, err == nil
	}
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		u, ok := unit(i)
		switch {
		case !ok:
			i++
		case u>>10 == 0xD800>>10:
			if low, ok := unit(i + 6); !ok || low>>10 != 0xDC00>>10 {
				return true
			}
			i += 11
		case u>>10 == 0xDC00>>10:
			return true
		default:
			i += 5
		}
	}
	return false
}

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

// AppendString writes a JSON string, escaping only what must be.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c < 0x20:
			dst = fmt.Appendf(dst, `\u%04x`, c)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

func (v *Value) String() string { return string(v.Append(nil)) }
