package manifest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/cputime"
)

// growing are ways to write n bytes of YAML that once took, or could take, a time that grows
// faster than they do.
var growing = map[string]func(n int) string{
	"one map merged into another": func(n int) string {
		return "a: &a\n" + repeat(n, "  k%d: 0\n") + "b:\n  <<: *a\n"
	},
	"one map merged into a large one": func(n int) string {
		return "a: &a\n" + repeat(n/2, "  k%d: 0\n") + "b:\n  <<: *a\n" + repeat(n/2, "  j%d: 0\n")
	},
	"a list of many maps merged":   func(n int) string { return "b: {<<: [" + repeat(n, "{k%d: 0},") + "]}" },
	"many merge keys":              func(n int) string { return "b:\n" + repeat(n, "  <<: {k%d: 0}\n") },
	"merges in merges":             func(n int) string { return inside(n/50, "{k%d: 0, <<: ") },
	"merges in merges of one name": func(n int) string { return inside(n/50, "{k: 0, <<: ") },
	"a chain of anchors": func(n int) string {
		var b strings.Builder
		b.WriteString("k0: &a0 {x0: 0}\n")
		for i := 1; b.Len() < n; i++ {
			fmt.Fprintf(&b, "k%d: &a%[1]d {<<: *a%d, x%[1]d: 0}\n", i, i-1)
		}
		return b.String()
	},
	"many directives":                          func(n int) string { return repeat(n, "%%TAG !a%d! tag:x\n") + "--- a\n" },
	"many directives in comments":              func(n int) string { return repeat(n, "#\n\n \n%%TAG !a%d! tag:x\n") + "--- a\n" },
	"many directives on old Macs":              func(n int) string { return repeat(n, "%%TAG !a%d! tag:x\r") + "--- a\n" },
	"many directives behind a byte order mark": func(n int) string { return "\ufeff" + repeat(n, "%%TAG !a%d! tag:x\u2028") + "--- a\n" },
}

// repeat gives at least n bytes of a text, each time with another number.
func repeat(n int, format string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// inside gives a text that many times, each time with another number and inside of the last.
func inside(depth int, format string) string {
	var b strings.Builder
	for i := range depth {
		if strings.Contains(format, "%") {
			fmt.Fprintf(&b, format, i)
			continue
		}
		b.WriteString(format)
	}
	return b.String() + "{}" + strings.Repeat("}", depth)
}

// TestParseTakesLinearTime: a text that is eight times as long takes about eight times as
// long to read. Where it once took the square, it took 64 times as long.
func TestParseTakesLinearTime(t *testing.T) {
	const small, times = 20_000, 8
	for name, text := range growing {
		t.Run(name, func(t *testing.T) {
			parse := func(n int) time.Duration {
				text := []byte(text(n))
				return cputime.Least(3, func() {
					// Some are refused, which must not take longer either.
					_, _ = Parse(Document{Number: 1, Line: 1, Text: text, MaxValues: len(text) + 1, MaxText: 8 * len(text)}, YAML)
				})
			}
			if one, many := parse(small), parse(times*small); many > 3*times*max(one, time.Millisecond) {
				t.Errorf("%d bytes take %v, %d bytes take %v", small, one, times*small, many)
			}
		})
	}
}
