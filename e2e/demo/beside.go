package main

import (
	"strings"
	"unicode/utf8"

	"znkr.io/diff"
)

// row is a line of two texts side by side, with the mark that sdiff has for it.
type row struct {
	left, right string
	mark        mark
}

type mark string

// The lines of a row are the same, have changed, or are in one of the texts only.
const (
	same      mark = " "
	changed   mark = "|"
	leftOnly  mark = "<"
	rightOnly mark = ">"
)

// rows puts two texts side by side, the same lines beside each other.
func rows(left, right string) []row {
	var all []row
	var gone, come []string
	flush := func() {
		for len(gone) > 0 && len(come) > 0 {
			all = append(all, row{gone[0], come[0], changed})
			gone, come = gone[1:], come[1:]
		}
		for _, line := range gone {
			all = append(all, row{line, "", leftOnly})
		}
		for _, line := range come {
			all = append(all, row{"", line, rightOnly})
		}
		gone, come = nil, nil
	}
	for _, edit := range diff.Edits(lines(left), lines(right)) {
		switch edit.Op {
		case diff.Delete:
			gone = append(gone, edit.X)
		case diff.Insert:
			come = append(come, edit.Y)
		case diff.Match:
			flush()
			all = append(all, row{edit.X, edit.Y, same})
		}
	}
	flush()
	return all
}

func lines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// wrap cuts a line into pieces of at most width characters; an empty line is one piece.
func wrap(line string, width int) []string {
	var pieces []string
	for utf8.RuneCountInString(line) > width {
		cut := len(string([]rune(line)[:width]))
		pieces, line = append(pieces, line[:cut]), line[cut:]
	}
	return append(pieces, line)
}

// pad fills a piece up to width characters.
func pad(piece string, width int) string {
	return piece + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(piece)))
}
