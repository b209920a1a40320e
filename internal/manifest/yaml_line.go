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

// Pinpoint finds the line of a mistake if the library names only the list or map with the line:
// the first line up to which the document fails like the whole document. That takes several
// readings of the document, so use it for files that people have written. Pinpoint returns any
// other error unchanged.
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
		hint = fmt.Sprintf("; the line is indented by %d; indent it like its neighbours", spaces)
	case strings.Contains(reason, "'-' indicator"):
		hint = "; the line is between the elements of a list, but has no dash; indent it like its neighbours"
	}
	return &SyntaxError{Number: syntax.Number, Line: doc.Line + at, Reason: "not YAML: " + reason + hint}
}

// ofBlock reports whether the library names where a block list or map begins.
func ofBlock(reason string) bool {
	return slices.ContainsFunc([]string{"key", "'-' indicator"}, func(what string) bool {
		return strings.HasPrefix(reason, "not YAML: did not find expected "+what)
	})
}

// misindented returns how many spaces the last line begins with, and whether no open list or
// map is indented as far.
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
		// The content after the dash of an element is indented further.
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
