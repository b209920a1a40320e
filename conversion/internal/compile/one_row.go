package compile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// oneTable is the remedy for two tables for one object.
const oneTable = "put the rows of both tables into one, or write the rows of one without a table"

// oneRow returns the remedy for a field that a row and an earlier one claim.
func oneRow(w *writtenRow, earlier *claim, side plan.Side, operand int) string {
	const rule = "a field can be in only one row: "
	other := earlier.row
	switch {
	case w.Table != "" && other.Table != "":
		return rule + oneTable
	case w.schemas[side][operand].Type == "array":
		if row := mergedBy(other, w, side); row != "" {
			return rule + "write one row for both, with the values that identify their elements: " + row
		}
		fallthrough
	case w.mapping == nil && w.Drop == "" && w.Constant == nil:
		return rule + "remove one of the two, or compute all fields that depend on it in one row, with cel"
	}
	return rule + "remove one of the two"
}

// mergedBy returns the row that would map a list which two rows claim to the lists or objects that
// both have on the other side, or "".
func mergedBy(first, second *writtenRow, side plan.Side) string {
	other := side.Other()
	list := first.schemas[side][0].Items
	if list == nil || len(list.Members) == 0 {
		return ""
	}
	// The elements of the parts are identified by a field that they don't have.
	field := "..."
	var named, parts []string
	for _, w := range [...]*writtenRow{first, second} {
		if len(w.paths[side]) != 1 || len(w.paths[other]) != 1 || len(w.paths[other][0]) == 0 {
			return ""
		}
		p, element := w.paths[other][0], w.schemas[other][0]
		if element.Type == "array" {
			element = element.Items
		}
		if element == nil || !element.IsObject() {
			return ""
		}
		field = fieldBeside(list, element, field)
		name := p[len(p)-1]
		if len(named) > 0 && strings.HasPrefix(named[0], name+":") {
			name += "2"
		}
		named = append(named, name+": "+diagnose.Path(p))
		parts = append(parts, name)
	}
	var at [2]string
	at[side], at[other] = diagnose.Path(first.paths[side][0]), "{"+strings.Join(named, ", ")+"}"
	return fmt.Sprintf("{spoke: %s, hub: %s, where: [{place: %s, match: {%s: ...}}, {place: %s, match: {%[4]s: ...}}]}", at[plan.Spoke], at[plan.Hub], parts[0], field, parts[1])
}

// fieldBeside returns a text field that the elements of a list have and those of a part lack.
func fieldBeside(list, part *schema.Schema, otherwise string) string {
	for _, name := range slices.Sorted(maps.Keys(list.Members)) {
		if list.Members[name].Type == "string" && part.Members[name] == nil {
			return diagnose.Path([]string{name})
		}
	}
	return otherwise
}
