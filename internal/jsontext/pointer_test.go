package jsontext

import (
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/cputime"
)

func TestPointer(t *testing.T) {
	const src = `{"a": {"b/c": [1, {"~d": "x,y"}, true]}, "e": null}`
	for _, test := range []struct{ at, want string }{
		{`1,`, "/a/b~1c/0"},
		{`"x,y"`, "/a/b~1c/1/~0d"},
		{`true`, "/a/b~1c/2"},
		{`null`, "/e"},
		{`{"a"`, ""},
		{`{"b/c"`, "/a"},
	} {
		if got := Pointer([]byte(src), strings.Index(src, test.at)); got != test.want {
			t.Errorf("at %s: %q, want %q", test.at, got, test.want)
		}
	}
}

func TestPointerOfTheSecondOfTwoMembers(t *testing.T) {
	const src = `{"spec": {"a": 1, "b": 2, "a": 3}}`
	var s Scanner
	s.Reset([]byte(src))
	_, err := s.Document()
	syntax, ok := err.(*SyntaxError)
	if !ok {
		t.Fatalf("got %v", err)
	}
	if got := Pointer([]byte(src), syntax.Offset); got != "/spec" {
		t.Errorf("got %q, want /spec", got)
	}
}

func TestPointerIsLinearInDepth(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 200_000)
	var got string
	took := cputime.Of(func() { got = Pointer([]byte(deep), len(deep)) })
	if !strings.HasSuffix(got, "/a/…") || len(got) > 200 {
		t.Errorf("got %d bytes: %.80s", len(got), got)
	}
	if took > 2*time.Second {
		t.Errorf("took %v for a megabyte", took)
	}
}
