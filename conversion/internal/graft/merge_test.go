package graft

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// TestMerge: what the trip of an object brings with what was kept, and would not bring
// without it, comes to the object; "no" says that something would go by it.
func TestMerge(t *testing.T) {
	text := &schema.Schema{Type: "string"}
	of := &schema.Schema{Type: "object", Members: map[string]*schema.Schema{
		"a": text, "b": text, "c": text,
		"d":     {Type: "string", Default: []byte(`"x"`), Whole: []byte(`"x"`)},
		"whole": {Type: "object", Default: []byte(`{"a":"1"}`), Whole: []byte(`{"a":"1"}`), Members: map[string]*schema.Schema{"a": text, "b": text}},
		"null":  {Type: "string", Nullable: true},
		"in":    {Type: "object", Members: map[string]*schema.Schema{"a": text, "b": text}},
		"list":  {Type: "array", Items: &schema.Schema{Type: "object", Members: map[string]*schema.Schema{"a": text, "b": text}}},
	}}
	for _, s := range []struct{ name, live, bare, full, want string }{
		{"nothing was kept", `{"a":"1","b":"2"}`, `{"a":"1"}`, `{"a":"1"}`, `{"a":"1","b":"2"}`},
		{"something is new", `{"a":"1"}`, `{"a":"1"}`, `{"c":"3","a":"1"}`, `{"a":"1","c":"3"}`},
		{"beside what the trip drops", `{"a":"1","b":"2"}`, `{"a":"1"}`, `{"a":"1","c":"3"}`, `{"a":"1","b":"2","c":"3"}`},
		{"not what the trip makes in any case", `{"a":"1"}`, `{"a":"1","b":"2"}`, `{"a":"1","b":"2","c":"3"}`, `{"a":"1","c":"3"}`},
		{"but what it makes otherwise", `{"a":"1"}`, `{"a":"1","in":{}}`, `{"a":"1","in":{"a":"1"}}`, `{"a":"1","in":{"a":"1"}}`},
		{"what is live would be another value", `{"a":"1"}`, `{"a":"1"}`, `{"a":"2"}`, "no"},
		{"what is live would go", `{"a":"1"}`, `{"a":"1"}`, `{}`, "no"},
		{"what the trip makes of it in any case is no change", `{"a":"1"}`, `{"a":"2"}`, `{"a":"2","b":"3"}`, `{"a":"1","b":"3"}`},
		{"a default is as good as absence", `{"d":"x"}`, `{}`, `{"a":"1"}`, `{"d":"x","a":"1"}`},
		{"whether the trip writes it or not", `{"d":"x"}`, `{"d":"x"}`, `{"a":"1"}`, `{"d":"x","a":"1"}`},
		{"absence is as good as its default", `{}`, `{}`, `{"d":"x","a":"1"}`, `{"a":"1"}`},
		{"absence is as good as an object to which something comes", `{}`, `{}`, `{"whole":{"a":"1","b":"2"}}`, `{"whole":{"a":"1","b":"2"}}`},
		{"unless that goes", `{}`, `{}`, `{"whole":{"b":"2"}}`, "no"},
		{"and no less a value", `{}`, `{}`, `{"d":"y"}`, "no"},
		{"null that says nothing gives way", `{"a":null}`, `{}`, `{"a":"1"}`, `{"a":"1"}`},
		{"null that says something does not", `{"null":null}`, `{"null":null}`, `{"null":"1"}`, "no"},
		{"in an object", `{"in":{"a":"1"}}`, `{"in":{}}`, `{"in":{"b":"2"}}`, `{"in":{"a":"1","b":"2"}}`},
		{"in an element", `{"list":[{"a":"1"},{}]}`, `{"list":[{},{}]}`, `{"list":[{},{"b":"2"}]}`, `{"list":[{"a":"1"},{"b":"2"}]}`},
		{"an element between others", `{"list":[{"a":"1"},{"a":"2"}]}`, `{"list":[{"a":"1"},{"a":"2"}]}`,
			`{"list":[{"a":"1"},{"b":"3"},{"a":"2","b":"4"}]}`, `{"list":[{"a":"1"},{"b":"3"},{"a":"2","b":"4"}]}`},
		{"an element would go", `{"list":[{"a":"1"},{"a":"2"}]}`, `{"list":[{"a":"1"},{"a":"2"}]}`, `{"list":[{"a":"1"}]}`, "no"},
		{"elements in another order", `{"list":[{"a":"1"},{"a":"2"}]}`, `{"list":[{"a":"1"},{"a":"2"}]}`, `{"list":[{"a":"2"},{"a":"1"},{}]}`, "no"},
		{"a list of which the trip loses elements", `{"list":[{"a":"1"},{"a":"2"}]}`, `{"list":[{}]}`, `{"list":[{}],"a":"1"}`, `{"list":[{"a":"1"},{"a":"2"}],"a":"1"}`},
		{"a value of another type", `{"in":5}`, `{"in":5}`, `{"in":{}}`, "no"},
	} {
		merged, ok := Merge([]byte(s.live), []byte(s.bare), []byte(s.full), of)
		if got := string(merged); ok != (s.want != "no") || ok && got != s.want {
			t.Errorf("%s: got %s %v, want %s", s.name, got, ok, s.want)
		}
	}
}
