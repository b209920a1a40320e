package page

import "testing"

func TestSays(t *testing.T) {
	for _, c := range []struct {
		got, want string
		says      bool
	}{
		{"a\nb\n", "a\nb\n", true},
		{"a\nb\n", "a\n", false},
		{"a\nb\nc\n", "a\n…\n", true},
		{"a\nb\nc\n", "a\n…\nc\n", true},
		{"a\n", "a\n…\n", true},
		{"a\nb\nc\n", "b\n…\n", false},
		{"a\nb\nc\n", "a\n…\nb\n", false},
		{"a\n", "a\n…\na\n", false}, // the same line is not two
	} {
		if says(c.got, c.want) != c.says {
			t.Errorf("%q says %q: want %v", c.got, c.want, c.says)
		}
	}
}
