package compile

import (
	"bytes"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// Recall puts the members that the data cannot hold back into a string that was written
// anew: those of objects that are still there, and of elements of a list that have the
// key, or the content, of one that there was.
func (t *text) Recall(scratch []byte, at plan.Side, was, made []byte) (rest, text []byte, ok bool) {
	old, known := t.parse(was)
	now, fits := t.parse(made)
	if at != t.whole || !known || !fits || old == nil || now == nil || !recall(old, now, t.data) {
		return scratch, nil, false
	}
	content := schema.Canonical(nil, now.AppendJSON(nil), nil)
	node, err := manifest.Parse(manifest.Document{Number: 1, Line: 1, Text: content}, manifest.JSON)
	if err != nil {
		return scratch, nil, false
	}
	out := make([][]byte, 1)
	if scratch, ok = t.spell(scratch, content, node, out); !ok {
		return scratch, nil, false
	}
	text = out[0]
	// Nothing that the other side shows may change by it.
	before, after := make([][]byte, 1), make([][]byte, 1)
	_, one := t.read(nil, made, before)
	_, two := t.read(nil, text, after)
	return scratch, text, one && two && bytes.Equal(before[0], after[0])
}

// recall adds to now what old has and a schema does not know. It reports whether there was
// anything.
func recall(old, now *manifest.Node, of *schema.Schema) (found bool) {
	switch {
	case old.Kind == manifest.Map && now.Kind == manifest.Map:
		for _, m := range old.Members {
			inside, at := of.Member(m.Key), now.Get(m.Key)
			switch {
			case inside == nil && at == nil:
				now.Members = append(now.Members, m)
				found = true
			case inside != nil && at != nil:
				found = recall(m.Value, at, inside) || found
			}
		}
	case old.Kind == manifest.List && now.Kind == manifest.List && of.Items != nil:
		elements := map[string][]*manifest.Node{}
		for _, e := range old.Items {
			if key, ok := elementKey(e, of); ok {
				elements[key] = append(elements[key], e)
			}
		}
		for _, e := range now.Items {
			key, _ := elementKey(e, of)
			if same := elements[key]; len(same) > 0 {
				found = recall(same[0], e, of.Items) || found
				elements[key] = same[1:]
			}
		}
	}
	return found
}

// elementKey is what tells an element of a list in a text apart: the keys that the schema
// of the data names, or else all that it has of the element.
func elementKey(e *manifest.Node, list *schema.Schema) (string, bool) {
	if len(list.Keys) == 0 {
		text, ok := appendFitting(nil, e, list.Items, 0)
		return string(schema.Canonical(nil, text, list.Items)), ok
	}
	var key []byte
	for _, name := range list.Keys {
		at := e.Get(name)
		if at == nil {
			return "", false
		}
		key = append(at.AppendJSON(key), ',')
	}
	return string(key), true
}
