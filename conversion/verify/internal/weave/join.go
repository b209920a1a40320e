package weave

import (
	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// joinMapping ties a string to the list of its parts.
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
	w.tie(sc, "table/join", spoke, hub, func(row *v1alpha1.Row) { row.Join = join.DeepCopy() })
}

func joinHints(r v1alpha1.Row) []*tree.Value {
	if r.Join == nil {
		return nil
	}
	j := r.Join
	var out []*tree.Value
	for _, inside := range []string{"", "a", "a" + j.Separator + "b", "1" + j.Separator + "02", j.Separator, "a" + j.Separator + j.Separator[:1] + "b", " a " + j.Separator + " b", "a" + j.Separator + " "} {
		out = append(out, tree.NewString(j.Prefix+inside+j.Suffix))
	}
	return append(out, tree.NewString("a"+j.Separator[:1]))
}
