package mapping

import (
	"bytes"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// Recall implements [plan.Recaller]. It adds to a new string the members of the earlier one that the data does
// not have: those of objects that still exist, and of elements of a list with the same key, or the same content.
func (t *Text) Recall(scratch []byte, at plan.Side, was, made []byte) (rest, text []byte, ok bool) {
	old, known := t.parse(was)
	now, fits := t.parse(made)
	if at != t.Whole || !known || !fits || old == nil || now == nil || !recall(old, now, t.Data) {
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
	// The data must stay the same.
	before, after := make([][]byte, 1), make([][]byte, 1)
	_, one := t.read(nil, made, before)
	_, two := t.read(nil, text, after)
	return scratch, text, one && two && bytes.Equal(before[0], after[0])
}

// recall adds to now the members of old that the schema does not have. It reports whether there were any.
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

// elementKey returns the text that identifies an element of a list: its keys, if the schema has any, or else all
// fields of the element that the schema has.
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
