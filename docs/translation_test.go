package docs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestTranslation wants the same headings, commands, code, links, and numbers in both
// languages, at the same places.
func TestTranslation(t *testing.T) {
	const translation = "README.zh.md"
	if diff := difference(string(readPage(t, "README.md")), string(readPage(t, translation))); diff != "" {
		t.Errorf("README.md and %s differ: translate what has changed\n%s", translation, diff)
	}
}

func TestDifference(t *testing.T) {
	const english = "# One\n\nRun `make` in\n3 ms, [why](docs/why.md).\n\n| a | b |\n|---|---|\n| `c` | 4.5 |\n\n```console\n$ make run\n```\n\n- Item\n"
	const same = "# 一\n\n3 ms，[为什么](docs/why.md)运行 `make`。\n\n| 甲 | 乙 |\n|---|---|\n| `c` | 4.5 |\n\n```console\n$ make run\n```\n\n- 项\n"
	if diff := difference(english, same); diff != "" {
		t.Errorf("the translation is taken as different: %s", diff)
	}
	tests := []struct{ name, old, new, want string }{
		{"level of a heading", "# 一", "## 一", `line 1 has heading "# ", line 1 of the translation "## "`},
		{"command", "`make`", "`make run`", "line 3 has code \"`make`\", line 3 of the translation \"`make run`\""},
		{"link", "docs/why.md", "docs/verify.md", `line 3 has links "docs/why.md", line 3 of the translation "docs/verify.md"`},
		{"number", "3 ms", "30 ms", `line 3 has numbers "3", line 3 of the translation "30"`},
		{"cell", "| `c` | 4.5 |", "| `c` 4.5 |", `line 8 has cells "3", line 7 of the translation "2"`},
		{"block", "make run", "make test", "line 10 has block \"```console\\n$ make run\\n```\\n\", line 9 of the translation \"```console\\n$ make test\\n```\\n\""},
		{"kind", "- 项", "1. 项", `line 14 has item "- ", line 13 of the translation "1. "`},
		{"paragraph left out", "- 项\n", "", `line 14 has no translation`},
		{"paragraph added", "- 项\n", "- 项\n\n段\n", `line 15 of the translation has no original`},
	}
	for _, test := range tests {
		if got := difference(english, strings.Replace(same, test.old, test.new, 1)); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// difference describes the first passage that a text and its translation do not have in
// common. It returns "" if there is none.
func difference(original, translation string) string {
	before, after := passages(original), passages(translation)
	for i, b := range before {
		if i == len(after) {
			return fmt.Sprintf("line %d has no translation", b.line)
		}
		a := after[i]
		for _, trait := range traits {
			if want, got := trait.of(b.text), trait.of(a.text); got != want {
				return fmt.Sprintf("line %d has %s %q, line %d of the translation %q", b.line, trait.name, want, a.line, got)
			}
		}
	}
	if len(after) > len(before) {
		return fmt.Sprintf("line %d of the translation has no original", after[len(before)].line)
	}
	return ""
}

// passage is a heading, a paragraph, an item of a list, a row of a table, or a block.
type passage struct {
	line int
	text string
}

var start = regexp.MustCompile("^(#+ |- |\\d+\\. |\\||```)")

func passages(page string) []passage {
	var all []passage
	inBlock, within, number := false, false, 0
	for line := range strings.Lines(page) {
		number++
		fence := strings.HasPrefix(line, "```")
		switch {
		case !inBlock && strings.TrimSpace(line) == "":
			within = false
			continue
		case inBlock, within && !start.MatchString(line):
			all[len(all)-1].text += line
		default:
			all = append(all, passage{number, line})
			within = true
		}
		inBlock = inBlock != fence
	}
	return all
}

// traits are what a passage and its translation have in common.
var traits = []struct {
	name string
	of   func(passage string) string
}{
	{"heading", regexp.MustCompile(`^#+ `).FindString},
	{"item", regexp.MustCompile(`^(- |\d+\. )`).FindString},
	{"block", func(passage string) string {
		if strings.HasPrefix(passage, "```") {
			return passage
		}
		return ""
	}},
	{"cells", func(passage string) string {
		if strings.HasPrefix(passage, "|") {
			return fmt.Sprint(strings.Count(code.ReplaceAllString(passage, ""), "|"))
		}
		return ""
	}},
	{"code", func(passage string) string { return inOrder(code.FindAllString(passage, -1)) }},
	{"links", func(passage string) string {
		var targets []string
		for _, link := range target.FindAllStringSubmatch(passage, -1) {
			targets = append(targets, strings.Replace(link[1], "README.zh.md", "README.md", 1))
		}
		return inOrder(targets)
	}},
	{"numbers", func(passage string) string {
		prose := target.ReplaceAllString(code.ReplaceAllString(passage, ""), "")
		return inOrder(regexp.MustCompile(`\d[\d.,]*\d|\d`).FindAllString(prose, -1))
	}},
}

var (
	code   = regexp.MustCompile("`[^`]+`")
	target = regexp.MustCompile(`\]\(([^)]+)\)`)
)

func inOrder(list []string) string {
	slices.Sort(list)
	return strings.Join(list, " ")
}
