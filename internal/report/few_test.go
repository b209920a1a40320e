package report

import "testing"

func TestFew(t *testing.T) {
	for _, test := range []struct {
		texts []string
		want  string
	}{
		{nil, ""},
		{[]string{"b", "a", "b"}, "a, b"},
		{[]string{"e", "d", "c", "b", "a"}, "a, b, c, d, e"},
		{[]string{"f", "g", "e", "d", "c", "b", "a"}, "a, b, c, d, e and 2 more"},
	} {
		if got := Few(test.texts); got != test.want {
			t.Errorf("%q: got %q, want %q", test.texts, got, test.want)
		}
	}
}
