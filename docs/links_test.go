package docs

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Links to files and to sections lead somewhere.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)`)
	for _, page := range pages(t) {
		for number, line := range bytes.Split(readPage(t, page), []byte("\n")) {
			for _, match := range link.FindAllSubmatch(line, -1) {
				if target := string(match[1]); !strings.Contains(target, "://") {
					wantTarget(t, fmt.Sprintf("%s:%d", page, number+1), page, target)
				}
			}
		}
	}
}

// wantTarget wants the file and the section that a link on a page leads to.
func wantTarget(t *testing.T, where, page, target string) {
	t.Helper()
	file, section, hasSection := strings.Cut(target, "#")
	name := path.Join(path.Dir(page), file)
	if file == "" {
		name = page
	}
	if _, err := os.Stat(filepath.Join("..", name)); err != nil {
		t.Errorf("%s: the link leads nowhere: %v", where, err)
		return
	}
	if hasSection && !slices.Contains(sections(t, name), section) {
		t.Errorf("%s: %s has no section #%s", where, name, section)
	}
}

// sections lists the anchors of a page's headings, as GitHub makes them: in lower case,
// without punctuation, with a hyphen for each space.
func sections(t *testing.T, page string) []string {
	t.Helper()
	var all []string
	fenced := false
	for line := range strings.Lines(string(readPage(t, page))) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		title, isHeading := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if fenced || !isHeading || !strings.HasPrefix(line, "#") {
			continue
		}
		anchor := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
		all = append(all, strings.ReplaceAll(anchor, " ", "-"))
	}
	return all
}

// TestIndex wants a link from docs/README.md to every page of this folder.
func TestIndex(t *testing.T) {
	index := string(readPage(t, "docs/README.md"))
	for _, page := range pages(t) {
		if name, here := strings.CutPrefix(page, "docs/"); here && name != "README.md" && !strings.Contains(index, "]("+name+")") {
			t.Errorf("docs/README.md has no link to %s", name)
		}
	}
}
