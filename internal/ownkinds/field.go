package ownkinds

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// fieldOf returns the field of a Crosswalk for a problem: the row, or the nearest field.
func fieldOf(spec v1alpha1.CrosswalkSpec, p conversion.Problem) string {
	switch {
	case p.Field != "":
		return "spec." + p.Field
	case p.Version == "":
		return "spec"
	}
	steps := rowSteps(p.Row)
	named := ""
	if rest, ok := strings.CutPrefix(p.Row, "table "); ok {
		named, _, _ = strings.Cut(rest, " ")
	}
	if rows, ok := spec.Tables[named]; ok {
		return fmt.Sprintf("spec.tables[%s]%s", named, strings.TrimPrefix(rowPath(rows, steps), ".rows"))
	}
	first := -1
	for i, v := range spec.Versions {
		if v.Name != p.Version {
			continue
		}
		if first < 0 {
			first = i
		}
		if rows, ok := v.Tables[named]; ok {
			path := strings.TrimPrefix(rowPath(rows, steps), ".rows")
			return fmt.Sprintf("spec.versions[%d].tables[%s]%s", i, named, path)
		}
		// Entries of the same version are one list of rows.
		if len(steps) > 0 && steps[0].number >= len(v.Rows) {
			steps[0].number -= len(v.Rows)
			continue
		}
		return fmt.Sprintf("spec.versions[%d]", i) + rowPath(v.Rows, steps)
	}
	if first < 0 {
		return "spec.versions" // a version without rows
	}
	return fmt.Sprintf("spec.versions[%d]", first)
}

// step is one step to a row: its number from 0, and the mapping of the previous row that
// contains it. The mapping is empty for the first step.
type step struct {
	mapping string
	number  int
}

// rowSteps parses the steps of "row 4, each row 1".
func rowSteps(row string) []step {
	var steps []step
	for _, part := range strings.Split(row, ", ") {
		at := strings.LastIndex(part, "row ")
		if at < 0 {
			break
		}
		n, err := strconv.Atoi(part[at+len("row "):])
		if err != nil || n < 1 {
			break
		}
		steps = append(steps, step{strings.TrimSpace(part[:at]), n - 1})
	}
	return steps
}

// rowPath follows the steps as far as rows exist.
func rowPath(rows []v1alpha1.Row, steps []step) string {
	var path strings.Builder
	within := ""
	for i, s := range steps {
		if s.number >= len(rows) {
			break
		}
		fmt.Fprintf(&path, "%s.rows[%d]", within, s.number)
		if i+1 == len(steps) {
			break
		}
		inner := rows[s.number].Inner()
		at := slices.IndexFunc(inner, func(in v1alpha1.Inner) bool { return in.Mapping == steps[i+1].mapping })
		if at < 0 {
			break
		}
		within, rows = inner[at].Field, *inner[at].Rows
	}
	return path.String()
}

// messageOf returns the message of a problem without what the field already tells. Other rows are
// named by their fields, too: these count rows from 0, and titles such as "row 2" from 1.
func messageOf(spec v1alpha1.CrosswalkSpec, p conversion.Problem) string {
	byField := func(text string) string {
		return rowTitle.ReplaceAllStringFunc(text, func(title string) string {
			return fieldOf(spec, conversion.Problem{Version: p.Version, Row: title})
		})
	}
	var message strings.Builder
	if places := strings.TrimSpace(p.Version + " " + between(p.Spoke, p.Hub)); places != "" {
		message.WriteString(places + ": ")
	}
	message.WriteString(byField(p.Message))
	if p.Remedy != "" {
		message.WriteString("; " + byField(p.Remedy))
	}
	message.WriteString(p.Elsewhere())
	return message.String()
}

// rowTitle is the title of a row in a message, such as "row 4, each row 1" or "table t row 1".
var rowTitle = regexp.MustCompile(`(?:\btable \S+ )?\brow \d+(?:, (?:[\w-]+ )+row \d+)*`)

func between(spoke, hub string) string {
	switch {
	case spoke != "" && hub != "":
		return "(" + spoke + " <-> " + hub + ")"
	case spoke+hub != "":
		return "(" + spoke + hub + ")"
	}
	return ""
}
