package docs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// block is a fenced block of a page.
type block struct {
	page     string // the page's file, from the repository's root
	line     int    // of the opening fence
	heading  string
	language string
	text     string
}

// pages lists the pages that are tested, from the repository's root: those of docs, and
// those of the root that are no list of what has been.
func pages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"README.md", "README.zh.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "SUPPORT.md", "VERSIONING.md"}
	for _, name := range found {
		names = append(names, "docs/"+name)
	}
	return names
}

func readPage(t *testing.T, page string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", page))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func readBlocks(t *testing.T, page string) []block {
	t.Helper()
	var blocks []block
	var open *block
	heading, line := "", 0
	for raw := range strings.Lines(string(readPage(t, page))) {
		line++
		text := strings.TrimRight(raw, "\n")
		language, fence := strings.CutPrefix(text, "```")
		switch {
		case open != nil && text == "```":
			blocks = append(blocks, *open)
			open = nil
		case open != nil:
			open.text += raw
		case fence:
			open = &block{page: page, line: line, heading: heading, language: language}
		case strings.HasPrefix(text, "#"):
			heading = strings.TrimSpace(strings.TrimLeft(text, "#"))
		}
	}
	if open != nil {
		t.Errorf("%s:%d: the block is not closed", page, open.line)
	}
	return blocks
}

// Every block of every page is run by TestPages, or, where it needs a cluster, by
// e2e/pages: blocks of sh, each followed by a block of text. Go is part of an
// example. What could not be run has no place in a block.
func TestEveryBlockIsRun(t *testing.T) {
	for _, page := range pages(t) {
		for _, b := range readBlocks(t, page) {
			switch {
			case b.language == "console":
			case b.language == "sh", b.language == "text" && b.page != "README.md":
			case b.language == "yaml" && marker(b.text) != "":
			case b.language == "go":
				if !isInExample(t, b.text) {
					t.Errorf("%s:%d: this is not a file of examples or a part of one", b.page, b.line)
				}
			default:
				t.Errorf("%s:%d: a block of %q is not run: write console, or yaml that opens with # rows, # v1beta1 or # v1",
					b.page, b.line, b.language)
			}
		}
	}
}

// isInExample reports whether Go is part of an example, which is compiled and run. A
// block that names its package is a whole file, so that a reader can compile it as it is
// printed. It looks into no folder that a build changes: the result of the tests would
// not be cached.
func isInExample(t *testing.T, text string) bool {
	t.Helper()
	files := []string{"patterns_test.go"} // run by TestPatterns
	for _, pattern := range []string{"../webhook/example*_test.go", "../examples/go/*/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		files = append(files, found...)
	}
	whole := strings.Contains("\n"+text, "\npackage ")
	return slices.ContainsFunc(files, func(file string) bool {
		example, err := os.ReadFile(file)
		if whole {
			return err == nil && string(example) == text
		}
		return err == nil && strings.Contains(string(example), text)
	})
}
