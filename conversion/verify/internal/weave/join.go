package weave

import (
	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// joinMapping maps a string to the list of its parts.
func (w *weaver) joinMapping(sc scope) {
	join := []v1alpha1.Join{
		{Separator: ","}, {Separator: ", "}, {Separator: "::"}, {Separator: ",", Trim: true}, {Separator: "-", Prefix: "[", Suffix: "]"}, {Separator: " "},
	}[w.Rand.IntN(6)]
	list := newList(newScalar([]string{"string", "string", "integer"}[w.Rand.IntN(3)]))
	list.items.schema.Nullable = w.Chance(10)
	spoke, hub := newScalar("string"), list
	if w.Chance(50) {
		spoke, hub = hub, spoke
	}
	w.mapField(sc, "table/join", spoke, hub, func(row *v1alpha1.Row) { row.Join = join.DeepCopy() })
}
