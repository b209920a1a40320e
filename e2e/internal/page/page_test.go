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
		{"a\nb\nc\nd\n", "…\nb\n…\nd\n", true},
		{"a\nb\nc\nd\n", "…\nc\n…\nb\n…\n", false},
		{"ab\nc\n", "…\nb\n…\n", false}, // a line is shown as a whole
		{"a.\n", "a.\n…\n", true},
		{"ab\n", "a.\n…\n", false},
		{"a b c\n", "a … c\n", true},
		{"a b\nc\n", "a …\n", false}, // a line is left out as a whole
		{"a b\nc\n", "a …\nc\n", true},
	} {
		if Says(c.got, c.want) != c.says {
			t.Errorf("%q says %q: want %v", c.got, c.want, c.says)
		}
	}
}

func TestEnded(t *testing.T) {
	const logged = `I1127 17:19:43.328570   19331 reflector.go:664] "Warning: watch ended with error" reflector="pkg/mod/k8s.io/client-go@v0.36.3/tools/cache/reflector.go:343" type="*unstructured.Unstructured" err="an error on the server (\"unable to decode an event from the watch stream: context canceled\") has prevented the request from succeeding"` + "\n"
	if got := ended.ReplaceAllString("created\n"+logged+"condition met\n", ""); got != "created\ncondition met\n" {
		t.Errorf("got %s", got)
	}
}
