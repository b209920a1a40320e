package manifest

import (
	"strings"
	"testing"
)

// TestDirectives: a document may have the directives that it needs, and no more than that.
func TestDirectives(t *testing.T) {
	if got := string(parse(t, "%YAML 1.1\n%TAG !e! tag:x\n--- !e!a {a: 1}").AppendJSON(nil)); got != `{"a":1}` {
		t.Errorf("a document with directives is %s", got)
	}
	// A line that begins with % in the document itself is none.
	if got := parse(t, "a: |1\n"+strings.Repeat(" %TAG\n", 2*maxDirectives)); len(got.Members) != 1 {
		t.Errorf("got %d members", len(got.Members))
	}
	text := repeat(3000, "%%TAG !a%d! x\n") + "---"
	_, err := Parse(Document{Number: 1, Line: 1, Text: []byte(text)}, YAML)
	if want := "line 1: more than 100 directives (lines that begin with %) come before the document; remove the unused ones"; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}
