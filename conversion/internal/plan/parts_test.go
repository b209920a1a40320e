package plan_test

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// An element belongs to the first part whose conditions it meets, with the defaults of its schema.
func TestFind(t *testing.T) {
	text := &schema.Schema{Type: "string"}
	withDefault := &schema.Schema{Type: "string", Default: []byte(`"TCP"`)}
	kind := func(of *schema.Schema, values ...string) plan.Test {
		test := plan.Test{At: path.Path{"type"}, Schema: of}
		for _, v := range values {
			test.Values = append(test.Values, []byte(v))
		}
		return test
	}
	parts := plan.Parts{All: []plan.Part{
		{Name: "http", Tests: []plan.Test{kind(withDefault, `"HTTP"`, `"HTTPS"`)}},
		{Name: "tcp", Tests: []plan.Test{kind(withDefault, `"TCP"`)}},
		{Name: "named", Tests: []plan.Test{{At: path.Path{"meta", "name"}, Schema: text}}},
	}}
	for element, want := range map[string]int{
		`{"type":"HTTPS"}`:                    0,
		`{"type":"\u0048TTP"}`:                0,
		`{}`:                                  1,
		`{"type":"x","meta":{"name":"a"}}`:    2,
		`{"type":"x","meta":{"name":null}}`:   -1,
		`{"type":"x","meta":"name"}`:          -1,
		`{"type":"x"}`:                        -1,
		`null`:                                -1,
		`"HTTP"`:                              -1,
		`{"type":"HTTP","meta":{"name":"a"}}`: 0,
		`{"meta":{"name":"a"},"type":"TCP","x":1}`: 1,
	} {
		if got := parts.Find([]byte(element)); got != want {
			t.Errorf("%s: %d, want %d", element, got, want)
		}
	}
	if test := kind(withDefault, `"TCP"`); !test.ByDefault(&schema.Schema{Type: "object", Members: map[string]*schema.Schema{"type": withDefault}}) {
		t.Error("the default does not meet the condition")
	}
	if test := kind(text, `"TCP"`); test.ByDefault(&schema.Schema{Type: "object", Members: map[string]*schema.Schema{"type": text}}) {
		t.Error("there is no default")
	}
}

// What rows make is sure to belong to a part if all its values are written, and no part before allows them.
func TestSure(t *testing.T) {
	value := func(name string, isFixed bool, values ...string) plan.Test {
		test := plan.Test{At: path.Path{name}, Fixed: isFixed, Schema: &schema.Schema{Type: "string"}}
		for _, v := range values {
			test.Values = append(test.Values, []byte(v))
		}
		return test
	}
	parts := plan.Parts{All: []plan.Part{
		{Tests: []plan.Test{value("type", true, `"A"`)}},
		{Tests: []plan.Test{value("type", true, `"B"`)}},
		{Tests: []plan.Test{value("type", false, `"C"`)}},
		{Tests: []plan.Test{value("kind", true, `"D"`)}},
		{},
	}}
	for part, want := range []bool{true, true, false, false, false} {
		if got := parts.Sure(part); got != want {
			t.Errorf("part %d: %v", part, got)
		}
	}
}
