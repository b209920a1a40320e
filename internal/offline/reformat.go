package offline

import (
	"bytes"
	"encoding/json"

	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// reformat appends a document in the other format. Comments and what stands
// between documents have no place there; numbers and the order of keys have.
func reformat(dst []byte, doc manifest.Document, text []byte, from manifest.Format) ([]byte, error) {
	doc.Text = text
	if doc.Number == 0 {
		return dst, nil
	}
	node, err := manifest.Parse(doc, from)
	if err != nil || node == nil {
		return dst, err
	}
	if from == manifest.JSON {
		if len(dst) > 0 {
			dst = append(dst, "---\n"...)
		}
		return node.AppendYAML(dst)
	}
	var out bytes.Buffer
	// As kubectl indents.
	if err := json.Indent(&out, node.AppendJSON(nil), "", "    "); err != nil {
		return dst, err
	}
	return append(append(dst, out.Bytes()...), '\n'), nil
}
