package weave

import (
	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// booleanMapping maps a boolean to its opposite, to two values, or to whether something is there.
func (w *weaver) booleanMapping(sc scope) {
	text := func(s string) *v1alpha1.Value { return &v1alpha1.Value{JSON: tree.AppendString(nil, s)} }
	switch w.Rand.IntN(4) {
	case 0:
		w.mapField(sc, "table/boolean: negate", newScalar("boolean"), newScalar("boolean"), func(row *v1alpha1.Row) {
			row.Boolean = &v1alpha1.Boolean{Negate: true}
		})
	case 1:
		there := newObject()
		there.add(w.name(), w.scalar())
		w.mapField(sc, "table/boolean: presence", newScalar("boolean"), there, func(row *v1alpha1.Row) {
			row.Boolean = &v1alpha1.Boolean{Presence: v1alpha1.HubSide}
		})
	case 2:
		w.mapField(sc, "table/boolean: presence of a value", newScalar("string"), newScalar("boolean"), func(row *v1alpha1.Row) {
			row.Boolean = &v1alpha1.Boolean{Presence: v1alpha1.SpokeSide, True: text("yes")}
		})
	case 3:
		w.mapField(sc, "table/boolean: two values", newScalar("string"), newScalar("boolean"), func(row *v1alpha1.Row) {
			row.Boolean = &v1alpha1.Boolean{True: text("Enabled"), False: text("Disabled")}
		})
	}
}
