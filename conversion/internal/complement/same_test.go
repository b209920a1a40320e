package complement

import "testing"

// A comparison and a hash agree, which FuzzHash holds, but for what a hash leaves out.
func TestSame(t *testing.T) {
	of := schemaOf(t, withDefaults)
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{}`, `{}`, true}, {`{"a":5}`, `{}`, true}, {`{}`, `{"a":5}`, true}, {`{"a":6}`, `{}`, false},
		{`{"a":5.0}`, `{"a":5}`, true}, {`{"nil":null}`, `{}`, false}, {`{"a":null}`, `{}`, true},
		{`{"o":{"x":1,"s":""}}`, `{}`, true}, {`{"o":{}}`, `{}`, false}, {`{"o":{"s":"z"}}`, `{"o":{}}`, false},
		{`{"l":[1]}`, `{}`, true}, {`{"l":[1,2]}`, `{"l":[1]}`, false}, {`{"l":[]}`, `{}`, false}, {`{"m":{"k":"a"}}`, `{"m":{"k":"\u0061"}}`, true},
	} {
		x, y := parsed(c.a, of), parsed(c.b, of)
		if got := same(x, 0, y, 0); got != c.want {
			t.Errorf("%s and %s: %t, want %t", c.a, c.b, got, c.want)
		}
	}
}
