package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// screen is where the walk is shown: a terminal, or a file.
type screen struct {
	out   io.Writer
	width int // characters in a line
	// colours reports whether headings and changes have colours.
	colours bool
}

// fileWidth is the width of what is no terminal.
const fileWidth = 120

// newScreen finds out what out is. NO_COLOR is what https://no-color.org describes.
func newScreen(out io.Writer) screen {
	s := screen{out: out, width: fileWidth}
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return s
	}
	s.colours = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
		s.width = width
	}
	return s
}

// colour is what a terminal is told before a text.
type colour string

const (
	bold  colour = "\x1b[1m"
	faint colour = "\x1b[2m"
	red   colour = "\x1b[31m"
	green colour = "\x1b[32m"
	plain colour = ""
)

func (s screen) in(c colour, text string) string {
	if !s.colours || c == plain || text == "" {
		return text
	}
	return string(c) + text + "\x1b[0m"
}

// heading begins the step n of all.
func (s screen) heading(n, all int, title string) {
	fmt.Fprintf(s.out, "\n%s\n", s.in(bold, fmt.Sprintf("%d/%d %s", n, all, title)))
}

// say prints a paragraph.
func (s screen) say(text string) { fmt.Fprintln(s.out, text) }

// command prints what is typed.
func (s screen) command(text string) { fmt.Fprintln(s.out, s.in(bold, "$ "+text)) }

// said prints what a command says, with a newline at its end.
func (s screen) said(text string) {
	fmt.Fprint(s.out, text)
	if !strings.HasSuffix(text, "\n") {
		fmt.Fprintln(s.out)
	}
}

// beside prints two texts side by side, each under its title, and marks between them
// what differs.
func (s screen) beside(leftTitle, rightTitle, left, right string) {
	all := rows(left, right)
	longest := utf8.RuneCountInString(leftTitle)
	for _, r := range all {
		longest = max(longest, utf8.RuneCountInString(r.left))
	}
	const gap = len(" | ")
	width := min(longest, max(1, (s.width-gap)/2))
	rest := max(1, s.width-gap-width)
	fmt.Fprintf(s.out, "%s   %s\n", s.in(faint, pad(leftTitle, width)), s.in(faint, rightTitle))
	for _, r := range all {
		was, is := plain, plain
		if r.mark != same {
			was, is = red, green
		}
		lefts, rights := wrap(r.left, width), wrap(r.right, rest)
		for i := range max(len(lefts), len(rights)) {
			mark := r.mark
			if i > 0 {
				mark = same
			}
			line := pad("", width)
			if i < len(lefts) && lefts[i] != "" {
				line = s.in(was, pad(lefts[i], width))
			}
			line += " " + string(mark)
			if i < len(rights) && rights[i] != "" {
				line += " " + s.in(is, rights[i])
			}
			fmt.Fprintln(s.out, strings.TrimRight(line, " "))
		}
	}
}
