package offline

import (
	"bytes"
	"encoding/json"

	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// reformat appends a document in the other format. It keeps numbers and the order of keys.
// Comments and the text between documents are lost.
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
	// kubectl has the same indentation.
	if err := json.Indent(&out, node.AppendJSON(nil), "", "    "); err != nil {
		return dst, err
	}
	return append(append(dst, out.Bytes()...), '\n'), nil
}
