package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Pinpoint finds the line of a mistake for which the library names the list or map that
// the line is in: the first one up to which the document fails as the whole does. That
// takes a few readings of the document, so it is for what people have written. Any other
// error is as it was.
func Pinpoint(doc Document, err error) error {
	var syntax *SyntaxError
	if !errors.As(err, &syntax) || !ofBlock(syntax.Reason) {
		return err
	}
	fails := func(text []byte) string {
		if err := yaml.Unmarshal(text, &yaml.Node{}); err != nil {
			return err.Error()
		}
		return ""
	}
	whole, lines := fails(doc.Text), bytes.SplitAfter(doc.Text, []byte("\n"))
	at := sort.Search(len(lines), func(n int) bool {
		return fails(bytes.Join(lines[:n+1], nil)) == whole
	})
	if at == len(lines) {
		return err
	}
	_, reason := yamlErrorLine(errors.New(whole), doc.Text)
	hint := quoteHint(reason, string(lines[at]))
	spaces, odd := misindented(lines[:at+1])
	switch {
	case odd:
		hint = fmt.Sprintf("; the line is indented by %d: indent it as those that belong beside it", spaces)
	case strings.Contains(reason, "'-' indicator"):
		hint = "; the line stands among the elements of a list and begins with no dash: indent it as those that belong beside it"
	}
	return &SyntaxError{Number: syntax.Number, Line: doc.Line + at, Reason: "not YAML: " + reason + hint}
}

// ofBlock reports whether the library names where a list or map in lines of its own begins.
func ofBlock(reason string) bool {
	return slices.ContainsFunc([]string{"key", "'-' indicator"}, func(what string) bool {
		return strings.HasPrefix(reason, "not YAML: did not find expected "+what)
	})
}

// misindented says how many spaces stand before the last line, and whether nothing that
// is open there begins behind as many.
func misindented(lines [][]byte) (spaces int, odd bool) {
	last := len(lines) - 1
	spaces = indentation(lines[last])
	for i := last - 1; i >= 0; i-- {
		text := bytes.TrimSpace(lines[i])
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		before := indentation(lines[i])
		if before > spaces {
			continue
		}
		// What stands behind the dashes of an element begins further in.
		column, rest := before, lines[i][before:]
		for column < spaces && bytes.HasPrefix(rest, []byte("- ")) {
			column += 1 + indentation(rest[1:])
			rest = lines[i][column:]
		}
		return spaces, column != spaces
	}
	return spaces, false
}

func indentation(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }
