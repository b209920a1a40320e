// Package diagnose has what messages about a table are made of: the problem and its remedy, the
// fields and mappings that an author probably meant, and values as an author writes them in YAML. It knows
// schemas, and no rows: package compile finds the problems.
package diagnose

import (
	"fmt"
	"strings"
)

// Problem is one thing that is wrong with a table.
type Problem struct {
	// Table is the name of the Crosswalk.
	Table string
	// Version is the spoke, or "" if the problem is about the whole table.
	Version string
	// Field is the field of the table's spec, empty if Version or Row says where the problem is.
	Field string
	// Row is the row, for example "row 3" or "row 4, each row 1".
	Row string
	// Spoke and Hub are the paths that the row names.
	Spoke, Hub string
	// Message says what is wrong.
	Message string
	// Remedy says how to mend it, or is empty.
	Remedy string
	// More is the number of further fields with the same problem: of those for which the same named
	// table is used.
	More int
}

// Error formats as
//
//	crosswalk crontabs.stable.example.com: v1beta1 row 3 (.spec.a <-> .spec.hots): hub path .spec.hots is not in the v1 schema; did you mean .spec.host?
func (p Problem) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "crosswalk %s: ", p.Table)
	where := strings.TrimSpace(p.Version + " " + p.Row)
	b.WriteString(where)
	switch {
	case p.Spoke != "" && p.Hub != "":
		fmt.Fprintf(&b, " (%s <-> %s)", p.Spoke, p.Hub)
	case p.Spoke != "" || p.Hub != "":
		fmt.Fprintf(&b, " (%s)", p.Spoke+p.Hub)
	}
	if where != "" {
		b.WriteString(": ")
	}
	b.WriteString(p.Message)
	if p.Remedy != "" {
		b.WriteString("; ")
		b.WriteString(p.Remedy)
	}
	b.WriteString(p.Elsewhere())
	return b.String()
}

// Elsewhere returns how many more fields have the same problem, or "" if there are none.
func (p Problem) Elsewhere() string {
	switch p.More {
	case 0:
		return ""
	case 1:
		return " (and 1 more field that uses the table has the same problem)"
	}
	return fmt.Sprintf(" (and %d more fields that use the table have the same problem)", p.More)
}

// Problems are all problems of a table.
type Problems []Problem

func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].Error()
	}
	return strings.Join(lines, "\n")
}
