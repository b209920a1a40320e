package manifest

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Kind is the JSON type of a node.
type Kind uint8

// The kinds, with the words that messages use; see [Kind.String].
const (
	Null Kind = iota
	Boolean
	Number
	String
	List
	Map
)

// String returns the kind as messages name it, such as "a number".
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "a map"}[k]
}

// Node is a value read from YAML or JSON.
type Node struct {
	Kind Kind
	// Line is the line of the stream where the value starts, from 1.
	Line int
	// Text is the content of a string, or the JSON text of a boolean or a number. A number that
	// is valid JSON keeps its text.
	Text    string
	Items   []*Node
	Members []Member
}

// Member is one entry of a map, in the order of the source.
type Member struct {
	Key string
	// Word is the key as it is written, if YAML does not read it as text and Key differs: on,
	// y, 0x10.
	Word  string
	Line  int
	Value *Node
}

// Get returns the value of a member, or nil.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for i := range n.Members {
		if n.Members[i].Key == key {
			return n.Members[i].Value
		}
	}
	return nil
}

// GetString returns the content of a member that is a string, or "".
func (n *Node) GetString(key string) string {
	if v := n.Get(key); v != nil && v.Kind == String {
		return v.Text
	}
	return ""
}

// AppendJSON appends the node as compact JSON.
func (n *Node) AppendJSON(dst []byte) []byte {
	switch n.Kind {
	case Null:
		return append(dst, "null"...)
	case Boolean, Number:
		return append(dst, n.Text...)
	case String:
		return appendString(dst, n.Text)
	case List:
		dst = append(dst, '[')
		for i, item := range n.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.AppendJSON(dst)
		}
		return append(dst, ']')
	}
	dst = append(dst, '{')
	for i, member := range n.Members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, member.Key), ':')
		dst = member.Value.AppendJSON(dst)
	}
	return append(dst, '}')
}

// appendString quotes like encoding/json, without its escapes for HTML.
func appendString(dst []byte, s string) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		// Encoding a string to memory cannot fail.
		return strconv.AppendQuote(dst, s)
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}
