package weave

import (
	"maps"
	"reflect"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// list adds a list of objects, which are identified by key or by content.
func (w *weaver) list(sc scope) {
	name, item := w.name(), newObject()
	var keys []string
	if w.Chance(65) {
		keys = []string{"name"}
		item.add("name", newScalar("string"))
		if w.Chance(25) {
			w.Seen.Count("table/list with two keys")
			keys = append(keys, "port")
			item.add("port", newScalar("integer"))
		}
	}
	hub := newList(item)
	promised := len(keys) > 0 && w.Chance(75)
	if len(keys) > 0 && !promised && w.Chance(50) {
		w.furtherIn(item, keys)
	}
	if promised {
		hub = newList(item, keys...)
		item.schema.Required = slices.Clone(keys)
		if len(keys) == 2 && w.Chance(40) {
			w.Seen.Count("table/list key with a default")
			item.schema.Required = keys[:1]
			item.props["port"].schema.Default = AsDefault(tree.NewNumber("80"))
		}
	}
	hub.schema.Nullable = w.Chance(10)
	if !promised && w.Chance(12) {
		w.Seen.Count("table/list of nullable elements")
		item.schema.Nullable = true
	}
	sc.hub.add(name, hub)

	inner := scope{hub: item, depth: sc.depth + 1}
	var after []func()
	shared, onlyShared := []*shape{hub}, true
	for _, e := range sc.ends {
		in := end{spoke: e.spoke, same: true}
		n := w.Rand.IntN(10)
		switch {
		case e.object == nil || n == 0:
		case e.same && (e.rows == nil || n < 4):
			w.Seen.Count("table/list shared")
			in.object = w.element(item, keys)
			other := newList(in.object)
			other.schema.XListType, other.schema.XListMapKeys = hub.schema.XListType, hub.schema.XListMapKeys
			other.schema.Nullable = w.Chance(10)
			e.object.add(name, other)
			shared = append(shared, other)
		case e.rows == nil:
		default:
			onlyShared = false
			in.object = w.element(item, keys)
			in.rows = &[]v1alpha1.Row{}
			each := w.each(in, keys, promised)
			other := newList(in.object)
			if promised {
				mine := each.Key
				if mine == nil {
					mine = v1alpha1.Names(keys)
				}
				other = newList(in.object, mine...)
			}
			at := e.here.Name(name)
			if !e.same || w.Chance(60) {
				at = e.here.Name(w.name())
			}
			e.object.add(at[len(at)-1].Name, other)
			after = append(after, func() {
				each.Rows = *in.rows
				e.add(v1alpha1.Row{Spoke: place(at), Hub: place(e.there.Name(name)), Each: each})
			})
		}
		inner.ends = append(inner.ends, in)
	}
	w.fill(inner, 1+w.Rand.IntN(3))
	for _, f := range after {
		f()
	}
	if onlyShared && len(shared) > 1 && w.names%3 == 0 {
		w.listDefault(shared)
	}
}

// listDefault gives lists that are the same in several versions the same default: an element with
// the texts that all of them have.
func (w *weaver) listDefault(lists []*shape) {
	element := tree.NewObject()
	item := lists[0].items
	for _, name := range slices.Sorted(maps.Keys(item.props)) {
		isText := func(list *shape) bool {
			member := list.items.props[name]
			return member != nil && reflect.DeepEqual(member.schema, newScalar("string").schema)
		}
		if !slices.ContainsFunc(lists, func(list *shape) bool { return !isText(list) }) {
			element.Set(name, tree.NewString("a"))
		}
	}
	for _, list := range lists {
		if slices.ContainsFunc(list.items.schema.Required, func(name string) bool { return element.Get(name) == nil }) {
			return
		}
	}
	w.Seen.Count("table/list with a default")
	value := tree.NewList(element)
	for _, list := range lists {
		list.schema.Default = AsDefault(value)
	}
}

// element returns the element of a spoke's list, with its keys.
func (w *weaver) element(hub *shape, keys []string) *shape {
	out := newObject()
	for _, key := range keys {
		name, _ := keyAt(key)
		out.add(name, hub.props[name].clone())
	}
	out.schema.Required = slices.Clone(hub.schema.Required)
	out.schema.Nullable = hub.schema.Nullable
	return out
}

// each returns how elements are identified. It may rename the first key.
func (w *weaver) each(in end, keys []string, promised bool) *v1alpha1.Each {
	each := &v1alpha1.Each{}
	switch {
	case len(keys) == 0:
		w.Seen.Count("table/each by content")
		return each
	case promised && w.Chance(50):
		w.Seen.Count("table/each by the schema's key")
		w.translateKey(in, keys)
		return each
	case !promised && w.Chance(40):
		w.Seen.Count("table/each by content")
		return each
	}
	each.Key = v1alpha1.Names(slices.Clone(keys))
	each.Unique = !promised
	w.Seen.Count("table/each by key")
	if _, inside := keyAt(keys[0]); inside != "" {
		w.Seen.Count("table/each by a key further in")
	}
	switch n := w.Rand.IntN(10); {
	case n < 4:
		w.Seen.Count("table/each by a renamed key")
		w.renameKey(in, each, tree.Names("id"))
	case n < 6 && !promised:
		w.Seen.Count("table/each by a key at another depth")
		w.renameKey(in, each, tree.Names("about", "name"))
	}
	w.translateKey(in, each.Key)
	return each
}
