package doctor

import (
	"fmt"
	"slices"
	"strings"
)

// mostNamed is how many objects of a finding are named in a text.
const mostNamed = 3

// Text returns a check as lines for people.
func (c Check) Text() string {
	var b strings.Builder
	b.WriteString(strings.TrimRight(fmt.Sprintf("%-11s  %-15s  %s", c.State, c.Name, c.Detail), " ") + "\n")
	for _, f := range c.Findings {
		indented(&b, "  ", fmt.Sprintf("%s: %s: %s", f.Severity, named(f.Objects), f.Cause))
		indented(&b, "    $ ", f.Command)
	}
	for _, why := range c.NotChecked {
		indented(&b, "  ", "not checked: "+why)
	}
	return b.String()
}

// indented writes the lines of a text behind an indent. Further lines have a larger one.
func indented(b *strings.Builder, indent, text string) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(b, "%s%s\n", indent, line)
		indent = "      "
	}
}

func named(objects []string) string {
	if len(objects) <= mostNamed {
		return strings.Join(objects, ", ")
	}
	return fmt.Sprintf("%s and %d others", strings.Join(objects[:mostNamed], ", "), len(objects)-mostNamed)
}

// Summary returns the last line for people.
func (r Report) Summary() string {
	problems, unchecked := 0, 0
	for _, c := range r.Checks {
		problems += len(slices.DeleteFunc(slices.Clone(c.Findings), func(f Finding) bool { return f.Severity != Problem }))
		unchecked += len(c.NotChecked)
	}
	text := "no problem found"
	if problems > 0 {
		text = count(problems, "problem")
	}
	if unchecked > 0 {
		text += "; not everything was checked"
	}
	return text + "\n"
}

// count returns a number and a noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// join joins the parts that are not empty.
func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}
