package tell

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCut(t *testing.T) {
	for name, test := range map[string]struct {
		cut  func(string) string
		most int
	}{"condition": {Message, 32768}, "Event": {Note, 1024}} {
		t.Run(name, func(t *testing.T) {
			fits := strings.Repeat("x", test.most)
			if got := test.cut(fits); got != fits {
				t.Errorf("a text that fits is changed to %d bytes", len(got))
			}
			got := test.cut("x" + strings.Repeat("é", test.most))
			if len(got) > test.most || len(got) < test.most-8 || !utf8.ValidString(got) || !strings.HasSuffix(got, "é ...") {
				t.Errorf("got %d bytes, ending %q", len(got), got[len(got)-8:])
			}
		})
	}
}
