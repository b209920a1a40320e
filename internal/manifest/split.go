package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Format is how a stream of documents is written.
type Format uint8

// The formats. JSON is one value after another, with nothing or white space
// between them.
const (
	YAML Format = iota
	JSON
)

// Detect tells JSON from YAML. Both may begin with a brace, as YAML has a flow style:
// what is no JSON from beginning to end is YAML, and what is neither is that of which
// more can be read.
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

// Document is one document of a stream. The stream is exactly all Before and
// Text in order, so a caller can replace one Text and leave the rest alone.
type Document struct {
	// Number counts documents that say something, from 1; it is 0 for a
	// document of white space and comments.
	Number int
	// Line is the line of the stream on which Text starts, from 1.
	Line int
	// Before is what separates the document from the one before it: in YAML a
	// line "---" or "..." up to its mark, in JSON white space.
	Before []byte
	// Text is the document itself.
	Text []byte
	// MaxValues bounds how many values a document may hold with all that its
	// aliases expand to; 0 stands for 4 Mi.
	MaxValues int
	// MaxText bounds the bytes of all its keys, texts, numbers and words in the same
	// way; 0 is no bound.
	MaxText int
}

// Split finds the documents of a stream. Where the stream breaks off (JSON
// only: YAML documents are told apart by lines) the documents before that are
// returned along with the error.
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

// mark tells the lines that separate documents. YAML forbids them inside any
// scalar, so no context is needed (YAML 1.2.2, rule 206, c-forbidden).
func mark(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("---")) && !bytes.HasPrefix(line, []byte("...")) {
		return false
	}
	return len(line) == 3 || bytes.IndexByte([]byte(" \t\r\n"), line[3]) >= 0
}

// empty tells a text of blank lines, comments and directives.
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
				Reason: fmt.Sprintf("not JSON: %v; nothing from line %d on was read", err, lineAt(data, broken)),
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

// SyntaxError says where a document is not YAML or JSON.
type SyntaxError struct {
	// Number is the document's, or 0 where the caller knows it.
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
		// Offset counts the bytes read when the error was seen.
		return min(max(skipped+int(syntax.Offset)-1, 0), end)
	}
	return end
}

func lineAt(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(offset, len(data))], []byte("\n"))
}

// bom is the UTF-8 byte order mark that some editors put first.
func bom() []byte { return []byte("\xef\xbb\xbf") }
