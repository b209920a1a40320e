package manifest

import (
	"bytes"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// AppendYAML appends the node as one YAML document, in the layout of kubectl:
// indented by two, lists on the level of their key.
func (n *Node) AppendYAML(dst []byte) ([]byte, error) {
	buffer := bytes.NewBuffer(dst)
	encoder := yaml.NewEncoder(buffer)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(n.yaml()); err != nil {
		return nil, err
	}
	if err := encoder.Close(); err != nil {
		return nil, err
	}
	return buffer.Bytes(), nil
}

func (n *Node) yaml() *yaml.Node {
	switch n.Kind {
	case Null:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	case Boolean:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: n.Text}
	case Number:
		// The node has no tag: the text is enough, and the library must not add a tag of its
		// own (it reads 1e400 as a string).
		return &yaml.Node{Kind: yaml.ScalarNode, Value: n.Text}
	case String:
		return yamlString(n.Text)
	case List:
		list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		if len(n.Items) == 0 {
			list.Style = yaml.FlowStyle
		}
		for _, item := range n.Items {
			list.Content = append(list.Content, item.yaml())
		}
		return list
	}
	mapping := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	if len(n.Members) == 0 {
		mapping.Style = yaml.FlowStyle
	}
	for _, member := range n.Members {
		mapping.Content = append(mapping.Content, yamlString(member.Key), member.Value.yaml())
	}
	return mapping
}

// typed matches the plain scalars to which YAML 1.1 gives a type that other readers know:
// https://yaml.org/type/ has value, merge, timestamp, int and float, and PyYAML implements all
// of them. It rejects a value (=).
var typed = regexp.MustCompile(`^(?:=|<<` +
	`|\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?))?)?` +
	`|[-+]?[\d_]+(?::[0-5]?\d)+(?:\.[\d_]*)?` +
	`|[-+]?(?:\d[\d_]*)?\.?[\d_]*\d[\d_]*(?:[eE][-+]?\d+)?)$`)

func yamlString(s string) *yaml.Node {
	node := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if kind, _, ok := resolve(s); !ok || kind != String || typed.MatchString(s) || blockUnsafe(s) {
		node.Style = yaml.DoubleQuotedStyle
	}
	return node
}

// blockUnsafe reports whether a block scalar could not represent a text of several lines, or
// only with an indentation indicator.
func blockUnsafe(s string) bool {
	if !strings.Contains(s, "\n") {
		return strings.ContainsAny(s, "\r\t\u0085\u2028\u2029\ufeff")
	}
	return strings.HasPrefix(s, " ") || strings.HasPrefix(s, "\n") ||
		strings.Contains(s, " \n") || strings.ContainsAny(s, "\r\t\u0085\u2028\u2029\ufeff")
}
