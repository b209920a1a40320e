package weave

import (
	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// keyedMapping maps a list to a map by a key.
func (w *weaver) keyedMapping(sc scope) {
	flip := w.Chance(50)
	if w.Chance(40) {
		w.keyedValues(sc, flip)
		return
	}
	list, dict := w.keyedList, func(s *shape) *shape { return newMap(s) }
	h := collection{class: "table/keyed", hub: list, spoke: dict, row: func(row *v1alpha1.Row, rows []v1alpha1.Row) {
		row.Keyed = &v1alpha1.Keyed{Key: "name", Doubled: w.doubledMode(), Rows: rows}
	}}
	own, nullable := w.Chance(15), w.Chance(10)
	key, kinds := "name", map[string]string{"name": "string"}
	switch n := w.Rand.IntN(100); {
	case n < 25:
		w.Seen.Count("table/keyed by an integer")
		kinds["name"] = "integer"
	case n < 55:
		w.Seen.Count("table/keyed by a template")
		form := keyTemplates[w.Rand.IntN(len(keyTemplates))]
		key, kinds, h.hub = form.text, form.kinds, listOf
		h.row = func(row *v1alpha1.Row, rows []v1alpha1.Row) {
			row.Keyed = &v1alpha1.Keyed{Key: key, Doubled: w.doubledMode(), Rows: rows}
		}
	}
	h.prepare = func(hub, spoke *shape) {
		if flip {
			hub, spoke = spoke, hub
		}
		for _, name := range places.KeyFields(key) {
			hub.add(name, newScalar(kinds[name]))
		}
		if own {
			spoke.add("name", newScalar("string"))
		}
		spoke.schema.Nullable = nullable
	}
	if flip {
		h.hub, h.spoke = h.spoke, h.hub
	}
	w.hold(sc, h)
}

// keyTemplates make the name in a map of fields of the list's elements.
var keyTemplates = []struct {
	text  string
	kinds map[string]string
}{
	{"{part}/{name}", map[string]string{"part": "string", "name": "string"}},
	{"[{part}/]{name}", map[string]string{"part": "string", "name": "string"}},
	{"{name}[.{part}]", map[string]string{"part": "string", "name": "string"}},
	{"{name}~{part}", map[string]string{"part": "integer", "name": "string"}},
	{"${name}", map[string]string{"name": "string"}},
}

// keyedList returns a list that may require unique keys.
func (w *weaver) keyedList(s *shape) *shape {
	if w.Chance(40) {
		s.schema.Required = []string{"name"}
		return newList(s, "name")
	}
	s.schema.Nullable = w.Chance(10)
	return newList(s)
}

// keyedValues maps a list of names and values to a map of single values, or to an object of fields.
func (w *weaver) keyedValues(sc scope, flip bool) {
	value, item := newScalar([]string{"string", "integer", "boolean"}[w.Rand.IntN(3)]), newObject()
	item.add("name", newScalar("string"))
	item.add("value", value.clone()).schema.Nullable = w.Chance(15)
	item.add("p", w.leaf())
	class, dict := "table/keyed values", newMap(value)
	if w.Chance(40) {
		class, dict = "table/keyed fields", newObject()
		for _, name := range []string{"a", "b", "web"} {
			dict.add(name, value.clone())
		}
	} else {
		value.schema.Nullable = w.Chance(15)
	}
	key, list := "name", w.keyedList(item)
	if w.Chance(25) {
		w.Seen.Count("table/keyed values by a template")
		item.add("part", newScalar("string"))
		key, list = keyTemplates[w.Rand.IntN(3)].text, newList(item)
	}
	keyed := v1alpha1.Keyed{Key: key, Value: "value"}
	inner := v1alpha1.Row{Spoke: place(nil), Hub: place(tree.Names("value"))}
	spoke, hub := dict, list
	if flip {
		spoke, hub, inner.Spoke, inner.Hub = hub, spoke, inner.Hub, inner.Spoke
	}
	if w.Chance(25) {
		w.Seen.Count("table/keyed values by a row")
		item.props["value"].schema.Type = "string"
		if inner.Scalar = (&v1alpha1.Scalar{}); value.schema.Type == "string" {
			text := func(s string) v1alpha1.Value { return v1alpha1.Value{JSON: tree.AppendString(nil, s)} }
			inner.Scalar, inner.Values, inner.Closed = nil, map[string]v1alpha1.Value{"a": text("X"), "b": text("a")}, w.Chance(50)
		}
		keyed = v1alpha1.Keyed{Key: key, Rows: []v1alpha1.Row{inner}}
	}
	w.mapWithoutDefaults(sc, class, spoke, hub, func(row *v1alpha1.Row) {
		row.Keyed = keyed.DeepCopy()
		row.Keyed.Doubled = w.doubledMode()
	})
}

// doubledMode returns which of several elements with one key a map has, if the row defines it.
func (w *weaver) doubledMode() v1alpha1.Doubled {
	if w.Chance(60) {
		return ""
	}
	doubled := v1alpha1.Doubleds()[w.Rand.IntN(2)]
	w.Seen.Count("table/keyed: " + string(doubled))
	return doubled
}
