package plan_test

import (
	"fmt"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/mapping"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// A key of a map and the fields of an element are made of each other, or neither is made.
func TestNaming(t *testing.T) {
	text := &schema.Schema{Type: "string"}
	template, err := mapping.ParseTemplate("{namespace}/{name}", []string{"name", "namespace"}, []*schema.Schema{text, text}, plan.Spoke)
	if err != nil {
		t.Fatal(err)
	}
	name := &plan.Naming{Members: []string{"name"}, List: plan.Hub}
	port := &plan.Naming{Members: []string{"port"}, Numbered: true, List: plan.Hub}
	both := &plan.Naming{Members: []string{"name", "namespace"}, Form: template, List: plan.Hub}
	for _, test := range []struct {
		naming *plan.Naming
		fields []string // "" is a missing one
		key    string   // "" is none
	}{
		{name, []string{`"web"`}, `"web"`},
		{name, []string{""}, ""},
		{name, []string{"1"}, ""},
		{port, []string{"80"}, `"80"`},
		{port, []string{"1.5"}, ""},
		{both, []string{`"a"`, `"b"`}, `"b/a"`},
		{both, []string{`"a"`, ""}, ""},
		{both, []string{`"a/b"`, `"c/d"`}, ""}, // would be split elsewhere
	} {
		fields := make([][]byte, len(test.fields))
		for i, f := range test.fields {
			if f != "" {
				fields[i] = []byte(f)
			}
		}
		key, ok := test.naming.Name(fields)
		if ok != (test.key != "") || ok && string(key) != test.key {
			t.Errorf("%v: %s %v, want %q", test.fields, key, ok, test.key)
		}
		if !ok {
			continue
		}
		back := make([][]byte, len(fields))
		if !test.naming.Keys(key, back) || fmt.Sprintf("%s", back) != fmt.Sprintf("%s", fields) {
			t.Errorf("%s: %s, want %s", key, back, fields)
		}
	}
	for _, test := range []struct {
		naming *plan.Naming
		key    string
	}{{port, `"web"`}, {port, `"080"`}, {both, `"a"`}} {
		if back := make([][]byte, len(test.naming.Members)); test.naming.Keys([]byte(test.key), back) {
			t.Errorf("%s: %s", test.key, back)
		}
	}
}
