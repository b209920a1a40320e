package compile

import (
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/mapping"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

func (b *builder) checkJoin(w *writtenRow) {
	if w.Join.Separator == "" {
		b.problem(w, `write the text between two elements: join: {separator: ","}`, "join has no separator")
	}
}

func (b *builder) joinRow(w *writtenRow, r *plan.Row) bool {
	if b.leadsInto(w) {
		return false
	}
	types := w.pair()
	whole := plan.Spoke
	if types[plan.Spoke].Type != "string" {
		whole = plan.Hub
	}
	parts := types[whole.Other()]
	switch {
	case types[whole].Type == "string" && parts.Type == "string" && b.joinsPart(w):
		return false
	case types[whole].Type != "string" || parts.Type != "array":
		b.problem(w, "name a string on one side and a list on the other", "join maps a string to a list: %s is of type %s, %s is of type %s",
			w.paths[plan.Spoke][0], types[plan.Spoke].Describe(), w.paths[plan.Hub][0], types[plan.Hub].Describe())
		return false
	case parts.Items == nil || parts.Items.Type != "string" && parts.Items.Type != "integer":
		b.problem(w, "name a list of strings or integers", "join: the elements of %s are not strings or integers", w.paths[whole.Other()][0])
		return false
	}
	r.Kind = plan.Map
	r.Mapping = &mapping.Join{
		Whole: whole, Separator: []byte(w.Join.Separator), Prefix: []byte(w.Join.Prefix), Suffix: []byte(w.Join.Suffix),
		Trim: w.Join.Trim, Integers: parts.Items.Type == "integer",
	}
	r.Needs[whole] = fmt.Sprintf("parts separated by %q", w.Join.Separator)
	if w.Join.Prefix != "" {
		r.Needs[whole] += fmt.Sprintf(", with the prefix %q", w.Join.Prefix)
	}
	if w.Join.Suffix != "" {
		r.Needs[whole] += fmt.Sprintf(", with the suffix %q", w.Join.Suffix)
	}
	r.Needs[whole.Other()] = fmt.Sprintf("elements that do not contain %q, and not a single empty element", w.Join.Separator)
	return true
}

// joinsPart reports a row that would join the elements of one part of a list.
func (b *builder) joinsPart(w *writtenRow) bool {
	c := b.rowAround()
	if c == nil || !c.w.hasMapping("where") {
		return false
	}
	list, part := c.w.merged, c.w.merged.Other()
	if len(w.paths[part][0]) > 0 {
		return false
	}
	such := "..."
	if len(c.tests) > 0 && len(c.tests[0].Values) == 1 {
		such = fmt.Sprintf("e%s == %s", c.tests[0].At, strings.ReplaceAll(string(c.tests[0].Values[0]), `"`, "'"))
	}
	b.problem(w, fmt.Sprintf("compute all parts with one row and cel: %s: {%s: \"self%s.filter(e, %s).map(e, e%s).join('%s')\", ...}",
		direction(part), c.part, c.at[list], such, w.paths[list][0], w.Join.Separator),
		"join: a part of %s must be an element or a list of elements, and can't be a text of several", c.at[list])
	return true
}
