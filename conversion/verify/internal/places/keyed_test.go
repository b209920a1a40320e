package places

import (
	"slices"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

func TestKeyName(t *testing.T) {
	for _, c := range []struct{ key, element, name string }{
		{"name", `{"name":"a","part":"b"}`, "a"},
		{"name", `{"name":7}`, "7"},
		{"name", `{"part":"b"}`, ""},
		{"{name}.{part}", `{"name":"a","part":"b"}`, "a.b"},
		{"{name}[.{part}]", `{"name":"a"}`, "a"},
		{"{name}[.{part}]", `{"name":"a","part":"b"}`, "a.b"},
		{"{name}.{part}", `{"name":"a"}`, ""},
		{"{name}.{part}", `{"name":"a","part":{}}`, ""},
	} {
		element, err := tree.Parse([]byte(c.element))
		if err != nil {
			t.Fatal(err)
		}
		name, ok := KeyName(c.key, element)
		if ok != (c.name != "") || ok && name != c.name {
			t.Errorf("%s of %s: %q, %t, want %q", c.key, c.element, name, ok, c.name)
		}
	}
	if got := KeyFields("{name}[.{part}]"); !slices.Equal(got, []string{"name", "part"}) {
		t.Errorf("fields: %q", got)
	}
}
