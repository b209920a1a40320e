package main

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"
)

func TestFind(t *testing.T) {
	for _, test := range []struct{ path, text, want string }{
		{"docs/a.md", "Crosswalk is away\n", `docs/a.md:1: "away": write down, unavailable, removed or from`},
		{"docs/a.md", "One\nas\na whole.\n", `docs/a.md:2: "as\na whole": write whole, all of or at once`},
		{"Makefile", "# What is said\n", `Makefile:1: "said": write the noun: printed, reported, written, specified`},
		{"a/a.yaml", "# by\n# now\n", `a/a.yaml:1: "by\n# now": write already, since then or nothing`},
		{"a/a.go", "package a\n\n// f says\n// whether.\nfunc f() {}\n", `a/a.go:3: "says\n// whether": write reports whether`},
		{"a/a.go", "package a\n\nvar a = `\n\naway`\n", `a/a.go:5: "away": write down, unavailable, removed or from`},
		{"a/a.go", "package a\n\nfunc isAway() {}\n", `a/a.go:3: "away": write down, unavailable, removed or from`},
		{"a/a.go", "package a\n\n// a counts\n// as one.\nvar a int\n", `a/a.go:3: "counts\n// as": write is valid, applies or is treated as`},
		{"a/a.md", "The newest counts.\n", `a/a.md:1: "counts.": write is valid or applies`},

		// Other words, comments that have code between them, and plural nouns as names.
		{"docs/a.md", "It takes awaytime, understands, and says where.\n", ``},
		{"docs/a.md", "The metric counts requests.\n", ``},
		{"a/a.go", "package a\n\nvar a = 1 // says\n\n// whether\nvar b = 2\n", ``},
		{"a/a.go", "package a\n\n// says\nvar counts int // whether\n", ``},

		// What others wrote, or no one did.
		{"examples/a/crd.yaml", "away", ``},
		{"e2e/systems/testdata/a.yaml", "away", ``},
		{"a/testdata/fuzz/F/a.txt", "away", ``},
		{"bin/a.md", "away", ``},
		{"internal/words/words.go", "package main // away", ``},
		{"a/a.png", "away", ``},
	} {
		findings, err := repository(fstest.MapFS{test.path: {Data: []byte(test.text)}})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		list(&out, findings, "")
		if got := strings.TrimSpace(out.String()); got != test.want {
			t.Errorf("%s: %q\n got %s\nwant %s", test.path, test.text, got, test.want)
		}
	}
}

func TestJudge(t *testing.T) {
	findings := []finding{
		{path: "docs/a.md", word: "said"}, {path: "internal/b/c/a.go", word: "said"},
		{path: "conversion/internal/b/a.go", word: "said"}, {path: "conversion/a.go", word: "said"}, {path: "a.md", word: "said"},
	}
	all := func(docs int) map[string]int {
		return map[string]int{"docs": docs, "internal/b": 1, "conversion/internal": 1, "conversion": 1, ".": 1}
	}
	for docs, want := range []string{
		"docs: 1 hard words, 1 more than allowed; write them in other words",
		"",
		"docs: 1 hard words, fewer than allowed: set its number to 1 in internal/words/main.go",
	} {
		var out bytes.Buffer
		if good := judge(&out, findings, all(docs)); good != (want == "") {
			t.Errorf("with %d allowed: good is %t", docs, good)
		}
		if !strings.HasSuffix(strings.TrimSpace(out.String()), want) {
			t.Errorf("with %d allowed: %s", docs, out.String())
		}
	}
	var out bytes.Buffer
	if judge(&out, nil, map[string]int{"docs": 1}) {
		t.Error("a room without findings keeps its number")
	}
}
