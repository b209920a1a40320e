package plan

import (
	"fmt"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// unlike reports that no value fits both elements of two lists, or both values of two
// maps.
func (b *builder) unlike(c *collection) {
	what := "elements of the lists"
	if c.forms[Spoke] == Dict {
		what = "values of the maps"
	}
	types := c.elements
	message := fmt.Sprintf("the %s do not fit: %s in %s, %s in %s", what, types[Spoke].Describe(), b.versions[Spoke], types[Hub].Describe(), b.versions[Hub])
	remedy := inEach(types)
	if c.w != nil {
		b.problem(c.w, remedy+", or remove the row", "%s", message)
		return
	}
	b.plain(fmt.Sprintf("in a row %s %s", pairText(c.local, "..."), remedy), "%s: %s", c.at[Spoke], message)
}

// inEach says how elements that do not fit may be tied: the one as a field of the
// other, where that has one that fits.
func inEach(types [2]*schema.Schema) string {
	for _, side := range [...]Side{Spoke, Hub} {
		inner := types[side.Other()]
		if types[side].Type != "object" || inner.Type == "object" {
			continue
		}
		for _, field := range sortedKeys(types[side].Members) {
			if schema.Fit(types[side].Members[field], inner) {
				places := [2]string{".", "."}
				places[side] += field
				return fmt.Sprintf("tie them, for example each: {rows: [{spoke: %s, hub: %s}]} or wrap: %s", places[Spoke], places[Hub], field)
			}
		}
	}
	return "say in each how one becomes the other: each: {rows: [{spoke: ., hub: ., ...}]}"
}
