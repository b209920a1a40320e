package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Format is the format of a stream of documents.
type Format uint8

// The formats. JSON is one value after another, with nothing or white space
// between them.
const (
	YAML Format = iota
	JSON
)

// Detect distinguishes JSON and YAML. Both may begin with a brace, because YAML has a flow
// style. A text that is not JSON to its end is YAML. If it is neither, Detect returns the
// format of which more can be read.
func Detect(data []byte) Format {
	begin := bytes.TrimLeft(bytes.TrimPrefix(data, bom()), " \t\r\n")
	if len(begin) == 0 || begin[0] != '{' && begin[0] != '[' {
		return YAML
	}
	_, err := splitJSON(data)
	broken := (*SyntaxError)(nil)
	if !errors.As(err, &broken) {
		return JSON
	}
	docs := splitYAML(data)
	if len(docs) != 1 {
		return YAML
	}
	wrong := (*SyntaxError)(nil)
	if _, err := parseYAML(docs[0]); errors.As(err, &wrong) && wrong.Line <= broken.Line {
		return JSON
	}
	return YAML
}

// Document is one document of a stream. The stream is exactly all Before and Text in order, so
// a caller can replace one Text and keep the rest.
type Document struct {
	// Number is the number of the document among those that are not empty, from 1. It is 0 for
	// a document of white space and comments.
	Number int
	// Line is the line of the stream on which Text starts, from 1.
	Line int
	// Before separates the document from the previous one: in YAML a line "---" or "..." up to
	// its mark, in JSON white space.
	Before []byte
	// Text is the document itself.
	Text []byte
	// MaxValues bounds how many values a document may have after its aliases are expanded; 0
	// means 4 Mi.
	MaxValues int
	// MaxText bounds the bytes of all its keys, texts, numbers and words in the same way; 0
	// means no bound.
	MaxText int
}

// Split finds the documents of a stream. If JSON breaks off, Split returns the documents before
// that place and the error. YAML cannot break off, because lines separate its documents.
func Split(data []byte, format Format) ([]Document, error) {
	if format == JSON {
		return splitJSON(data)
	}
	return splitYAML(data), nil
}

func splitYAML(data []byte) []Document {
	var docs []Document
	number, line := 0, 1
	add := func(before, text []byte, line int) {
		doc := Document{Line: line, Before: before, Text: text}
		if !empty(text) {
			number++
			doc.Number = number
		}
		if len(before)+len(text) > 0 {
			docs = append(docs, doc)
		}
	}

	start, textStart, docLine := 0, 0, 1
	if bytes.HasPrefix(data, bom()) {
		textStart = len(bom())
	}
	for at := textStart; at < len(data); {
		end := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if mark(data[at:end]) {
			add(data[start:textStart], data[textStart:at], docLine)
			start, textStart, docLine = at, at+3, line
		}
		at = end
		line++
	}
	add(data[start:textStart], data[textStart:], docLine)
	return docs
}

// mark reports whether a line separates documents. YAML forbids such lines inside any scalar,
// so no context is needed (YAML 1.2.2, rule 206, c-forbidden).
func mark(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("---")) && !bytes.HasPrefix(line, []byte("...")) {
		return false
	}
	return len(line) == 3 || bytes.IndexByte([]byte(" \t\r\n"), line[3]) >= 0
}

// empty reports whether a text has only blank lines, comments and directives.
func empty(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && line[0] != '%' {
			return false
		}
	}
	return true
}

func splitJSON(data []byte) ([]Document, error) {
	var docs []Document
	body := bytes.TrimPrefix(data, bom())
	skipped := len(data) - len(body)
	decoder := json.NewDecoder(bytes.NewReader(body))
	at, line := 0, 1
	for {
		var raw json.RawMessage
		err := decoder.Decode(&raw)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			broken := len(data) - len(bytes.TrimLeft(data[at:], " \t\r\n"))
			return docs, &SyntaxError{
				Number: len(docs) + 1,
				Line:   lineAt(data, jsonErrorOffset(err, skipped, len(data))),
				Reason: fmt.Sprintf("not JSON: %v; stopped reading at line %d", err, lineAt(data, broken)),
			}
		}
		end := skipped + int(decoder.InputOffset())
		start := end - len(raw)
		line += bytes.Count(data[at:start], []byte("\n"))
		docs = append(docs, Document{
			Number: len(docs) + 1,
			Line:   line,
			Before: data[at:start],
			Text:   data[start:end],
		})
		line += bytes.Count(raw, []byte("\n"))
		at = end
	}
	if at < len(data) {
		docs = append(docs, Document{Line: line, Text: data[at:]})
	}
	return docs, nil
}

// SyntaxError is a place where a document is not YAML or JSON.
type SyntaxError struct {
	// Number is the number of the document, or 0 if the caller knows it.
	Number int
	Line   int
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
}

func jsonErrorOffset(err error, skipped, end int) int {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		// Offset is the number of bytes that had been read when the error was found.
		return min(max(skipped+int(syntax.Offset)-1, 0), end)
	}
	return end
}

func lineAt(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(offset, len(data))], []byte("\n"))
}

// bom is the UTF-8 byte order mark that some editors put first.
func bom() []byte { return []byte("\xef\xbb\xbf") }
