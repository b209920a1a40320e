package schema

import "testing"

func TestIsMetadata(t *testing.T) {
	for _, s := range []struct {
		in, name, value string
		want            bool
	}{
		{"labels", "app", `"x"`, true},
		{"labels", "example.com/app", `""`, true},
		{"labels", "app", `"not a label"`, false},
		{"labels", "two words", `"x"`, false},
		{"labels", "Example.com/app", `"x"`, false},
		{"annotations", "note", `"any text\n"`, true},
		{"annotations", "Example.com/note", `"x"`, true},
		{"annotations", "example.com/", `"x"`, false},
		{"annotations", "", `"x"`, false},
		{"finalizers", "x", `"x"`, false},
	} {
		if got := IsMetadata(s.in, s.name, []byte(s.value)); got != s.want {
			t.Errorf("%s %s: %s: got %v, want %v", s.in, s.name, s.value, got, s.want)
		}
	}
}
