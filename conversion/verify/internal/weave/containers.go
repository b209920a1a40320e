package weave

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/utils/ptr"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// open adds an object that keeps unknown fields, in some versions or in all.
func (w *weaver) open(sc scope) {
	name, known := w.name(), w.name()
	make := func(open bool) *shape {
		s := newObject()
		s.add(known, newScalar("string"))
		if open {
			s.schema.XPreserveUnknownFields = ptr.To(true)
		}
		return s
	}
	open := w.Chance(70)
	sc.hub.add(name, make(open))
	for _, e := range sc.ends {
		if e.object == nil || !e.same {
			continue
		}
		mine := w.Chance(60)
		if mine == open {
			w.Seen.Count("table/open alike")
		} else {
			w.Seen.Count("table/open in one version")
		}
		e.object.add(name, make(mine))
	}
}

// nestedObject adds an object of the hub.
func (w *weaver) nestedObject(sc scope) {
	name, object := w.name(), newObject()
	sc.hub.add(name, object)
	object.schema.Nullable = w.Chance(12)
	if w.Chance(10) {
		w.Seen.Count("table/object default")
		object.schema.Default = &apiextensionsv1.JSON{Raw: []byte("{}")}
	}
	inner := scope{hub: object, depth: sc.depth + 1}
	for _, e := range sc.ends {
		in := end{spoke: e.spoke, there: e.there.Name(name), rows: e.rows}
		n := w.Rand.IntN(10)
		switch {
		case e.object == nil || n == 0:
		case e.same && n < 6:
			w.Seen.Count("table/object shared")
			in.object = e.object.add(name, newObject())
			in.object.schema.Nullable = w.Chance(12)
			in.here, in.same = e.here.Name(name), true
		case e.rows == nil:
		case n < 8:
			w.Seen.Count("table/object moved")
			other := w.name()
			in.object, in.here = e.object.add(other, newObject()), e.here.Name(other)
		default:
			w.Seen.Count("table/object hoisted")
			in.object, in.here = e.object, e.here
		}
		inner.ends = append(inner.ends, in)
	}
	w.fill(inner, 1+w.Rand.IntN(3))
	if object.schema.Default != nil && (len(object.schema.Required) > 0 || w.Chance(50)) {
		w.objectDefault(object)
	}
	for i, e := range sc.ends {
		if in := inner.ends[i].object; in != nil && in != e.object && w.Chance(8) {
			w.objectDefault(in)
		}
	}
}

// objectDefault gives an object a default with some of its members, including those that it
// requires.
func (w *weaver) objectDefault(object *shape) {
	v := tree.NewObject()
	for _, name := range slices.Sorted(maps.Keys(object.props)) {
		member := object.props[name]
		required := slices.Contains(object.schema.Required, name)
		holds := member.schema.Type == "object" || member.schema.Type == "array"
		switch {
		case member.schema.Type != "" && !member.hasSecret() && (required && !holds || w.Chance(50)):
			if holds {
				w.Seen.Count("table/object default with objects and lists")
			}
			v.Set(name, w.sample(member))
		case required:
			object.schema.Default = nil
			return
		}
	}
	if len(v.Members) > 0 {
		w.Seen.Count("table/object default with members")
	}
	object.schema.Default = AsDefault(v)
}

// mapOf adds a map of objects by name.
func (w *weaver) mapOf(sc scope) {
	name, item := w.name(), newObject()
	item.schema.Nullable = w.Chance(10)
	sc.hub.add(name, newMap(item))
	inner := scope{hub: item, depth: sc.depth + 1}
	var after []func()
	for _, e := range sc.ends {
		in := end{spoke: e.spoke, object: newObject(), same: true}
		n := w.Rand.IntN(10)
		switch {
		case e.object == nil || n == 0:
			in.object = nil
		case e.same && (e.rows == nil || n < 5):
			w.Seen.Count("table/map shared")
			e.object.add(name, newMap(in.object))
		case e.rows == nil:
			in.object = nil
		default:
			w.Seen.Count("table/map each")
			other := w.name()
			e.object.add(other, newMap(in.object))
			in.rows = &[]v1alpha1.Row{}
			after = append(after, func() {
				e.add(v1alpha1.Row{Spoke: place(e.here.Name(other)), Hub: place(e.there.Name(name)), Each: &v1alpha1.Each{Rows: *in.rows}})
			})
		}
		inner.ends = append(inner.ends, in)
	}
	w.fill(inner, 1+w.Rand.IntN(3))
	for _, f := range after {
		f()
	}
}
