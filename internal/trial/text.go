package trial

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/verify"
	"github.com/crosswalk-dev/crosswalk/internal/report"
)

// Text returns the report for people.
func (r *Report) Text() string {
	var b strings.Builder
	broken := 0
	for i, one := range r.Crosswalks {
		if i > 0 {
			b.WriteString("\n")
		}
		one.write(&b)
		for _, law := range one.Laws {
			if law.Counterexample != nil {
				broken++
				b.WriteString("\n" + law.Counterexample.text(law.Law, r.Again))
			}
		}
	}
	b.WriteString("\n")
	if r.Interrupted {
		b.WriteString("Interrupted: not everything was tried. ")
	}
	switch {
	case broken == 0:
		fmt.Fprintf(&b, "%s, and every law holds.\n", cases(r.Cases))
	case broken == 1:
		fmt.Fprintf(&b, "%s, and 1 law does not hold.\n", cases(r.Cases))
	default:
		fmt.Fprintf(&b, "%s, and %d laws do not hold.\n", cases(r.Cases), broken)
	}
	return b.String()
}

func (r *TableReport) write(b *strings.Builder) {
	fmt.Fprintf(b, "%s: %s, by %s\n", r.Name, strings.Join(r.versions(), ", "), r.File)
	for _, law := range r.Laws {
		mark := "ok"
		switch {
		case law.Counterexample != nil:
			mark = "FAIL"
		case law.Cases == 0:
			mark = "-"
		}
		fmt.Fprintf(b, "  %-4s  %-9s  %10s  %s\n", mark, law.Law, cases(law.Cases), law.says(r))
	}
	if r.Samples > 0 {
		were := "real objects were"
		if r.Samples == 1 {
			were = "real object was"
		}
		fmt.Fprintf(b, "  %d %s tried, too\n", r.Samples, were)
	}
	if inputs := r.inputs(""); len(inputs) > 0 {
		b.WriteString(wrapped("inputs", inputs) + wrapped("edits", r.inputs("edit/")))
	}
	for _, row := range r.Rows {
		if row.Values == 0 && len(r.Classes) > 0 {
			fmt.Fprintf(b, "  warning: %v: no object had a value there, so nothing is proven about it\n", row)
		}
	}
	for _, note := range r.Notes {
		fmt.Fprintf(b, "  warning: %s\n", note)
	}
}

// versions lists the versions, and marks the hub.
func (r *TableReport) versions() []string {
	all := slices.Clone(r.Versions)
	for i, v := range all {
		if v == r.Hub {
			all[i] = v + " (hub)"
		}
	}
	return all
}

func (l *LawReport) says(r *TableReport) string {
	if l.Law == verify.Coherent && l.Cases == 0 && len(r.Versions) < 3 {
		return l.Description + ": it needs three versions"
	}
	return l.Description
}

// inputs returns the classes of input, without those of the laws.
func (r *TableReport) inputs(prefix string) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(r.Classes)) {
		inner, ok := strings.CutPrefix(name, prefix)
		if ok && (prefix != "" || !strings.HasPrefix(name, "law/") && !strings.HasPrefix(name, "edit/")) {
			names = append(names, inner)
		}
	}
	return names
}

// wrapped writes names in lines that fit a terminal.
func wrapped(title string, names []string) string {
	const width = 100
	lines := []string{fmt.Sprintf("  %-6s", title)}
	for i, name := range names {
		if i < len(names)-1 {
			name += ","
		}
		last := &lines[len(lines)-1]
		if len(*last)+1+len(name) > width {
			lines = append(lines, strings.Repeat(" ", 8))
			last = &lines[len(lines)-1]
		}
		*last += " " + name
	}
	return strings.Join(lines, "\n") + "\n"
}

// text shows a counterexample: what went wrong, the object, what was done with it, and the
// result.
func (c *Counterexample) text(law verify.Law, again string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s (%s)\n", law, c.Problem, c.way())
	want, got := c.ends(law)
	if want == nil {
		fmt.Fprintf(&b, "  the object, in %s:\n%s", c.From, indented(report.YAML(c.Object)))
	} else {
		fmt.Fprintf(&b, "  in %s (- before, + after the round trip):\n%s", c.Version, indented(lines(report.Diff(report.YAML(want), report.YAMLLike(got, want)))))
	}
	for _, d := range c.Differences {
		fmt.Fprintf(&b, "  %s: want %s, got %s\n", d.Path, orAbsent(d.Want), orAbsent(d.Got))
	}
	if len(c.Edits) > 0 {
		fmt.Fprintf(&b, "  edited in %s:\n%s", c.Through[0], indented(c.Edits))
	}
	if c.Damage != "" {
		fmt.Fprintf(&b, "  damaged in %s: %s\n", c.Through[0], c.Damage)
	}
	for i, s := range c.Steps {
		switch {
		case s.Error != "":
			fmt.Fprintf(&b, "  from %s to %s: %s\n", s.From, s.To, s.Error)
		case want == nil || i < len(c.Steps)-1:
			fmt.Fprintf(&b, "  on the way, in %s:\n%s", s.To, indented(report.YAML(s.Output)))
		}
	}
	switch {
	case len(c.Rows) > 0:
		for _, row := range c.Rows {
			fmt.Fprintf(&b, "  row: %v\n", row)
		}
	case len(c.Differences) > 0:
		b.WriteString("  no row names the place: both versions have it, or only one does\n")
	}
	if c.Sample != "" {
		fmt.Fprintf(&b, "  made from %s\n", c.Sample)
	} else {
		fmt.Fprintf(&b, "  made from generated object %d\n", c.Generated)
	}
	fmt.Fprintf(&b, "  again: %s\n", again)
	return b.String()
}

// way names the versions that the object was converted to.
func (c *Counterexample) way() string {
	names := []string{c.From}
	for _, s := range c.Steps {
		names = append(names, s.To)
	}
	way := strings.Join(names, " → ")
	if c.Served {
		way += ", through the API server"
	}
	return way
}

// ends returns the expected and the actual result, if both are one object.
func (c *Counterexample) ends(law verify.Law) (want, got []byte) {
	n := len(c.Steps)
	if n == 0 || c.Steps[n-1].Output == nil || c.Steps[n-1].To != c.Version || len(c.Differences) == 0 {
		return nil, nil
	}
	switch law {
	case verify.RoundTrip:
		return c.Steps[0].Input, c.Steps[n-1].Output
	case verify.LiveWins:
		for _, s := range c.Steps {
			if s.From == c.Version {
				return s.Input, c.Steps[n-1].Output
			}
		}
	}
	return nil, nil
}

func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

func indented(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString("    " + line + "\n")
	}
	return b.String()
}

func orAbsent(text []byte) string {
	if len(bytes.TrimSpace(text)) == 0 {
		return "nothing"
	}
	return string(text)
}
