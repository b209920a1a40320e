package tree

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Parse parses one I-JSON text (RFC 7493): valid UTF-8, no duplicate names, no lone surrogates,
// nothing after the value.
func Parse(data []byte) (*Value, error) {
	p := parser{data: data}
	v, err := p.value(0)
	if err != nil {
		return nil, fmt.Errorf("byte %d: %w", p.pos, err)
	}
	if p.space(); p.pos < len(data) {
		return nil, fmt.Errorf("byte %d: something after the value", p.pos)
	}
	return v, nil
}

// maxDepth is that of encoding/json.
const maxDepth = 10000

type parser struct {
	data []byte
	pos  int
}

func (p *parser) space() {
	for p.pos < len(p.data) {
		switch p.data[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// next returns the next byte that is not white space, or 0.
func (p *parser) next() byte {
	if p.space(); p.pos < len(p.data) {
		return p.data[p.pos]
	}
	return 0
}

func (p *parser) value(depth int) (*Value, error) {
	if depth > maxDepth {
		return nil, errors.New("nested too deeply")
	}
	switch c := p.next(); {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.list(depth)
	case c == '"':
		s, err := p.text()
		return NewString(s), err
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	switch rest := p.data[p.pos:]; {
	case bytes.HasPrefix(rest, []byte("null")):
		p.pos += 4
		return NewNull(), nil
	case bytes.HasPrefix(rest, []byte("true")):
		p.pos += 4
		return NewBool(true), nil
	case bytes.HasPrefix(rest, []byte("false")):
		p.pos += 5
		return NewBool(false), nil
	}
	return nil, errors.New("not a value")
}

func (p *parser) object(depth int) (*Value, error) {
	v := NewObject()
	p.pos++
	if p.next() == '}' {
		p.pos++
		return v, nil
	}
	for {
		if p.next() != '"' {
			return nil, errors.New("not a name")
		}
		name, err := p.text()
		if err != nil {
			return nil, err
		}
		if v.Get(name) != nil {
			return nil, fmt.Errorf("name %q twice", name)
		}
		if p.next() != ':' {
			return nil, errors.New("no colon")
		}
		p.pos++
		member, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		v.Members = append(v.Members, Member{name, member})
		switch p.next() {
		case ',':
			p.pos++
		case '}':
			p.pos++
			return v, nil
		default:
			return nil, errors.New("neither , nor }")
		}
	}
}

func (p *parser) list(depth int) (*Value, error) {
	v := NewList()
	p.pos++
	if p.next() == ']' {
		p.pos++
		return v, nil
	}
	for {
		item, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		v.Items = append(v.Items, item)
		switch p.next() {
		case ',':
			p.pos++
		case ']':
			p.pos++
			return v, nil
		default:
			return nil, errors.New("neither , nor ]")
		}
	}
}

func (p *parser) digits() bool {
	start := p.pos
	for p.pos < len(p.data) && p.data[p.pos] >= '0' && p.data[p.pos] <= '9' {
		p.pos++
	}
	return p.pos > start
}

func (p *parser) is(chars ...byte) bool {
	for _, c := range chars {
		if p.pos < len(p.data) && p.data[p.pos] == c {
			p.pos++
			return true
		}
	}
	return false
}

func (p *parser) number() (*Value, error) {
	start := p.pos
	p.is('-')
	ok := p.is('0') || p.digits()
	if ok && p.is('.') {
		ok = p.digits()
	}
	if ok && p.is('e', 'E') {
		p.is('+', '-')
		ok = p.digits()
	}
	if !ok {
		return nil, errors.New("not a number")
	}
	return NewNumber(string(p.data[start:p.pos])), nil
}

func (p *parser) text() (string, error) {
	p.pos++
	start := p.pos
	var out []byte
	for p.pos < len(p.data) {
		c := p.data[p.pos]
		switch {
		case c == '"':
			s := string(p.data[start:p.pos])
			p.pos++
			if out != nil {
				s = string(out) + s
			}
			if !utf8.ValidString(s) {
				return "", errors.New("not valid UTF-8")
			}
			return s, nil
		case c < 0x20:
			return "", errors.New("a control character in a string")
		case c == '\\':
			out = append(out, p.data[start:p.pos]...)
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, r)
			start = p.pos
		default:
			p.pos++
		}
	}
	return "", errors.New("a string without an end")
}

func (p *parser) escape() (rune, error) {
	p.pos++
	if p.pos >= len(p.data) {
		return 0, errors.New("a string without an end")
	}
	c := p.data[p.pos]
	p.pos++
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		r, err := p.unit()
		if err != nil || !utf16.IsSurrogate(r) {
			return r, err
		}
		if !p.is('\\') || !p.is('u') {
			return 0, errors.New("a lone surrogate")
		}
		low, err := p.unit()
		if err != nil {
			return 0, err
		}
		if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
			return 0, errors.New("a lone surrogate")
		}
		return r, nil
	}
	return 0, errors.New("an unknown escape")
}

func (p *parser) unit() (rune, error) {
	if p.pos+4 > len(p.data) {
		return 0, errors.New("not four hexadecimal digits")
	}
	for _, c := range p.data[p.pos : p.pos+4] {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return 0, errors.New("not four hexadecimal digits")
		}
	}
	u, err := strconv.ParseUint(string(p.data[p.pos:p.pos+4]), 16, 16)
	p.pos += 4
	return rune(u), err
}
