package compile

import (
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// warnUnmet warns of conditions that no element of the other version can meet. Such a part is empty
// in both versions, and all its elements are kept.
func (b *builder) warnUnmet(c *collection, claims [2]*claim, schemas [2]*schema.Schema) {
	for i := range c.tests {
		t := &c.tests[i]
		side := c.w.merged
		other := schemas[side.Other()]
		if t.Fixed || other.IsAny() || t.ByDefault(schemas[side]) || isMadeByRows(t.At, claims[side]) {
			continue
		}
		if hasField(t.At, claims[side], claims[side.Other()], other) && !namesOneSide(t.At, claims[side]) {
			continue
		}
		b.warning(c.w, c.howMet(t, claims[side]),
			"where %s: no row computes %[3]s for the elements of %[2]s, and only the elements of %[4]s have it, so neither version shows the part in the other", c.part, c.local[side.Other()], t.At, c.local[side])
	}
}

// howMet returns the remedy for a condition that no element meets.
func (c *collection) howMet(t *plan.Test, mine *claim) string {
	w, _ := mine.innermost(t.At)
	if w != nil && len(t.Values) == 1 {
		return "remove " + w.title + ": the conversion writes the only value of match"
	}
	to := direction(c.w.merged)
	row := fmt.Sprintf("{%s: %s, cel: {%s: %s}}", c.w.merged, diagnose.Path(t.At), to, literal(t))
	switch {
	case w != nil:
		return "replace " + w.title + " with: " + row
	case t.Values != nil:
		return "match only one value, which the conversion writes there, map the field with a row, or add a row with the value for new elements: " + c.withRow(row)
	}
	return "map the field with a row, or add a row with the value for new elements: " + c.withRow(row)
}

// literal returns the first value of a condition as CEL has it, in double quotes for YAML.
func literal(t *plan.Test) string {
	if t.Values == nil {
		return "..."
	}
	switch v := string(t.Values[0]); {
	case v[0] == '"' && strings.ContainsAny(v, `\'`):
		return "..."
	case v[0] == '"':
		return `"'` + diagnose.Bare(v) + `'"`
	case t.Schema.Type == "number":
		return `"double(` + v + `)"`
	default:
		return `"` + v + `"`
	}
}

// isMadeByRows reports whether rows make a field, possibly by writing fields inside it.
func isMadeByRows(at path.Path, mine *claim) bool {
	for _, name := range at {
		mine = mine.member(name)
	}
	return mine.leads()
}

// namesOneSide reports whether the row for a field names nothing of the other version: what it writes is
// written after conditions are checked.
func namesOneSide(at path.Path, mine *claim) bool {
	w, _ := mine.innermost(at)
	if w == nil || w.mapping != nil {
		return false
	}
	_, single := w.onlySide()
	return single
}
