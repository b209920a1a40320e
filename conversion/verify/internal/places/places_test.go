package places

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// A name is a word of an expression, as it is or escaped, and no part of a longer name.
func TestMentions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, name string
		want       bool
	}{
		{"self.f2 + 1", "f2", true},
		{"self.?f2.orValue(0)", "f2", true},
		{"self.f27 + 1", "f2", false},
		{"self.of2", "f2", false},
		{"self.a__dot__b", "a.b", true},
		{`self["a b"]`, "a b", true},
		{"f2", "f2", true},
		{"self.f2", "", false},
	} {
		for _, e := range []*v1alpha1.Expressions{{One: c.text}, {Named: map[string]string{"x": "1", "y": c.text}}} {
			if got := Mentions(e, c.name); got != c.want {
				t.Errorf("Mentions(%+v, %q) = %t", *e, c.name, got)
			}
		}
	}
}
