package weave

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// funcMapping maps two texts by a Go function, if the compiler has it.
func (w *weaver) funcMapping(sc scope) {
	if !w.functions {
		w.single(sc, w.leaf())
		return
	}
	names := slices.Sorted(maps.Keys(Functions()))
	name := names[w.Rand.IntN(len(names))]
	spoke, hub := w.celShape("string"), w.celShape("string")
	w.mapWithoutDefaults(sc, "table/func", spoke, hub, func(row *v1alpha1.Row) { row.Func = name })
}
