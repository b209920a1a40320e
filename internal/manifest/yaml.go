package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxNodes bounds what aliases may expand to, so that a few lines of YAML cannot fill the
// memory ("billion laughs").
const maxNodes = 4 << 20

func parseYAML(doc Document) (*Node, error) {
	if manyDirectives(doc.Text) {
		return nil, &SyntaxError{Number: doc.Number, Line: doc.Line, Reason: fmt.Sprintf("more than %d directives (lines that begin with %%) come before the document; remove the unused ones", maxDirectives)}
	}
	var root, more yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(doc.Text))
	err := decoder.Decode(&root)
	if err == nil {
		// Marks between documents are not part of their text: nothing may follow.
		err = decoder.Decode(&more)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		line, reason := yamlErrorLine(err, doc.Text)
		return nil, &SyntaxError{Number: doc.Number, Line: doc.Line + line - 1, Reason: "not YAML: " + reason + quoteHint(reason, lineOf(doc.Text, line))}
	}
	if root.Kind == 0 || len(root.Content) == 0 {
		return nil, nil
	}
	limit := doc.MaxValues
	if limit == 0 {
		limit = maxNodes
	}
	reader := yamlReader{offset: doc.Line - 1, left: limit, max: limit, text: doc.MaxText, bounded: doc.MaxText > 0, open: map[*yaml.Node]bool{}}
	node, err := reader.node(root.Content[0])
	if err != nil {
		var syntax *SyntaxError
		if errors.As(err, &syntax) {
			syntax.Number = doc.Number
		}
		return nil, err
	}
	return node, nil
}

type yamlReader struct {
	offset int // added to the library's line numbers
	left   int // nodes that may still be made
	max    int // nodes that may be made
	text   int // bytes of scalars that may still be made, if that is bounded
	// bounded reports whether it is.
	bounded bool
	// open holds the targets of the aliases that are being read.
	open map[*yaml.Node]bool
}

func (r *yamlReader) fail(n *yaml.Node, format string, args ...any) error {
	return &SyntaxError{Line: r.offset + n.Line, Reason: fmt.Sprintf(format, args...)}
}

func (r *yamlReader) node(n *yaml.Node) (*Node, error) {
	if err := r.charge(n); err != nil {
		return nil, err
	}
	switch n.Kind {
	case yaml.AliasNode:
		var node *Node
		err := r.follow(n, func(target *yaml.Node) (err error) {
			node, err = r.node(target)
			return err
		})
		return node, err
	case yaml.ScalarNode:
		if r.text -= len(n.Value); r.bounded && r.text < 0 {
			return nil, r.fail(n, "the document is too large after its aliases are expanded")
		}
		return r.scalar(n)
	case yaml.SequenceNode:
		node := &Node{Kind: List, Line: r.offset + n.Line}
		for _, content := range n.Content {
			item, err := r.node(content)
			if err != nil {
				return nil, err
			}
			node.Items = append(node.Items, item)
		}
		return node, nil
	}
	return r.mapping(n)
}

// charge takes one node off the number that may still be made. It fails if none is left.
func (r *yamlReader) charge(n *yaml.Node) error {
	if r.left--; r.left < 0 {
		return r.fail(n, "the document has more than %d values after its aliases are expanded", r.max)
	}
	return nil
}

// follow calls read with the target of an alias, or with the node itself if it is not an alias.
// It fails if the target is being read already, because then it contains itself.
func (r *yamlReader) follow(n *yaml.Node, read func(target *yaml.Node) error) error {
	if n.Kind != yaml.AliasNode {
		return read(n)
	}
	if r.open[n.Alias] {
		return r.fail(n, "the anchor %s contains itself", n.Value)
	}
	r.open[n.Alias] = true
	defer delete(r.open, n.Alias)
	return read(n.Alias)
}

func (r *yamlReader) mapping(n *yaml.Node) (*Node, error) {
	node := &Node{Kind: Map, Line: r.offset + n.Line}
	merges, keys, err := r.members(n, func(m Member) { node.Members = append(node.Members, m) })
	if err != nil {
		return nil, err
	}
	for _, merge := range merges {
		if err := r.merge(node, keys, merge); err != nil {
			return nil, err
		}
	}
	return node, nil
}

// members reads the members that a map has itself and calls add for each of them. It
// returns the values of the map's merge keys (<<), and the line of each other key.
func (r *yamlReader) members(n *yaml.Node, add func(Member)) (merges []*yaml.Node, keys map[string]int, err error) {
	keys = map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind == yaml.ScalarNode && key.Value == "<<" && plain(key) {
			merges = append(merges, value)
			continue
		}
		name, err := r.key(key)
		if err != nil {
			return nil, nil, err
		}
		if first, found := keys[name]; found {
			return nil, nil, r.fail(key, "key %q occurs twice, first on line %d", name, first)
		}
		keys[name] = r.offset + key.Line
		child, err := r.node(value)
		if err != nil {
			return nil, nil, err
		}
		member := Member{Key: name, Line: r.offset + key.Line, Value: child}
		if key.Kind == yaml.ScalarNode && key.Value != name {
			member.Word = key.Value
		}
		add(member)
	}
	return merges, keys, nil
}

func (r *yamlReader) key(n *yaml.Node) (string, error) {
	node, err := r.node(n)
	if err != nil {
		return "", err
	}
	switch node.Kind {
	case String, Boolean:
		return node.Text, nil
	case Number:
		source := n
		if n.Kind == yaml.AliasNode {
			source = n.Alias
		}
		if _, err := strconv.ParseInt(strings.ReplaceAll(source.Value, "_", ""), 0, 64); err == nil {
			return node.Text, nil
		}
		// As sigs.k8s.io/yaml writes it, 32 bits included.
		f, err := strconv.ParseFloat(node.Text, 64)
		if err != nil {
			return "", r.fail(n, "the key %s is not a string", n.Value)
		}
		return strconv.FormatFloat(f, 'g', -1, 32), nil
	}
	return "", r.fail(n, "a key must be a string, not %s", node.Kind)
}
