package mapping

import (
	"bytes"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Join converts between a string and the list of its parts.
type Join struct {
	// Whole is the side with the string.
	Whole plan.Side
	// Separator, Prefix and Suffix are characters, not JSON.
	Separator, Prefix, Suffix []byte
	Trim, Integers            bool
}

// Convert implements [plan.Mapping].
func (j *Join) Convert(scratch []byte, from plan.Side, in, out [][]byte) ([]byte, bool) {
	switch {
	case in[0] == nil:
		out[0] = nil
		return scratch, true
	case from == j.Whole:
		return j.split(scratch, in[0], out)
	}
	return j.join(scratch, in[0], out)
}

// split returns the parts of a string. Those of an empty string are an empty list.
func (j *Join) split(scratch, text []byte, out [][]byte) ([]byte, bool) {
	if text[0] != '"' {
		return scratch, false
	}
	start := len(scratch)
	scratch = jsontext.Unquote(scratch, text[1:len(text)-1])
	inside, ok := bytes.CutPrefix(scratch[start:len(scratch):len(scratch)], j.Prefix)
	if inside, ok = cutSuffix(inside, j.Suffix, ok); !ok {
		return scratch, false
	}
	if j.Trim {
		inside = bytes.TrimSpace(inside)
	}
	start = len(scratch)
	scratch = append(scratch, '[')
	for rest, more := inside, len(inside) > 0; more; {
		var part []byte
		part, rest, more = bytes.Cut(rest, j.Separator)
		if j.Trim {
			part = bytes.TrimSpace(part)
		}
		if len(scratch) > start+1 {
			scratch = append(scratch, ',')
		}
		switch {
		case !j.Integers:
			scratch = jsontext.Quote(scratch, part)
		case isDecimal(part):
			scratch = jsontext.AppendNumber(scratch, trimZeros(part))
		default:
			return scratch, false
		}
	}
	scratch = append(scratch, ']')
	out[0] = scratch[start:len(scratch):len(scratch)]
	return scratch, true
}

func cutSuffix(text, suffix []byte, ok bool) ([]byte, bool) {
	text, has := bytes.CutSuffix(text, suffix)
	return text, ok && has
}

// join returns the string of parts. It returns false if split would return other parts of it.
func (j *Join) join(scratch, text []byte, out [][]byte) ([]byte, bool) {
	if text[0] != '[' {
		return scratch, false
	}
	var scan jsontext.Scanner
	scan.Reset(text)
	start := len(scratch)
	scratch = append(scratch, j.Prefix...)
	open, parts := len(scratch), 0
	a := scan.Array(0)
	for {
		ok, err := a.Next()
		if err != nil {
			return scratch, false
		}
		if !ok {
			break
		}
		if a.End, err = scan.Value(a.Value, 0); err != nil {
			return scratch, false
		}
		if parts++; parts > 1 {
			scratch = append(scratch, j.Separator...)
		}
		before := len(scratch)
		switch item := text[a.Value:a.End]; {
		case j.Integers && jsontext.IsInteger(item) && isDecimal(item):
			scratch = append(scratch, item...)
		case !j.Integers && item[0] == '"':
			scratch = jsontext.Unquote(scratch, item[1:len(item)-1])
		default:
			return scratch, false
		}
		part := scratch[before:]
		if bytes.Contains(part, j.Separator) || j.Trim && len(bytes.TrimSpace(part)) < len(part) {
			return scratch, false
		}
	}
	inside := scratch[open:len(scratch):len(scratch)]
	if parts == 1 && len(inside) == 0 || j.Trim && len(bytes.TrimSpace(inside)) < len(inside) || len(j.Separator) > 1 && !j.splits(text, inside) {
		return scratch, false
	}
	scratch = append(scratch, j.Suffix...)
	end := len(scratch)
	scratch = jsontext.Quote(scratch, scratch[start:end])
	out[0] = scratch[end:len(scratch):len(scratch)]
	return scratch, true
}

// splits reports whether a string has the parts that a list has. A part may end with the beginning of
// a separator of several characters.
func (j *Join) splits(list, inside []byte) bool {
	var scan jsontext.Scanner
	scan.Reset(list)
	a := scan.Array(0)
	var part, buffer []byte
	for rest, more := inside, true; ; {
		ok, err := a.Next()
		if err != nil || !ok {
			return err == nil
		}
		if a.End, err = scan.Value(a.Value, 0); err != nil || !more {
			return false
		}
		part, rest, more = bytes.Cut(rest, j.Separator)
		item := list[a.Value:a.End]
		if item[0] == '"' {
			buffer = jsontext.Unquote(buffer[:0], item[1:len(item)-1])
			item = buffer
		}
		if !bytes.Equal(part, item) {
			return false
		}
	}
}
