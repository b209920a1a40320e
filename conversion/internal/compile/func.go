package compile

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/mapping"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/internal/edits"
)

func (b *builder) checkFunc(w *writtenRow) {
	if w.Default != nil {
		b.problem(w, "remove default", "func: the row has a default, but the function itself must handle absent fields")
	}
}

func (b *builder) funcRow(w *writtenRow, r *plan.Row) bool {
	if b.leadsInto(w) {
		return false
	}
	f, known := b.functions[w.Func]
	if !known {
		names := slices.Sorted(maps.Keys(b.functions))
		has, remedy := "has no functions", "use a build of crosswalk that registers it; docs/go.md shows how to make one"
		if len(names) > 0 {
			has, remedy = "has "+diagnose.Listed(names), "use one of these, or a build of crosswalk that registers it; see docs/go.md"
		}
		for _, name := range names {
			if edits.Distance(w.Func, name) <= max(1, len(name)/3) {
				remedy = "did you mean " + name + "?"
			}
		}
		b.problem(w, remedy, "func: this program does not have the Go function %s; it %s", w.Func, has)
		return false
	}
	r.Kind, r.Computer = plan.Compute, &mapping.Func{Function: f, Names: w.names, Schemas: w.schemas}
	for side := range r.Needs {
		r.Needs[side] = "a value that the function " + w.Func + " can convert"
	}
	b.checkSecrets(w, r.Reads)
	return true
}
