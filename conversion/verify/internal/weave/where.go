package weave

import (
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// whereMapping maps a list to the fields of its parts, which are lists or single elements.
func (w *weaver) whereMapping(sc scope) {
	parts := w.parts()
	if w.Chance(50) {
		w.listOfHub(sc, parts)
	} else {
		w.partsOfHub(sc, parts)
	}
}

// part is a part that is being built.
type part struct {
	v1alpha1.Part
	// alone says that the part is a single element, and scalar that it is a single value.
	alone, scalar bool
	// shown says that both sides have the type, and keyed that elements have a name as their key.
	shown, keyed bool
}

func (w *weaver) parts() []part {
	str := func(texts ...string) v1alpha1.Value {
		out := tree.NewList()
		for _, t := range texts {
			out.Items = append(out.Items, tree.NewString(t))
		}
		if len(texts) == 1 {
			out = out.Items[0]
		}
		return v1alpha1.Value{JSON: out.Append(nil)}
	}
	all := []part{
		{Part: v1alpha1.Part{Place: "a", Match: map[string]v1alpha1.Value{".type": str("A")}}, alone: w.Chance(30)},
		{Part: v1alpha1.Part{Place: "b", Match: map[string]v1alpha1.Value{".type": str("B"), ".ref.kind": str("web")}}, alone: w.Chance(50), scalar: w.Chance(50)},
		{Part: v1alpha1.Part{Place: "c", Match: map[string]v1alpha1.Value{".type": str("C", "D")}}, shown: true},
		{Part: v1alpha1.Part{Place: "d", Has: []string{".ref"}}, alone: w.Chance(30), shown: w.Chance(50)},
		{Part: v1alpha1.Part{Place: "e"}, shown: w.Chance(60)},
	}
	var parts []part
	for _, p := range all {
		if w.Chance(50) || len(parts) == 0 && p.Place == "e" {
			p.scalar = p.scalar && p.alone
			p.keyed = !p.alone && w.Chance(30)
			parts = append(parts, p)
		}
	}
	return parts
}

// partedItem returns an element of a list with parts.
func (w *weaver) partedItem() *shape {
	item := newObject()
	kind := item.add("type", newScalar("string"))
	switch w.Rand.IntN(5) {
	case 0:
		kind.schema.Default = &apiextensionsv1.JSON{Raw: []byte(`"A"`)}
	case 1:
		kind.schema.Enum = []apiextensionsv1.JSON{{Raw: []byte(`"A"`)}, {Raw: []byte(`"B"`)}, {Raw: []byte(`"C"`)}, {Raw: []byte(`"D"`)}}
	case 2:
		kind.schema.Nullable = true
	}
	item.add("ref", newObject()).add("kind", newScalar("string"))
	item.add("v", newScalar("string"))
	item.add("name", newScalar("string"))
	item.schema.Nullable = w.Chance(10)
	return item
}

// partElement returns an element of a part.
func (w *weaver) partElement(p part, item *shape) *shape {
	if p.scalar {
		return item.props["v"].clone()
	}
	element := newObject()
	if p.shown {
		element.add("type", item.props["type"].clone())
	}
	if p.keyed {
		element.add("name", item.props["name"].clone())
	}
	return element
}

func (p part) holds(element *shape) *shape {
	if p.alone {
		return element
	}
	return newList(element)
}

// listOfHub puts the list into the hub, and the parts into the spokes.
func (w *weaver) listOfHub(sc scope, parts []part) {
	name, item := w.name(), w.partedItem()
	list := newList(item)
	sc.hub.add(name, list)
	list.schema.Nullable = w.Chance(15)
	inner := make([]scope, len(parts))
	var after []func()
	for i := range parts {
		inner[i] = scope{hub: item, depth: sc.depth + 1}
	}
	for _, e := range sc.ends {
		tied := e.object != nil && e.rows != nil && !w.Chance(15)
		places, rows := map[string]string{}, make([]*[]v1alpha1.Row, len(parts))
		for i, p := range parts {
			in := end{spoke: e.spoke, same: true}
			if tied {
				w.countPart("hub", p)
				element, other := w.partElement(p, item), w.name()
				e.object.add(other, p.holds(element))
				places[p.Place] = e.here.Name(other).String()
				if rows[i] = &[]v1alpha1.Row{}; !p.scalar {
					in.object, in.rows = element, rows[i]
				}
				if p.keyed {
					w.translateKey(in, []string{"name"})
				}
			}
			inner[i].ends = append(inner[i].ends, in)
		}
		if tied {
			after = append(after, func() {
				e.add(v1alpha1.Row{Spoke: &v1alpha1.Place{Named: places}, Hub: place(e.there.Name(name)), Where: w.where(parts, rows, false)})
			})
		}
	}
	w.fillParts(inner, parts)
	item.schema.Required = nil // only one part could fill it
	for _, f := range after {
		f()
	}
}

// partsOfHub puts the parts into the hub, and the list into the spokes.
func (w *weaver) partsOfHub(sc scope, parts []part) {
	names, inner := make([]string, len(parts)), make([]scope, len(parts))
	model := w.partedItem()
	for i, p := range parts {
		element := w.partElement(p, model)
		names[i] = w.name()
		sc.hub.add(names[i], p.holds(element))
		inner[i] = scope{hub: element, depth: sc.depth + 1}
	}
	var after []func()
	for _, e := range sc.ends {
		tied := e.object != nil && e.rows != nil && !w.Chance(15)
		var item *shape
		places, rows, name := map[string]string{}, make([]*[]v1alpha1.Row, len(parts)), ""
		if tied {
			item, name = model.clone(), w.name()
			e.object.add(name, newList(item)).schema.Nullable = w.Chance(15)
		}
		for i, p := range parts {
			in := end{spoke: e.spoke, same: true}
			if tied {
				w.countPart("spoke", p)
				places[p.Place] = e.there.Name(names[i]).String()
				rows[i] = &[]v1alpha1.Row{}
				in.object, in.rows = item, rows[i]
			}
			inner[i].ends = append(inner[i].ends, in)
		}
		if tied {
			after = append(after, func() {
				item.schema.Required = nil
				e.add(v1alpha1.Row{Spoke: place(e.here.Name(name)), Hub: &v1alpha1.Place{Named: places}, Where: w.where(parts, rows, true)})
			})
		}
	}
	w.fillParts(inner, parts)
	for _, f := range after {
		f()
	}
}

func (w *weaver) countPart(side string, p part) {
	w.Seen.Count("table/where of the " + side)
	switch {
	case p.scalar:
		w.Seen.Count("table/where one value")
	case p.alone:
		w.Seen.Count("table/where one element")
	case p.keyed:
		w.Seen.Count("table/where by key")
	}
}

// fillParts adds to the elements of the parts what both sides have, there or elsewhere.
func (w *weaver) fillParts(inner []scope, parts []part) {
	w.loose++
	for i, p := range parts {
		if !p.scalar {
			w.fill(inner[i], 1+w.Rand.IntN(2))
		}
	}
	w.loose--
}

// where returns the parts of a row.
func (w *weaver) where(parts []part, rows []*[]v1alpha1.Row, flip bool) []v1alpha1.Part {
	var all []v1alpha1.Part
	for i, p := range parts {
		made := *p.Part.DeepCopy()
		made.Rows = *rows[i]
		if p.keyed {
			made.Key, made.Unique = v1alpha1.Names{"name"}, true
		}
		if p.scalar {
			itself, inside := place(nil), place(tree.Names("v"))
			if flip {
				itself, inside = inside, itself
			}
			made.Rows = []v1alpha1.Row{{Spoke: itself, Hub: inside}}
		}
		all = append(all, made)
	}
	return all
}

// entriesMapping maps values of several types to a list of names and values.
func (w *weaver) entriesMapping(sc scope) {
	item := newObject()
	item.add("name", newScalar("string"))
	item.add("value", newScalar("string"))
	item.add("p", w.leaf())
	kinds := map[string]string{"A": "string", "B": "integer", "web": "boolean"}
	fields := func(into *shape, at tree.Path) *v1alpha1.Place {
		named := map[string]string{}
		for _, entry := range []string{"A", "B", "web"} {
			name := w.name()
			into.add(name, newScalar(kinds[entry]))
			named[entry] = at.Name(name).String()
		}
		return &v1alpha1.Place{Named: named}
	}
	flip, name := w.Chance(50), w.name()
	var named *v1alpha1.Place
	if flip {
		named = fields(sc.hub, nil)
	} else {
		sc.hub.add(name, newList(item))
	}
	for _, e := range sc.ends {
		if e.object == nil || e.rows == nil || w.Chance(15) {
			continue
		}
		w.Seen.Count("table/entries")
		row := v1alpha1.Row{Entries: &v1alpha1.Entries{Name: "name", Value: "value"}}
		if flip {
			own := w.name()
			e.object.add(own, newList(item.clone()))
			row.Spoke, row.Hub = place(e.here.Name(own)), &v1alpha1.Place{Named: map[string]string{}}
			for entry, text := range named.Named {
				inner, _ := places.Parse(text)
				row.Hub.Named[entry] = append(e.there[:len(e.there):len(e.there)], inner...).String()
			}
		} else {
			row.Spoke, row.Hub = fields(e.object, e.here), place(e.there.Name(name))
		}
		e.add(row)
	}
}
