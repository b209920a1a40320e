package ownkinds

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// fieldOf is the field of a Crosswalk that a problem is about: the row, or what is
// nearest to it.
func fieldOf(spec v1alpha1.CrosswalkSpec, p conversion.Problem) string {
	if p.Version == "" {
		return "spec"
	}
	numbers := rowNumbers(p.Row)
	named := ""
	if rest, ok := strings.CutPrefix(p.Row, "table "); ok {
		named, _, _ = strings.Cut(rest, " ")
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
			path := strings.TrimPrefix(rowPath(rows, numbers), ".rows")
			return fmt.Sprintf("spec.versions[%d].tables[%s]%s", i, named, path)
		}
		// Entries of the same version are one list of rows.
		if len(numbers) > 0 && numbers[0] >= len(v.Rows) {
			numbers[0] -= len(v.Rows)
			continue
		}
		return fmt.Sprintf("spec.versions[%d]", i) + rowPath(v.Rows, numbers)
	}
	if first < 0 {
		return "spec.versions" // a version without rows
	}
	return fmt.Sprintf("spec.versions[%d]", first)
}

// rowNumbers are those of "row 4, each row 1", from 0.
func rowNumbers(row string) []int {
	var numbers []int
	for _, match := range regexp.MustCompile(`row (\d+)`).FindAllStringSubmatch(row, -1) {
		n, err := strconv.Atoi(match[1])
		if err != nil || n < 1 {
			break
		}
		numbers = append(numbers, n-1)
	}
	return numbers
}

// rowPath follows the numbers as far as there are rows.
func rowPath(rows []v1alpha1.Row, numbers []int) string {
	var path strings.Builder
	within := ""
	for _, n := range numbers {
		if n >= len(rows) {
			break
		}
		fmt.Fprintf(&path, "%s.rows[%d]", within, n)
		mapping, inner := rows[n].Inner()
		if inner == nil {
			break
		}
		within, rows = "."+mapping, *inner
	}
	return path.String()
}

// messageOf is what a problem says, without what its field says already.
func messageOf(p conversion.Problem) string {
	var message strings.Builder
	if places := strings.TrimSpace(p.Version + " " + between(p.Spoke, p.Hub)); places != "" {
		message.WriteString(places + ": ")
	}
	message.WriteString(p.Message)
	if p.Remedy != "" {
		message.WriteString("; " + p.Remedy)
	}
	return message.String()
}

func between(spoke, hub string) string {
	switch {
	case spoke != "" && hub != "":
		return "(" + spoke + " <-> " + hub + ")"
	case spoke+hub != "":
		return "(" + spoke + hub + ")"
	}
	return ""
}
