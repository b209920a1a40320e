package weave

import (
	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// wrapMapping maps single values to objects that have them and other fields.
func (w *weaver) wrapMapping(sc scope) {
	form := listOf
	if w.Chance(30) {
		form = func(s *shape) *shape { return newMap(s) }
	}
	scalar, object := newScalar([]string{"string", "string", "integer"}[w.Rand.IntN(3)]), newObject()
	object.add("v", scalar.clone()).schema.Nullable = w.Chance(15)
	object.add("p", w.leaf())
	scalar.schema.Nullable = w.Chance(15)
	if w.Chance(30) {
		object.schema.Required = []string{"v"}
	}
	object.schema.Nullable = w.Chance(10)
	class, row := "table/wrap", func(row *v1alpha1.Row) { row.Wrap = "v" }
	spoke, hub := form(scalar), form(object)
	flip := w.Chance(50)
	if flip {
		spoke, hub = hub, spoke
	}
	if w.Chance(35) {
		// The same with another mapping on the way.
		class = "table/each whole element"
		object.props["v"] = newScalar("string")
		inner := v1alpha1.Row{Spoke: place(nil), Hub: place(tree.Names("v"))}
		if flip {
			inner.Spoke, inner.Hub = inner.Hub, inner.Spoke
		}
		if scalar.schema.Type == "string" && w.Chance(50) {
			class = "table/each whole element by a template"
			object.add("w", newScalar([]string{"string", "integer"}[w.Rand.IntN(2)]))
			parts := &v1alpha1.Place{Named: map[string]string{"v": ".v", "w": ".w"}}
			if inner.Template = "{v}[:{w}]"; w.Chance(50) {
				inner.Template = "[{v}/]{w}"
			}
			if inner.Hub = parts; flip {
				inner.Spoke, inner.Hub = parts, place(nil)
			}
		} else if scalar.schema.Type == "integer" {
			inner.Scalar = &v1alpha1.Scalar{}
		} else {
			text := func(s string) v1alpha1.Value { return v1alpha1.Value{JSON: tree.AppendString(nil, s)} }
			inner.Values, inner.Closed = map[string]v1alpha1.Value{"a": text("X"), "b": text("a")}, w.Chance(50)
		}
		row = func(row *v1alpha1.Row) { row.Each = &v1alpha1.Each{Rows: []v1alpha1.Row{inner}} }
	}
	w.mapWithoutDefaults(sc, class, spoke, hub, row)
}
