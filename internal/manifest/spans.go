package manifest

import (
	"bytes"
	"encoding/json"
)

// Span is the place of a value in a JSON text.
type Span struct {
	// Key is the member's name, if the value is in an object.
	Key        string
	Start, End int
}

// Members lists the members of a JSON object without parsing them, so that one can be replaced
// and the others stay byte for byte. It returns nil for anything but an object.
func Members(text []byte) []Span { return children(text, '{') }

// Elements is like [Members], for the elements of a JSON list.
func Elements(text []byte) []Span { return children(text, '[') }

func children(text []byte, open json.Delim) []Span {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if token, err := decoder.Token(); err != nil || token != open {
		return nil
	}
	var spans []Span
	for decoder.More() {
		var span Span
		if open == '{' {
			token, err := decoder.Token()
			if err != nil {
				return nil
			}
			span.Key, _ = token.(string)
		}
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			return nil
		}
		span.End = int(decoder.InputOffset())
		span.Start = span.End - len(raw)
		spans = append(spans, span)
	}
	return spans
}

// Reindent formats a JSON value like the text around it: on one line if like is on one line,
// otherwise with like's indentation, for a value that starts on a line indented by prefix.
// Strings and numbers keep their text.
func Reindent(value, like []byte, prefix string) ([]byte, error) {
	var out bytes.Buffer
	_, rest, lines := bytes.Cut(like, []byte("\n"))
	if !lines {
		err := json.Compact(&out, value)
		return out.Bytes(), err
	}
	indent := string(bytes.TrimPrefix(leading(rest), []byte(prefix)))
	err := json.Indent(&out, value, prefix, indent)
	return out.Bytes(), err
}

// Lines finds the line of an offset in a text. The offsets must increase from call to call, so
// that it reads the text once.
type Lines struct {
	Text []byte
	// at is the offset that was read up to: it is in the line with number count, which begins
	// at start.
	at, count, start int
}

// To returns the number of the line with an offset, from 0, and the white space at its
// beginning.
func (l *Lines) To(offset int) (line int, prefix string) {
	passed := l.Text[l.at:offset]
	l.count += bytes.Count(passed, []byte("\n"))
	if last := bytes.LastIndexByte(passed, '\n'); last >= 0 {
		l.start = l.at + last + 1
	}
	l.at = offset
	return l.count, string(leading(l.Text[l.start:offset]))
}

func leading(line []byte) []byte {
	return line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
}
