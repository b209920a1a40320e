package main

import (
	"regexp"
	"strings"
)

// An entry is a word or phrase that readers stumble over, and what to write instead.
type entry struct {
	word    *regexp.Regexp
	instead string
}

// afterCounts are the words that show that "counts" has no object.
const afterCounts = `against|among|as|for|here|if|instead|more|not|nothing|only|then|though|too|when|where|while`

func entries() []entry {
	return []entry{
		{phrase(`away`), `down, unavailable, removed or from`},
		{phrase(`be it`), `whether it is … or …`},
		{phrase(`of before`), `previous, earlier or old`},
		{phrase(`by now`), `already, since then or nothing`},
		{phrase(`as a whole`), `whole, all of or at once`},
		{phrase(`stands?|standing`), `is, represents or means`},
		{phrase(`said`), `the noun: printed, reported, written, specified`},
		{phrase(`says? whether`), `reports whether`},
		// What counts things may say so; what counts, or counts as something, may not.
		{phrase(`counts (?:` + afterCounts + `)`), `is valid, applies or is treated as`},
		{regexp.MustCompile(`(?i)\bcounts\s*(?:[.,;:)]|$)`), `is valid or applies`},
		{phrase(`(?:is|are|was|were|be) wanted`), `is needed, is expected or is requested`},
		{phrase(`lets? go`), `release, remove or drop`},
		{phrase(`tells? who`), `names the user who`},
	}
}

var hard = entries()

// phrase matches a phrase whose words may be on two lines, with the marks of a comment
// between them.
func phrase(words string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:` + strings.ReplaceAll(words, " ", `(?:\s|//|#)+`) + `)\b`)
}

// find returns what a text has of the list. Lines are counted from 0.
func find(text string) []finding {
	var findings []finding
	for _, e := range hard {
		for _, at := range e.word.FindAllStringIndex(text, -1) {
			findings = append(findings, finding{
				word:    text[at[0]:at[1]],
				instead: e.instead,
				line:    strings.Count(text[:at[0]], "\n"),
			})
		}
	}
	return findings
}
