package webhook

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

func TestWithMetadata(t *testing.T) {
	tests := []struct{ in, want string }{
		{`{}`, `{"metadata":{}}`},
		{`{"a":1}`, `{"a":1,"metadata":{}}`},
		{`{"a":{"metadata":{}}}`, `{"a":{"metadata":{}},"metadata":{}}`},
		{`{"metadata":{"name":"a"},"b":1}`, `{"metadata":{"name":"a"},"b":1}`},
		{`{"b":1,"metadata":{}}`, `{"b":1,"metadata":{}}`},
		{`{"b":1,"met\u0061data":{}}`, `{"b":1,"met\u0061data":{}}`},
		{`{"b" : "}" } `, `{"b" : "}" ,"metadata":{}}`},
	}
	for _, test := range tests {
		const before = `[{"metadata":1},`
		var s jsontext.Scanner
		got, err := withMetadata(&s, []byte(before+test.in), len(before))
		if err != nil || string(got) != before+test.want {
			t.Errorf("%s\n got %s, %v\nwant %s", test.in, got, err, before+test.want)
		}
	}
	for _, in := range []string{"", " ", "null", "[]", `{"a"`, `{"a":`, `{"a":1`, `{"a":1 1`} {
		var s jsontext.Scanner
		if got, err := withMetadata(&s, []byte(in), 0); err != errNoObject {
			t.Errorf("%s: got %s, %v", in, got, err)
		}
	}
}
