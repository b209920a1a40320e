package docs

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// terms are the terms of glossary.md, as they occur in prose.
var terms = map[string]*regexp.Regexp{
	"table":   regexp.MustCompile(`\b[Tt]ables?\b`),
	"hub":     regexp.MustCompile(`\b[Hh]ubs?\b`),
	"spoke":   regexp.MustCompile(`\b[Ss]pokes?\b`),
	"row":     regexp.MustCompile(`\b[Rr]ows?\b`),
	"mapping": regexp.MustCompile(`\b[Mm]appings?\b`),
	"stash":   regexp.MustCompile(`\b[Ss]tash(es)?\b`),
	"guard":   regexp.MustCompile(`\b[Gg]uard(s|ed)?\b`),
	"arm":     regexp.MustCompile(`\b([Aa]rm(s|ed|ing)?)\b`),
}

// TestGlossary wants a section for each term, and no other.
func TestGlossary(t *testing.T) {
	defined := sections(t, "docs/glossary.md")
	for term := range terms {
		if !slices.Contains(defined, term) {
			t.Errorf("glossary.md has no section for %s", term)
		}
	}
	if len(defined) != len(terms)+1 { // its title
		t.Errorf("glossary.md has the sections %q", defined)
	}
}

// TestTermsAreDefined wants the first use of a term on a page to be a link, or in
// emphasis, where the page defines it.
func TestTermsAreDefined(t *testing.T) {
	for _, page := range pages(t) {
		if page == "docs/glossary.md" {
			continue
		}
		text := prose(string(readPage(t, page)))
		for term, pattern := range terms {
			first := pattern.FindStringIndex(text)
			if first != nil && !linked(text, first[0], first[1]) {
				line := strings.Count(text[:first[0]], "\n") + 1
				t.Errorf("%s:%d: %q is used for the first time: link it to the glossary, [%[3]s](glossary.md#%[4]s)",
					page, line, text[first[0]:first[1]], term)
			}
		}
	}
}

// linked reports whether a part of a text is in the text of a link or in emphasis.
func linked(text string, start, end int) bool {
	if start > 0 && text[start-1] == '*' && strings.HasPrefix(text[end:], "*") {
		return true
	}
	opened, closed := strings.LastIndex(text[:start], "["), strings.LastIndex(text[:start], "]")
	rest := text[end:]
	closes := strings.Index(rest, "](")
	return opened > closed && closes >= 0 && !strings.Contains(rest[:closes], "[")
}

// notProse is what the prose of a page does not have: blocks, code, headings, comments and
// the targets of links.
var notProse = regexp.MustCompile("(?ms)^```.*?^```$|`[^`]*`|^#[^\n]*$|^    [^\n]*$|<!--.*?-->|\\]\\([^)]*\\)")

// prose blanks what is not prose, so that the lines keep their numbers.
func prose(text string) string {
	return notProse.ReplaceAllStringFunc(text, func(cut string) string {
		if strings.HasPrefix(cut, "](") {
			return "]("
		}
		return strings.Repeat("\n", strings.Count(cut, "\n"))
	})
}
