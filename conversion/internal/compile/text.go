package compile

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// text ties a string that holds YAML or JSON to the data itself.
type text struct {
	// whole is the side with the string.
	whole  plan.Side
	format v1alpha1.Format
	data   *schema.Schema
}

// maxNesting is how deep data from a text may nest. It is far above what anybody
// writes, and leaves room around it within what an object may.
const maxNesting = 1000

// maxGrowth is how many times its length the data of a text may have by aliases: a long
// word that a text repeats by its anchor would make an object that nobody could read.
const maxGrowth = 8

func (t *text) Convert(scratch []byte, from plan.Side, in, out [][]byte) ([]byte, bool) {
	switch {
	case in[0] == nil:
		out[0] = nil
		return scratch, true
	case from == t.whole:
		return t.read(scratch, in[0], out)
	}
	return t.write(scratch, in[0], out)
}

// read gives the data that a string holds, as the API server will hand it back. A
// string that says nothing holds none.
func (t *text) read(scratch, value []byte, out [][]byte) ([]byte, bool) {
	node, ok := t.parse(value)
	if node == nil || !ok {
		out[0] = nil
		return scratch, ok
	}
	start := len(scratch)
	scratch, ok = appendFitting(scratch, node, t.data, 0)
	out[0] = scratch[start:len(scratch):len(scratch)]
	return scratch, ok
}

// parse gives what a string says, nil where it says nothing: it is empty, or has only
// comments.
func (t *text) parse(value []byte) (*manifest.Node, bool) {
	if value[0] != '"' {
		return nil, false
	}
	content := jsontext.Unquote(nil, value[1:len(value)-1])
	if len(bytes.TrimSpace(content)) == 0 {
		return nil, true
	}
	// Without aliases there is less than one value for every character, and less text.
	document := manifest.Document{Number: 1, Line: 1, Text: content, MaxValues: len(content) + 1, MaxText: maxGrowth * len(content)}
	format := manifest.YAML
	if t.format == v1alpha1.FormatJSON {
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

// count counts the documents that say something.
func count(documents []manifest.Document) int {
	n := 0
	for _, d := range documents {
		if d.Number > 0 {
			n++
		}
	}
	return n
}

// appendFitting appends what may stand at a place of data: without the members
// that pruning would remove. It reports false where something is of the wrong
// type.
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

// write gives the string for data: its canonical form, without what holds a
// default.
func (t *text) write(scratch, value []byte, out [][]byte) ([]byte, bool) {
	if value[0] == 'n' {
		return scratch, false
	}
	content := schema.Canonical(nil, value, t.data)
	node, err := manifest.Parse(manifest.Document{Number: 1, Line: 1, Text: content}, manifest.JSON)
	if err != nil {
		return scratch, false
	}
	if check, ok := appendFitting(nil, node, t.data, 0); !ok || !bytes.Equal(check, content) {
		return scratch, false
	}
	return t.spell(scratch, content, node, out)
}

// spell gives the string for data, of which content is the canonical form.
func (t *text) spell(scratch, content []byte, node *manifest.Node, out [][]byte) ([]byte, bool) {
	if t.format == v1alpha1.FormatYAML {
		var err error
		if content, err = node.AppendYAML(nil); err != nil {
			return scratch, false
		}
		again, err := manifest.Parse(manifest.Document{Number: 1, Line: 1, Text: content}, manifest.YAML)
		if err != nil || again == nil || !bytes.Equal(again.AppendJSON(nil), node.AppendJSON(nil)) {
			return scratch, false // some characters have no YAML
		}
	}
	start := len(scratch)
	scratch = jsontext.Quote(scratch, content)
	out[0] = scratch[start:len(scratch):len(scratch)]
	return scratch, true
}

func (b *builder) checkText(w *written) {
	if !slices.Contains(v1alpha1.Formats(), w.Text) {
		b.problem(w, "use json or yaml", "text: %q is not a format", w.Text)
	}
}

func (b *builder) textRow(w *written, r *plan.Row) bool {
	if b.leadsInto(w) {
		return false
	}
	types := w.pair()
	whole := plan.Spoke
	if types[plan.Spoke].Type != "string" {
		whole = plan.Hub
	}
	data := types[whole.Other()]
	if data.Type == "string" {
		b.problem(w, "remove text, or add the schema of the data to one of them", "text maps a string to the data in it, but both fields are strings, which need no mapping")
		return false
	}
	if types[whole].Type != "string" || !data.Allows("object") && !data.Allows("array") {
		b.problem(w, "name a string on one side, and an object or a list on the other", "text maps a string to the data in it: %s is of type %s, %s is of type %s",
			w.paths[plan.Spoke][0], types[plan.Spoke].Describe(), w.paths[plan.Hub][0], types[plan.Hub].Describe())
		return false
	}
	r.Kind, r.Mapping = plan.Map, &text{whole: whole, format: w.Text, data: data.Inside()}
	name := map[v1alpha1.Format]string{v1alpha1.FormatJSON: "JSON", v1alpha1.FormatYAML: "YAML"}[w.Text]
	r.Needs[whole] = name + " that " + w.paths[whole.Other()][0].String() + " can hold"
	r.Needs[whole.Other()] = "a value that can be written as " + name
	return true
}
