package manifest

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// yamlErrorLine separates the line and the reason of the library's message, which counts lines
// from the start of the document. If something is missing at the end of the document, the line
// is the last one that is not empty.
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

// grammatical reports whether a message comes from the library's parser and not from its
// scanner. The parser counts lines from 0 (see parser.fail in its decode.go), so its message
// names the line before the faulty one.
func grammatical(reason string) bool {
	return slices.ContainsFunc([]string{
		"did not find expected node content", "did not find expected '-' indicator", "did not find expected key",
		"did not find expected ',' or", "did not find expected <document start>",
		"found undefined tag handle", "found duplicate %", "found incompatible YAML document",
	}, func(start string) bool { return strings.HasPrefix(reason, start) })
}

// indexedPath matches a path with an index, such as .spec.list[0].
var indexedPath = regexp.MustCompile(`[\s{,:]\.[\w.-]+\[(\d*|\*)\]`)

// quoteHint returns which values need quotes, because YAML would divide them: mostly
// expressions and templates, which are frequent in tables. text is the line of the error.
func quoteHint(reason, text string) string {
	if strings.HasPrefix(reason, "did not find expected ',' or") && indexedPath.MatchString(text) {
		return "; a path can't have the number of an element; use each for the elements of a list"
	}
	for _, hint := range [...]struct{ of, text string }{
		{"did not find expected ',' or", "close every { and [; within them, put a value in double quotes if it has a comma, ?, {, }, [ or ], or text after a quote: \"self.spec.?a\""},
		{"did not find expected <document start>", "the document ends before this line, where its first { or [ or quote is closed; put a line --- before another document"},
		{"did not find expected key", "a value that begins with a quote, { or [ ends with the closing one; if it goes on, put the whole value in double quotes: \"'a' + self.b\""},
		{"mapping values are not allowed", "put a value with a colon and a space in double quotes: \"self.a ? 'b' : 'c'\"; or indent the line like its neighbours"},
		{"found character that cannot start any token", "indent with spaces, not with tabs, and put a value that begins with @, ` or % in double quotes"},
		{"found a tab character", "indent with spaces, not with tabs"},
		{"did not find expected whitespace or line break", "put a value that begins with ! in double quotes: \"!has(self.a)\""},
	} {
		if strings.HasPrefix(reason, hint.of) {
			return "; " + hint.text
		}
	}
	return ""
}

// lineOf returns a line of a text. Lines are numbered from 1.
func lineOf(text []byte, line int) string {
	lines := bytes.Split(text, []byte("\n"))
	return string(lines[min(line, len(lines))-1])
}
