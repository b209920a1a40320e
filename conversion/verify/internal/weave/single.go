package weave

import "github.com/crosswalk-dev/crosswalk/api/v1alpha1"

// collection is a collection that is being built: the same elements, which the hub holds in one way and
// each spoke in another.
type collection struct {
	class string
	// hub and spoke return the shape that holds elements of a shape.
	hub, spoke func(element *shape) *shape
	// prepare adds what both elements, or one of them, must have.
	prepare func(hub, spoke *shape)
	row     func(row *v1alpha1.Row, rows []v1alpha1.Row)
}

// hold adds a collection of objects whose fields are concepts.
func (w *weaver) hold(sc scope, h collection) {
	name, item := w.name(), newObject()
	holder := h.hub(item)
	sc.hub.add(name, holder)
	inner := scope{hub: item, depth: sc.depth + 1}
	var after []func()
	prepared := false
	for _, e := range sc.ends {
		in := end{spoke: e.spoke, same: true}
		if e.object != nil && e.rows != nil && !w.Chance(15) {
			w.Seen.Count(h.class)
			in.object, in.rows = newObject(), &[]v1alpha1.Row{}
			other := w.name()
			mine := h.spoke(in.object)
			e.object.add(other, mine)
			h.prepare(item, in.object)
			prepared = true
			after = append(after, func() {
				row := v1alpha1.Row{Spoke: place(e.here.Name(other)), Hub: place(e.there.Name(name))}
				h.row(&row, *in.rows)
				e.add(row)
			})
		}
		inner.ends = append(inner.ends, in)
	}
	if !prepared {
		h.prepare(item, newObject())
	}
	w.loose++
	w.fill(inner, 1+w.Rand.IntN(3))
	w.loose--
	for _, f := range after {
		f()
	}
}

func alone(s *shape) *shape { return s }

func listOf(s *shape) *shape { return newList(s) }

// singleMapping maps a single element to a list of it.
func (w *weaver) singleMapping(sc scope) {
	spoke, hub := alone, listOf
	if w.Chance(50) {
		spoke, hub = hub, spoke
	}
	var longer v1alpha1.Longer
	if w.Chance(40) {
		longer = v1alpha1.Longers()[w.Rand.IntN(2)]
		w.Seen.Count("table/single: " + string(longer))
	}
	if w.Chance(35) {
		one := w.scalar()
		if one.schema.Type == "" {
			one = newScalar("string")
		}
		other := one.clone()
		other.schema.Nullable = w.Chance(20)
		w.mapWithoutDefaults(sc, "table/single scalar", spoke(one), hub(other), func(row *v1alpha1.Row) { row.Single = &v1alpha1.Single{Longer: longer} })
		return
	}
	nullable := w.Chance(15)
	w.hold(sc, collection{
		class: "table/single", hub: hub, spoke: spoke,
		prepare: func(hub, spoke *shape) { hub.schema.Nullable, spoke.schema.Nullable = nullable, w.Chance(15) },
		row: func(row *v1alpha1.Row, rows []v1alpha1.Row) {
			row.Single = &v1alpha1.Single{Longer: longer, Rows: rows}
		},
	})
}

// mapWithoutDefaults is tie without defaults.
func (w *weaver) mapWithoutDefaults(sc scope, class string, spoke, hub *shape, mapping func(*v1alpha1.Row)) {
	name := w.name()
	sc.hub.add(name, hub)
	for _, e := range sc.ends {
		if e.object == nil || e.rows == nil || w.Chance(15) {
			continue
		}
		w.Seen.Count(class)
		other := w.name()
		e.object.add(other, spoke.clone())
		row := v1alpha1.Row{Spoke: place(e.here.Name(other)), Hub: place(e.there.Name(name))}
		mapping(&row)
		e.add(row)
	}
}
