package graft

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

func TestExtends(t *testing.T) {
	for _, s := range []struct {
		less, more string
		want       bool
	}{
		{`1`, `1`, true},
		{`1`, `2`, false},
		{`"a"`, `"ab"`, false},
		{`null`, `{}`, false},
		{`{}`, `{"a":1}`, true},
		{`{"a":1}`, `{}`, false},
		{`{"a":{"b":1}}`, `{"a":{"b":1,"c":2},"d":3}`, true},
		{`{"a":{"b":1}}`, `{"a":{"b":2,"c":2}}`, false},
		{`[]`, `[1]`, true},
		{`[1,2]`, `[0,1,0,2,0]`, true},
		{`[1,2]`, `[2,1]`, false},
		{`[1,1]`, `[1]`, false},
		{`[{"a":1},{"a":1}]`, `[{"a":1,"b":2},{"a":1}]`, true},
		{`[{"b":1}]`, `[{"a":1},{"a":1,"b":1}]`, true},
		{``, `{}`, false},
		{`{}`, ``, false},
	} {
		if got := Extends([]byte(s.less), []byte(s.more)); got != s.want {
			t.Errorf("%s extends %s: %v, want %v", s.more, s.less, got, s.want)
		}
	}
}

func TestKeeps(t *testing.T) {
	for _, s := range []struct {
		without, was, is string
		want             bool
	}{
		{`{}`, `{"a":1}`, `{"a":1,"b":2}`, true},
		{`{}`, `{"a":1}`, `{"b":2}`, false},
		{`{}`, `{"a":1}`, `{"a":2}`, false},
		{`{"a":1}`, `{"a":1}`, `{"a":2}`, true},
		{`{"a":1}`, `{"a":2}`, `{"a":3}`, false},
		{`{"a":{"x":1}}`, `{"a":{"x":1,"y":2}}`, `{"a":{"x":3,"y":2}}`, true},
		{`{"a":{"x":1}}`, `{"a":{"x":1,"y":2}}`, `{"a":{"x":1}}`, false},
		{``, `{"a":{"x":1}}`, `{"a":{"x":1,"y":2}}`, true},
		{`{"a":[{}]}`, `{"a":[{"x":1}]}`, `{"a":[{"x":1,"y":2}]}`, true},
		{`{"a":[{}]}`, `{"a":[{"x":1}]}`, `{"a":[{"y":2}]}`, false},
		{`{}`, `{"a":1}`, ``, false},
	} {
		if got := Keeps([]byte(s.without), []byte(s.was), []byte(s.is)); got != s.want {
			t.Errorf("%s, which was %s and would have been %s: keeps it all: %v, want %v", s.is, s.was, s.without, got, s.want)
		}
	}
}

func TestKey(t *testing.T) {
	names := KeyNames([]byte(`{"number":1,"protocol":"TCP"}`))
	items := of.Members["ports"].Items
	for element, want := range map[string]string{
		`{"protocol":"UDP","number":1.0}`: `{"number":1,"protocol":"UDP"}`,
		`{"number":1}`:                    `{"number":1,"protocol":"TCP"}`, // the default
		`{"protocol":"UDP"}`:              ``,
		`[]`:                              ``,
		``:                                ``,
	} {
		if got := KeyIn([]byte(element), names, items); string(got) != want {
			t.Errorf("the key of %s is %s, want %s", element, got, want)
		}
	}
	for key, want := range map[string]string{
		`{"number":1,"protocol":"TCP"}`: `{"number":1,"protocol":"TCP"}`,
		`{"name":"a","number":1}`:       `{"number":1}`,
		`{"name":"a"}`:                  `{}`,
		`"a"`:                           `"a"`,
	} {
		if got := KnownKey([]byte(key), &schema.Schema{Type: "object", Members: items.Members}); string(got) != want {
			t.Errorf("of the key %s there is %s, want %s", key, got, want)
		}
	}
	meta := &schema.Schema{Type: "object", Members: map[string]*schema.Schema{"name": {Type: "string"}, "zone": {Type: "string", Default: []byte(`"z"`)}}}
	nested := &schema.Schema{Type: "object", Members: map[string]*schema.Schema{"id": {Type: "integer"}, "metadata": meta}}
	names = KeyNames([]byte(`{"id":1,"metadata":{"name":"a","zone":"b"}}`))
	for element, want := range map[string]string{
		`{"metadata":{"x":1,"zone":"y","name":"a"},"id":7}`: `{"id":7,"metadata":{"name":"a","zone":"y"}}`,
		`{"metadata":{"name":"a","zone":null},"id":7}`:      `{"id":7,"metadata":{"name":"a","zone":"z"}}`,
		`{"metadata":{"zone":"y"},"id":7}`:                  ``,
		`{"metadata":{"name":{}},"id":7}`:                   ``,
		`{"metadata":"a","id":7}`:                           ``,
		`{"id":7}`:                                          ``,
	} {
		if got := KeyIn([]byte(element), names, nested); string(got) != want {
			t.Errorf("the key of %s is %s, want %s", element, got, want)
		}
	}
	whole := *meta
	whole.Default = []byte(`{"name":"d"}`)
	nested.Members["metadata"] = &whole
	if got, want := KeyIn([]byte(`{"id":7}`), names, nested), `{"id":7,"metadata":{"name":"d","zone":"z"}}`; string(got) != want {
		t.Errorf("the key of an element with a default in it is %s, want %s", got, want)
	}
	for key, want := range map[string]string{
		`{"id":1,"metadata":{"name":"a","gone":"b"}}`: `{"id":1,"metadata":{"name":"a"}}`,
		`{"id":1,"metadata":{"gone":"b"}}`:            `{"id":1}`,
	} {
		if got := KnownKey([]byte(key), nested); string(got) != want {
			t.Errorf("of the key %s there is %s, want %s", key, got, want)
		}
	}
	if KeyNames([]byte(`5`)) != nil || KeyIn([]byte(`{}`), nil, nil) != nil {
		t.Error("what is no key has names")
	}
}
