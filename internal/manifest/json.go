package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

func parseJSON(doc Document) (*Node, error) {
	decoder := json.NewDecoder(bytes.NewReader(doc.Text))
	decoder.UseNumber()
	reader := jsonReader{doc: doc, decoder: decoder}
	return reader.value()
}

type jsonReader struct {
	doc     Document
	decoder *json.Decoder
	// counted and line are the offset and the line up to which lines have been counted.
	counted, line int
}

func (r *jsonReader) here() int {
	offset := min(int(r.decoder.InputOffset()), len(r.doc.Text))
	r.line += bytes.Count(r.doc.Text[r.counted:offset], []byte("\n"))
	r.counted = offset
	return r.doc.Line + r.line
}

func (r *jsonReader) fail(reason string) error {
	return &SyntaxError{Number: r.doc.Number, Line: r.here(), Reason: reason}
}

func (r *jsonReader) value() (*Node, error) {
	token, err := r.decoder.Token()
	if err != nil {
		return nil, r.fail("not JSON: " + err.Error())
	}
	line := r.here()
	switch token := token.(type) {
	case nil:
		return &Node{Kind: Null, Line: line}, nil
	case bool:
		return &Node{Kind: Boolean, Line: line, Text: strconv.FormatBool(token)}, nil
	case json.Number:
		return &Node{Kind: Number, Line: line, Text: string(token)}, nil
	case string:
		return &Node{Kind: String, Line: line, Text: token}, nil
	case json.Delim:
		node := &Node{Kind: List, Line: line}
		if token == '{' {
			node.Kind = Map
		}
		return node, r.fill(node)
	}
	return nil, r.fail(fmt.Sprintf("not JSON: unexpected %v", token))
}

func (r *jsonReader) fill(node *Node) error {
	seen := map[string]bool{}
	for r.decoder.More() {
		var member Member
		if node.Kind == Map {
			token, err := r.decoder.Token()
			if err != nil {
				return r.fail("not JSON: " + err.Error())
			}
			key, ok := token.(string)
			if !ok {
				return r.fail("not JSON: a key must be a string")
			}
			if seen[key] {
				return r.fail(fmt.Sprintf("key %q occurs twice", key))
			}
			seen[key] = true
			member = Member{Key: key, Line: r.here()}
		}
		value, err := r.value()
		if err != nil {
			return err
		}
		if node.Kind == Map {
			member.Value = value
			node.Members = append(node.Members, member)
		} else {
			node.Items = append(node.Items, value)
		}
	}
	if _, err := r.decoder.Token(); err != nil {
		return r.fail("not JSON: " + err.Error())
	}
	return nil
}
