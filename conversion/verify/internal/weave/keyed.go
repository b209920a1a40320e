package weave

import (
	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// keyedMapping ties a list to a map by a key.
func (w *weaver) keyedMapping(sc scope) {
	flip := w.Chance(50)
	if w.Chance(40) {
		w.keyedValues(sc, flip)
		return
	}
	list, dict := w.keyedList, func(s *shape) *shape { return newMap(s) }
	h := held{class: "table/keyed", hub: list, spoke: dict, row: func(row *v1alpha1.Row, rows []v1alpha1.Row) {
		row.Keyed = &v1alpha1.Keyed{Key: "name", Doubled: w.doubled(), Rows: rows}
	}}
	own, nullable := w.Chance(15), w.Chance(10)
	key := "string"
	if w.Chance(25) {
		w.Seen.Count("table/keyed by an integer")
		key = "integer"
	}
	h.prepare = func(hub, spoke *shape) {
		if flip {
			hub, spoke = spoke, hub
		}
		hub.add("name", newScalar(key))
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

// keyedList is a list that may promise that its keys are unique.
func (w *weaver) keyedList(s *shape) *shape {
	if w.Chance(40) {
		s.schema.Required = []string{"name"}
		return newList(s, "name")
	}
	s.schema.Nullable = w.Chance(10)
	return newList(s)
}

// keyedValues ties a list of names and values to a map of single values, or to
// an object of fields.
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
	spoke, hub := dict, w.keyedList(item)
	if flip {
		spoke, hub = hub, spoke
	}
	w.hosted(sc, class, spoke, hub, func(row *v1alpha1.Row) {
		row.Keyed = &v1alpha1.Keyed{Key: "name", Value: "value", Doubled: w.doubled()}
	})
}

// doubled says at times which of the elements with one key a map shows.
func (w *weaver) doubled() v1alpha1.Doubled {
	if w.Chance(60) {
		return ""
	}
	doubled := v1alpha1.Doubleds()[w.Rand.IntN(2)]
	w.Seen.Count("table/keyed: " + string(doubled))
	return doubled
}
