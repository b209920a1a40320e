package manifest

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// yamlErrorLine takes the line out of the library's message, which counts from
// the start of the document's text. What is missing at the end is missing in the last
// line that says something.
func yamlErrorLine(err error, text []byte) (line int, reason string) {
	reason = strings.TrimPrefix(err.Error(), "yaml: ")
	match := regexp.MustCompile(`^line (\d+): `).FindStringSubmatch(reason)
	if match == nil {
		return 1, reason
	}
	line, convErr := strconv.Atoi(match[1])
	if convErr != nil {
		return 1, reason
	}
	reason = strings.TrimPrefix(reason, match[0])
	if grammatical(reason) {
		line++
	}
	return min(line, 1+bytes.Count(bytes.TrimRight(text, " \n\r\t"), []byte("\n"))), reason
}

// grammatical reports whether a message is of the library's parser and not of its scanner.
// The parser counts lines from 0 (see parser.fail in its decode.go), so that the message
// would name the line before the one that it is about.
func grammatical(reason string) bool {
	return slices.ContainsFunc([]string{
		"did not find expected node content", "did not find expected '-' indicator", "did not find expected key",
		"did not find expected ',' or", "did not find expected <document start>",
		"found undefined tag handle", "found duplicate %", "found incompatible YAML document",
	}, func(start string) bool { return strings.HasPrefix(reason, start) })
}

// indexedPath is a path into a list, as .spec.list[0].
var indexedPath = regexp.MustCompile(`[\s{,:]\.[\w.-]+\[(\d*|\*)\]`)

// quoteHint says which values YAML takes apart unless they are in quotes: expressions
// and templates mostly, which tables are full of. text is the line that it is about.
func quoteHint(reason, text string) string {
	if strings.HasPrefix(reason, "did not find expected ',' or") && indexedPath.MatchString(text) {
		return "; a path has no place for the number of an element: the elements of a list are reached with each"
	}
	for _, hint := range [...]struct{ of, text string }{
		{"did not find expected ',' or", "close every { and [; within them, put a value in double quotes that has a comma, ?, {, }, [ or ] in it, or goes on behind a quote: \"self.spec.?a\""},
		{"did not find expected <document start>", "the document ends before this line, with what its { or [ or quote began; put a line --- before another document"},
		{"did not find expected key", "a value that begins with a quote, { or [ ends with its partner; put all of it in double quotes if it goes on: \"'a' + self.b\""},
		{"mapping values are not allowed", "put a value in double quotes that has a colon and a space in it: \"self.a ? 'b' : 'c'\"; or indent the line as those beside it"},
		{"found character that cannot start any token", "indent with spaces, not with tabs, and put a value in double quotes that begins with @, ` or %"},
		{"found a tab character", "indent with spaces, not with tabs"},
		{"did not find expected whitespace or line break", "put a value in double quotes that begins with !: \"!has(self.a)\""},
	} {
		if strings.HasPrefix(reason, hint.of) {
			return "; " + hint.text
		}
	}
	return ""
}

// lineOf is a line of a text, which are counted from 1.
func lineOf(text []byte, line int) string {
	lines := bytes.Split(text, []byte("\n"))
	return string(lines[min(line, len(lines))-1])
}
