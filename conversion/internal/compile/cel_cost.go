package compile

import (
	"fmt"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// warnCost warns of an expression that may exceed the cost limit for objects that the schema
// allows. The field that it computes is absent then, and nobody notices before such an object
// exists.
func (b *builder) warnCost(w *writtenRow, title string, compiled *expression.Program, from plan.Side) {
	if !compiled.Cost.Exceeds() {
		return
	}
	remedy := "use fewer operations"
	if bounds := b.bounds(w, compiled.Cost.Bounds, from); len(bounds) > 0 {
		remedy = fmt.Sprintf("limit the size of the fields that it reads, in the %s schema: %s", b.versions[from], diagnose.Listed(bounds))
	}
	b.warning(w, remedy, "cel: %s may cost %s the limit of an evaluation (%d) for the largest objects that the %s schema allows: for such objects it has no value",
		title, compiled.Cost.Times(), expression.Limit, b.versions[from])
}

// bounds returns the keywords that a schema needs, or needs with smaller values.
func (b *builder) bounds(w *writtenRow, all []expression.Bound, from plan.Side) []string {
	var texts []string
	for _, bound := range all {
		p := bound.Path
		if !bound.Outside {
			p = b.fullPath(from, append(slices.Clone(w.prefix[from]), p...))
		}
		text := bound.Keyword + " for "
		switch {
		case bound.Stated:
			text = "a smaller " + text
		case bound.Keyword == "type":
			text = "a " + text // a bound may be needed then
		}
		if bound.Elements {
			text += "what is in "
		}
		texts = append(texts, text+path.Path(p).String())
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}
