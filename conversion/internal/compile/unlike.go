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

// unlike reports that no value fits both elements of two lists, or both values of two
// maps.
func (b *builder) unlike(c *collection) {
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

// inEach says how elements that do not fit may be mapped: the one as a field of the other, where
// that has any that fit, or by a mapping.
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

// wholeRow returns a row that maps two values whose types do not fit: the one as a field of the
// other, of those that fit, or by a mapping. It is empty if there is none.
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

// alsoFit names up to two more of the fields that fit, in brackets.
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

// inAlternative says how an alternative that does not fit may be mapped.
func inAlternative(name string, types [2]*schema.Schema) string {
	return "alternatives: [{name: " + name + ", " + inRows(types) + "}]"
}

// inRows says how a part that does not fit may be mapped in the rows of its mapping.
func inRows(types [2]*schema.Schema) string {
	row, fields := wholeRow(types)
	if row == "" {
		row = "{spoke: ., hub: ., ...}"
	}
	return "rows: [" + row + "]" + alsoFit(fields)
}
