package manifest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/cputime"
)

// texts are ways to write n bytes of YAML that once took, or could take, a time that grows
// faster than they do.
var texts = map[string]func(n int) string{
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
		text := "k0: &a0 {x0: 0}\n"
		for i := 1; len(text) < n; i++ {
			text += fmt.Sprintf("k%d: &a%[1]d {<<: *a%d, x%[1]d: 0}\n", i, i-1)
		}
		return text
	},
	"many directives":                     func(n int) string { return repeat(n, "%%TAG !a%d! tag:x\n") + "--- a\n" },
	"many directives in comments":         func(n int) string { return repeat(n, "#\n\n \n%%TAG !a%d! tag:x\n") + "--- a\n" },
	"many directives on old Macs":         func(n int) string { return repeat(n, "%%TAG !a%d! tag:x\r") + "--- a\n" },
	"many directives behind a byte order": func(n int) string { return "\ufeff" + repeat(n, "%%TAG !a%d! tag:x\u2028") + "--- a\n" },
}

// repeat gives at least n bytes of a text, each time with another number.
func repeat(n int, format string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

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
	for name, text := range texts {
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

// TestParseMergesInMerges: the order is as if each merge made a map of its own: a map's own
// members first, then what each of its merges brings, the nearest first.
func TestParseMergesInMerges(t *testing.T) {
	for text, want := range map[string]string{
		"a: &a {u: 1, v: 1}\nb: &b {<<: *a, v: 2, w: 2}\nc: {<<: *b, w: 3}": `{"a":{"u":1,"v":1},"b":{"v":2,"w":2,"u":1},"c":{"w":3,"v":2,"u":1}}`,
		"e: {<<: [{<<: {a: 1, b: 1}, b: 2}, {c: 3, a: 3}], d: 4}":           `{"e":{"d":4,"b":2,"a":1,"c":3}}`,
		"e: {<<: {<<: [{a: 1}, {a: 2, b: 2}]}, <<: {b: 3, c: 3}}":           `{"e":{"a":1,"b":2,"c":3}}`,
		"m: &m {a: 1}\nl: &l [*m, {b: 2}]\nk: {<<: *l}":                     `{"m":{"a":1},"l":[{"a":1},{"b":2}],"k":{"a":1,"b":2}}`,
	} {
		if got := string(parse(t, text).AppendJSON(nil)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"{<<: {<<: {a: 1, a: 2}}}":              `line 1: key "a" is there twice, first on line 1`,
		"{<<: {<<: 1}}":                         `line 1: a merge key (<<) needs a map or a list of maps`,
		"{<<: [[a: 1]]}":                        `line 1: a merge key (<<) needs a map or a list of maps`,
		"a: &a {<<: {<<: *a}}":                  `line 1: the anchor a contains itself`,
		repeat(3000, "%%TAG !a%d! x\n") + "---": `line 1: more than 100 directives (lines that begin with %) come before the document; remove those that it does not need`,
	} {
		_, err := Parse(Document{Number: 1, Line: 1, Text: []byte(text)}, YAML)
		if err == nil || err.Error() != want {
			t.Errorf("%.40q:\n got %v\nwant %s", text, err, want)
		}
	}
	if got := string(parse(t, "%YAML 1.1\n%TAG !e! tag:x\n--- !e!a {a: 1}").AppendJSON(nil)); got != `{"a":1}` {
		t.Errorf("a document with directives is %s", got)
	}
}

func TestFinder(t *testing.T) {
	for _, n := range []int{0, 1, few, few + 1, 1000} {
		node := &Node{Kind: Map}
		for i := range n {
			node.Members = append(node.Members, Member{Key: fmt.Sprint(i), Value: &Node{Kind: Null, Line: i}})
		}
		find := node.Finder()
		for i := range n {
			if got := find(fmt.Sprint(i)); got != node.Members[i].Value {
				t.Errorf("member %d of %d is %v", i, n, got)
			}
		}
		if got := find("other"); got != nil {
			t.Errorf("%d members have one that is not there: %v", n, got)
		}
	}
	if (*Node)(nil).Finder()("a") != nil {
		t.Error("nothing has a member")
	}
}
