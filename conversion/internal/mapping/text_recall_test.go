package mapping

import (
	"encoding/json"
	"testing"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// FuzzTextRecall feeds two strings, of which one is to keep what only the other can say:
// that changes nothing of what the data shows, and is done at once.
func FuzzTextRecall(f *testing.F) {
	item := &schema.Schema{Type: "object", Members: map[string]*schema.Schema{"id": {Type: "string"}, "x": {Type: "integer"}}}
	data := &schema.Schema{Type: "object", Members: map[string]*schema.Schema{
		"x": {Type: "integer"}, "o": item, "l": {Type: "array", Items: item}, "k": {Type: "array", Items: item, Keys: []string{"id"}},
	}}
	for _, pair := range [][2]string{
		{"own: 0x10\nx: 1\n", "x: 2\n"}, {`{"o":{"own":[null,1.50]},"é":"\u0085"}`, `{"o":{"x":1}}`}, {"l: [{x: 1, own: 1}, {x: 1}]", "l: [{x: 2}, {x: 1}]"},
		{"k: [{id: a, own: {}}, {id: b}, {own: 1}]", "k: [{id: b}, {id: a}, {x: 1}]"}, {"a: &a {b: 1}\nc: [*a]", "{}"}, {"- own", "[]"}, {"x: {own: 1}", "x: 1"}, {"1: a", "x: 1"},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, was, made string) {
		for _, format := range v1alpha1.Formats() {
			m := &Text{Whole: plan.Spoke, Format: format, Data: data}
			old, now := jsontext.Quote(nil, was), jsontext.Quote(nil, made)
			shows := func(value []byte) string {
				out := [][]byte{nil}
				if _, ok := m.Convert(nil, plan.Spoke, [][]byte{value}, out); !ok {
					return "nothing"
				}
				return string(out[0])
			}
			_, both, ok := m.Recall(nil, plan.Spoke, old, now)
			if !ok {
				continue
			}
			if !json.Valid(both) || shows(both) != shows(now) {
				t.Fatalf("%s beside %s is %s", old, now, both)
			}
			if _, again, ok := m.Recall(nil, plan.Spoke, old, both); ok {
				t.Fatalf("%s beside %s is %s, and then %s", old, now, both, again)
			}
		}
	})
}
