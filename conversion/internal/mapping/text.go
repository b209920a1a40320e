package mapping

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// Text converts between a string that has YAML or JSON in it and the data.
type Text struct {
	// Whole is the side with the string.
	Whole plan.Side
	// Format is that of the string.
	Format v1alpha1.Format
	// Data is the schema of the data.
	Data *schema.Schema
}

// maxNesting is how deep data from a string may nest. It is far above what people
// write, and leaves room for the object around it.
const maxNesting = 1000

// maxGrowth bounds how many times the length of a string its data may have: a string that repeats a long
// word by an alias would make an object of any size.
const maxGrowth = 8

// Convert implements [plan.Mapping].
func (t *Text) Convert(scratch []byte, from plan.Side, in, out [][]byte) ([]byte, bool) {
	switch {
	case in[0] == nil:
		out[0] = nil
		return scratch, true
	case from == t.Whole:
		return t.read(scratch, in[0], out)
	}
	return t.write(scratch, in[0], out)
}

// read sets out to the data of a string, as the API server will return it. An empty string has none.
func (t *Text) read(scratch, value []byte, out [][]byte) ([]byte, bool) {
	node, ok := t.parse(value)
	if node == nil || !ok {
		out[0] = nil
		return scratch, ok
	}
	start := len(scratch)
	scratch, ok = appendFitting(scratch, node, t.Data, 0)
	out[0] = scratch[start:len(scratch):len(scratch)]
	return scratch, ok
}

// parse parses a string. It returns nil if the string is empty, or has only comments.
func (t *Text) parse(value []byte) (*manifest.Node, bool) {
	if value[0] != '"' {
		return nil, false
	}
	content := jsontext.Unquote(nil, value[1:len(value)-1])
	if len(bytes.TrimSpace(content)) == 0 {
		return nil, true
	}
	// Without aliases, data has fewer values than the string has characters.
	document := manifest.Document{Number: 1, Line: 1, Text: content, MaxValues: len(content) + 1, MaxText: maxGrowth * len(content)}
	format := manifest.YAML
	if t.Format == v1alpha1.FormatJSON {
		var scan jsontext.Scanner
		scan.Reset(content)
		if _, err := scan.Document(); err != nil {
			return nil, false
		}
		format = manifest.JSON
	} else if documents, err := manifest.Split(content, manifest.YAML); err != nil || count(documents) > 1 {
		return nil, false
	}
	node, err := manifest.Parse(document, format)
	return node, err == nil
}

// count counts the documents that are not empty.
func count(documents []manifest.Document) int {
	n := 0
	for _, d := range documents {
		if d.Number > 0 {
			n++
		}
	}
	return n
}

// appendFitting appends a value without the members that the API server would remove. It returns false if
// something in it is of a wrong type.
func appendFitting(dst []byte, n *manifest.Node, s *schema.Schema, depth int) ([]byte, bool) {
	if depth > maxNesting {
		return dst, false
	}
	ok := true
	switch n.Kind {
	case manifest.Null:
		return append(dst, "null"...), s.Nullable
	case manifest.Boolean:
		return append(dst, n.Text...), s.Allows("boolean")
	case manifest.String:
		return jsontext.Quote(dst, n.Text), s.Allows("string") && utf8.ValidString(n.Text)
	case manifest.Number:
		start := len(dst)
		dst = jsontext.AppendNumber(dst, []byte(n.Text))
		_, err := strconv.ParseFloat(n.Text, 64)
		return dst, err == nil && s.Holds(dst[start:])
	case manifest.List:
		items := s.Items
		if items == nil {
			items = schema.Any()
		}
		dst = append(dst, '[')
		for i, item := range n.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, ok = appendFitting(dst, item, items, depth+1); !ok {
				return dst, false
			}
		}
		return append(dst, ']'), s.Allows("array")
	}
	dst = append(dst, '{')
	open := len(dst)
	for _, m := range n.Members {
		of := s.Member(m.Key)
		if of == nil || m.Value.Kind == manifest.Null && !of.Nullable {
			continue
		}
		if !utf8.ValidString(m.Key) {
			return dst, false
		}
		if len(dst) > open {
			dst = append(dst, ',')
		}
		dst = append(jsontext.Quote(dst, m.Key), ':')
		if dst, ok = appendFitting(dst, m.Value, of, depth+1); !ok {
			return dst, false
		}
	}
	return append(dst, '}'), s.Allows("object")
}

// write sets out to the string for data: its canonical form, without defaults.
func (t *Text) write(scratch, value []byte, out [][]byte) ([]byte, bool) {
	if value[0] == 'n' {
		return scratch, false
	}
	content := schema.Canonical(nil, value, t.Data)
	node, err := manifest.Parse(manifest.Document{Number: 1, Line: 1, Text: content}, manifest.JSON)
	if err != nil {
		return scratch, false
	}
	if check, ok := appendFitting(nil, node, t.Data, 0); !ok || !bytes.Equal(check, content) {
		return scratch, false
	}
	return t.spell(scratch, content, node, out)
}

// spell sets out to the string for data. content is its canonical form.
func (t *Text) spell(scratch, content []byte, node *manifest.Node, out [][]byte) ([]byte, bool) {
	if t.Format == v1alpha1.FormatYAML {
		var err error
		if content, err = node.AppendYAML(nil); err != nil {
			return scratch, false
		}
		again, err := manifest.Parse(manifest.Document{Number: 1, Line: 1, Text: content}, manifest.YAML)
		if err != nil || again == nil || !bytes.Equal(again.AppendJSON(nil), node.AppendJSON(nil)) {
			return scratch, false // YAML can't represent some characters
		}
	}
	start := len(scratch)
	scratch = jsontext.Quote(scratch, content)
	out[0] = scratch[start:len(scratch):len(scratch)]
	return scratch, true
}
