package compile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// reportUnlike reports two lists or maps if no value is valid as an element of both.
func (b *builder) reportUnlike(c *collection) {
	what := "elements of the lists"
	if c.forms[plan.Spoke] == plan.Dict {
		what = "values of the maps"
	}
	types := c.elements
	message := fmt.Sprintf("the types of the %s do not fit: %s in %s, %s in %s", what, types[plan.Spoke].Describe(), b.versions[plan.Spoke], types[plan.Hub].Describe(), b.versions[plan.Hub])
	remedy := inEach(types)
	if c.w != nil {
		b.problem(c.w, remedy+", or remove the row", "%s", message)
		return
	}
	b.plain(fmt.Sprintf("write the row %s, and %s", diagnose.Row(c.local, "..."), remedy), "%s: %s", c.at[plan.Spoke], message)
}

// inEach returns how elements of different types can be mapped: one as a field of the other, if it
// has any of that type, or by a mapping.
func inEach(types [2]*schema.Schema) string {
	row, fields := wholeRow(types)
	if row == "" {
		return "add rows that convert one into the other: each: {rows: [{spoke: ., hub: ., ...}]}"
	}
	remedy := "map them, for example each: {rows: [" + row + "]}"
	if len(fields) > 0 {
		remedy += " or wrap: " + fields[0] + alsoFit(fields)
	}
	return remedy
}

// wholeRow returns a row that maps two values of different types: one as a field of the other, or
// by a mapping. It returns "" if there is none.
func wholeRow(types [2]*schema.Schema) (row string, fields []string) {
	var at [2]path.Path
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		inner := types[side.Other()]
		if types[side].Type != "object" || inner.Type == "object" {
			continue
		}
		fields = slices.DeleteFunc(slices.Sorted(maps.Keys(types[side].Members)), func(field string) bool { return !schema.Fit(types[side].Members[field], inner) })
		if len(fields) > 0 {
			at[side] = path.Path{fields[0]}
			return fmt.Sprintf("{spoke: %s, hub: %s}", diagnose.Path(at[plan.Spoke]), diagnose.Path(at[plan.Hub])), fields
		}
	}
	mapping, _, _ := strings.Cut(diagnose.MappingFor(types, nil), " or ")
	if mapping == "" {
		return "", nil
	}
	return diagnose.Row(at, mapping), nil
}

// alsoFit returns up to two more of the fields, in brackets.
func alsoFit(fields []string) string {
	const most = 3
	switch {
	case len(fields) > most:
		return fmt.Sprintf(" (%s and %d more also fit)", diagnose.Listed(fields[1:most]), len(fields)-most)
	case len(fields) > 2:
		return " (" + diagnose.Listed(fields[1:]) + " also fit)"
	case len(fields) > 1:
		return " (" + fields[1] + " also fits)"
	}
	return ""
}

// inAlternative returns how an alternative of another type can be mapped.
func inAlternative(name string, types [2]*schema.Schema) string {
	return "alternatives: [{name: " + name + ", " + inRows(types) + "}]"
}

// inRows returns how a part of another type can be mapped in the rows of its mapping.
func inRows(types [2]*schema.Schema) string {
	row, fields := wholeRow(types)
	if row == "" {
		row = "{spoke: ., hub: ., ...}"
	}
	return "rows: [" + row + "]" + alsoFit(fields)
}
