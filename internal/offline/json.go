package offline

import (
	"bytes"
	"encoding/json"

	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// rewriteJSON returns nil for a document that failed.
func (r *Rewriter) rewriteJSON(doc manifest.Document) ([]byte, []*Failure) {
	members := manifest.Members(doc.Text)
	apiVersion, kind := member(doc.Text, members, "apiVersion"), member(doc.Text, members, "kind")
	found, list := r.find(apiVersion, kind)
	switch {
	case list:
		return r.listJSON(doc, members, found)
	case found == nil:
		return doc.Text, nil
	}
	out, err := r.objectJSON(found, apiVersion, doc.Text, "")
	if err != nil {
		return nil, []*Failure{{Line: doc.Line, Err: err}}
	}
	return out, nil
}

func (r *Rewriter) objectJSON(kind *Kind, apiVersion string, text []byte, prefix string) ([]byte, error) {
	out, err := r.convert(kind, apiVersion, text)
	if err != nil || bytes.Equal(out, text) {
		return text, err
	}
	return manifest.Reindent(out, text, prefix)
}

// listJSON converts the items of a list and copies the bytes between them. An item that fails
// is left out.
func (r *Rewriter) listJSON(doc manifest.Document, members []manifest.Span, typed *Kind) ([]byte, []*Failure) {
	var failures []*Failure
	var out []byte
	done := 0
	for _, span := range members {
		value := doc.Text[span.Start:span.End]
		switch {
		case span.Key == "apiVersion" && typed != nil:
			quoted, err := json.Marshal(typed.Converter.Group() + "/" + r.Target.Version)
			if err != nil {
				return nil, []*Failure{{Line: doc.Line, Err: err}}
			}
			value = quoted
		case span.Key == "items":
			line := doc.Line + bytes.Count(doc.Text[:span.Start], []byte("\n"))
			var failed []*Failure
			value, failed = r.itemsJSON(value, line)
			failures = append(failures, failed...)
		}
		out = append(append(out, doc.Text[done:span.Start]...), value...)
		done = span.End
	}
	return append(out, doc.Text[done:]...), failures
}

func (r *Rewriter) itemsJSON(items []byte, line int) ([]byte, []*Failure) {
	var failures []*Failure
	var out []byte
	done, kept := 0, 0
	lines := manifest.Lines{Text: items}
	for i, span := range manifest.Elements(items) {
		item := items[span.Start:span.End]
		members := manifest.Members(item)
		apiVersion, kind := member(item, members, "apiVersion"), member(item, members, "kind")
		found, list := r.find(apiVersion, kind)
		if found != nil && !list {
			at, prefix := lines.To(span.Start)
			converted, err := r.objectJSON(found, apiVersion, item, prefix)
			if err != nil {
				failures = append(failures, &Failure{Line: line + at, Item: i + 1, Err: err})
				if kept > 0 {
					// The comma before the item is left out, too.
					done = span.End
					continue
				}
				// No item was copied yet: the comma after the item is left out, too.
				out = append(out, items[done:span.Start]...)
				done = afterComma(items, span.End)
				continue
			}
			item = converted
		}
		out = append(append(out, items[done:span.Start]...), item...)
		done = span.End
		kept++
	}
	return append(out, items[done:]...), failures
}

// afterComma returns the offset behind the comma that follows an element, and
// behind the white space after it; or the end of the element, if it is last.
func afterComma(items []byte, end int) int {
	rest := bytes.TrimLeft(items[end:], " \t\r\n")
	if len(rest) == 0 || rest[0] != ',' {
		return end
	}
	return len(items) - len(bytes.TrimLeft(rest[1:], " \t\r\n"))
}

// member returns the value of a member that is a string, or "".
func member(text []byte, members []manifest.Span, key string) string {
	for _, span := range members {
		var value string
		if span.Key == key && json.Unmarshal(text[span.Start:span.End], &value) == nil {
			return value
		}
	}
	return ""
}
