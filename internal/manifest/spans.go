package manifest

import (
	"bytes"
	"encoding/json"
)

// Span is a value's place in a JSON text.
type Span struct {
	// Key is the member's name, where the value belongs to an object.
	Key        string
	Start, End int
}

// Members lists the members of a JSON object without reading into them, so
// that one can be replaced and the rest stay byte for byte. It is nil for
// anything but an object.
func Members(text []byte) []Span { return children(text, '{') }

// Elements is [Members] for the elements of a JSON list.
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

// Reindent lays out a JSON value as the text around it is: on one line where
// like is on one line, else with like's indentation, for a value that starts
// on a line indented by prefix. Strings and numbers keep their text.
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

// Lines tells in which line of a text an offset is. The offsets that it is asked for
// grow, so that it goes over the text once.
type Lines struct {
	Text []byte
	// at is how far it has gone, in the line count that begins at start.
	at, count, start int
}

// To gives the number of the line that holds an offset, from 0, and the white space that
// opens it.
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
