package offline

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// rewriteYAML returns nil for a document that failed. A converted document keeps the comments
// at its beginning and loses the others. A List with something to convert is written anew as
// one document.
func (r *Rewriter) rewriteYAML(doc manifest.Document) ([]byte, []*Failure) {
	node, err := manifest.Parse(doc, manifest.YAML)
	if err != nil {
		return nil, []*Failure{unreadable(doc, err)}
	}
	found, list := r.find(node.GetString("apiVersion"), node.GetString("kind"))
	switch {
	case list:
		return r.listYAML(doc, node, found)
	case found == nil:
		return doc.Text, nil
	}
	converted, failure := r.objectYAML(found, node)
	if failure != nil {
		return nil, []*Failure{failure}
	}
	return r.render(doc, node, converted)
}

// objectYAML returns the very same node if there is nothing to do.
func (r *Rewriter) objectYAML(kind *Kind, node *manifest.Node) (*manifest.Node, *Failure) {
	object := node.AppendJSON(nil)
	out, err := r.convert(kind, node.GetString("apiVersion"), object)
	if err != nil {
		return nil, locate(node, err)
	}
	if bytes.Equal(out, object) {
		return node, nil
	}
	converted, err := manifest.Parse(manifest.Document{Line: node.Line, Text: out}, manifest.JSON)
	if err != nil {
		return nil, &Failure{Line: node.Line, Err: err}
	}
	manifest.OrderLike(converted, node)
	return converted, nil
}

func (r *Rewriter) listYAML(doc manifest.Document, node *manifest.Node, typed *Kind) ([]byte, []*Failure) {
	var failures []*Failure
	changed := false
	list := &manifest.Node{Kind: manifest.Map, Line: node.Line}
	for _, member := range node.Members {
		switch {
		case member.Key == "apiVersion" && typed != nil:
			to := typed.Converter.Group() + "/" + r.Target.Version
			changed = changed || to != member.Value.Text
			member.Value = &manifest.Node{Kind: manifest.String, Text: to}
		case member.Key == "items" && member.Value.Kind == manifest.List:
			items := &manifest.Node{Kind: manifest.List}
			for i, item := range member.Value.Items {
				found, nested := r.find(item.GetString("apiVersion"), item.GetString("kind"))
				if found != nil && !nested {
					converted, failure := r.objectYAML(found, item)
					if failure != nil {
						failure.Item = i + 1
						failures = append(failures, failure)
						continue
					}
					changed = changed || converted != item
					item = converted
				}
				items.Items = append(items.Items, item)
			}
			member.Value = items
		}
		list.Members = append(list.Members, member)
	}
	if !changed && len(failures) == 0 {
		return doc.Text, nil
	}
	text, failed := r.render(doc, node, list)
	return text, append(failures, failed...)
}

// render writes a document anew, unless it did not change.
func (r *Rewriter) render(doc manifest.Document, before, after *manifest.Node) ([]byte, []*Failure) {
	if before == after {
		return doc.Text, nil
	}
	var text []byte
	for line := range bytes.Lines(doc.Text) {
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && trimmed[0] != '#' {
			break
		}
		text = append(text, line...)
	}
	if len(doc.Before) > 0 && len(text) == 0 {
		// The document started on the line of its separator.
		text = append(text, '\n')
	}
	text, err := after.AppendYAML(text)
	if err != nil {
		return nil, []*Failure{{Line: doc.Line, Err: err}}
	}
	return text, nil
}

// locate turns the engine's place into a line. The engine's byte offset is in a JSON text that
// users do not see.
func locate(node *manifest.Node, err error) *Failure {
	failure := &Failure{Line: node.Line, Err: err}
	var refused *conversion.Error
	if !errors.As(err, &refused) {
		return failure
	}
	here := *refused
	here.Offset = -1
	failure.Err = &here
	for step := range strings.SplitSeq(strings.TrimPrefix(here.Pointer, "/"), "/") {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		next := node.Get(step)
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(node.Items) {
			next = node.Items[i]
		}
		if next == nil {
			break
		}
		node = next
	}
	failure.Line = node.Line
	return failure
}
