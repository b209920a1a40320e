package compile

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

func (b *builder) checkSingleMapping(w *writtenRow) {
	if l := w.Single.Longer; l != "" && !slices.Contains(v1alpha1.Longers(), l) {
		b.problem(w, "use first or none", "single: longer is %q, but must be first or none", l)
	}
}

// singleRow maps a single element to the list of which it is the first.
func (b *builder) singleRow(w *writtenRow, r *plan.Row) bool {
	types := w.pair()
	if b.leadsInto(w) {
		return false
	}
	alone := plan.Spoke
	if types[plan.Spoke].Type == "array" {
		alone = plan.Hub
	}
	list := alone.Other()
	if types[list].Type != "array" || types[alone].Type == "array" {
		b.problem(w, "name a list on one side only", "single maps a field to a list whose only element it is: %s is of type %s, %s is of type %s",
			w.paths[plan.Spoke][0], types[plan.Spoke].Describe(), w.paths[plan.Hub][0], types[plan.Hub].Describe())
		return false
	}
	c := &collection{lists: b.innerLists(w), table: w.Single.Table, at: w.firstPaths(), w: w}
	c.forms[alone], c.forms[list] = plan.One, plan.List
	c.elements[alone], c.elements[list] = withoutDefault(types[alone]), types[list].Items
	if c.elements[list] == nil {
		c.elements[list] = schema.Any()
	}
	if !schema.Fit(c.elements[plan.Spoke], c.elements[plan.Hub]) && !namesItself(c.lists) {
		row, fields := wholeRow(c.elements)
		if row == "" {
			row = "{spoke: ., hub: ., ...}"
		}
		b.problem(w, "add rows that convert one into the other, for example single: {rows: ["+row+"]}"+alsoFit(fields),
			"single: %s is of type %s, but the elements of %s are of type %s", w.paths[alone][0], types[alone].Describe(), w.paths[list][0], c.elements[list].Describe())
		return false
	}
	b.collect(r, c)
	r.NeedsElement = "only one element"
	if w.Single.Longer == v1alpha1.LongerNone {
		r.OnlyOne = true
		r.Needs[list] = "a list with one element"
	}
	return true
}
