package offline

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// line is the explanation of a place.
type line struct{ path, value, what string }

type lines []line

// few is how many elements are shown one by one.
const few = 3

var index = regexp.MustCompile(`\[\d+\]`)

// anyIndex replaces all indexes of lists by *.
func anyIndex(text string) string { return index.ReplaceAllString(text, "[*]") }

// grouped combines places with the same explanation.
func (l lines) grouped() lines {
	key := func(one line) line { return line{path: anyIndex(one.path), what: anyIndex(one.what)} }
	count := map[line]int{}
	for _, one := range l {
		count[key(one)]++
	}
	var out lines
	for _, one := range l {
		k := key(one)
		switch n := count[k]; {
		case n > 0 && n <= few || k.path == one.path:
			out = append(out, one)
		case n > 0:
			count[k] = 0 // it is in a line already
			out = append(out, line{k.path, fmt.Sprintf("%d times", n), k.what})
		}
	}
	return out
}

// text writes columns below a title. It returns "" if there are no lines.
func (l lines) text(title string) string {
	if len(l) == 0 {
		return ""
	}
	l = l.grouped()
	const widest = 44 // longer ones are not aligned
	var paths, values int
	for _, one := range l {
		if n := utf8.RuneCountInString(one.path); n <= widest {
			paths = max(paths, n)
		}
		values = max(values, utf8.RuneCountInString(one.value))
	}
	var b strings.Builder
	b.WriteString(title + ":\n")
	for _, one := range l {
		row := fmt.Sprintf("  %-*s  ", paths, one.path)
		if values > 0 {
			row += fmt.Sprintf("%-*s  ", values, one.value)
		}
		b.WriteString(row + one.what + "\n")
	}
	return b.String()
}

// shown returns a value, short enough for a line.
func shown(value []byte, sensitive bool) string {
	const longest = 32
	if sensitive {
		return "(sensitive)"
	}
	text := []rune(string(value))
	if len(text) > longest {
		text = append(text[:longest-1], '…')
	}
	return string(text)
}

// wrapped writes paths in lines that fit a terminal, with indexes of lists as *.
func wrapped(title string, paths []string) string {
	const width = 100
	var names []string
	seen := map[string]bool{}
	for _, path := range paths {
		if path = anyIndex(path); !seen[path] {
			seen[path] = true
			names = append(names, path)
		}
	}
	if len(names) == 0 {
		return ""
	}
	out := []string{" "}
	for i, name := range names {
		if i < len(names)-1 {
			name += ","
		}
		last := &out[len(out)-1]
		if len(*last) > 1 && len(*last)+1+len(name) > width {
			out = append(out, " ")
			last = &out[len(out)-1]
		}
		*last += " " + name
	}
	return title + ":\n" + strings.Join(out, "\n") + "\n"
}
