package jsontext

import (
	"testing"
)

func TestMember(t *testing.T) {
	for _, test := range []struct{ object, name, want string }{
		{`{}`, "a", ""},
		{`{"b":1, "a" : {"b":2} }`, "a", `{"b":2}`},
		{`{"b":[{"a":1}],"a":null}`, "a", "null"},
		{`{"\u0061":"x"}`, "a", `"x"`},
		{`{"a.b":1}`, "a", ""},
		{`{"":1}`, "", "1"},
	} {
		got := Member([]byte(test.object), test.name)
		if string(got) != test.want || (got == nil) != (test.want == "") {
			t.Errorf("%q of %s: %q, want %q", test.name, test.object, got, test.want)
		}
	}
}
