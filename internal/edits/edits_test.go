package edits

import "testing"

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"hots", "host", 2}, {"port", "ports", 1}, {"kitten", "sitting", 3},
	} {
		if got := Distance(test.a, test.b); got != test.want {
			t.Errorf("%q, %q: %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"spoke", "hub", "template", "values"}
	for word, want := range map[string]string{
		"spok": "spoke", "Hub": "hub", "hbu": "", "hubs": "hub", "spook": "spoke", "tempalte": "template", "value": "values", "x": "", "": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}
