package weave

import (
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// keyAt is the field of an element that is its key, or the object that holds it.
func keyAt(key string) (name, inside string) {
	name, inside, nested := strings.Cut(strings.TrimPrefix(key, "."), ".")
	if !nested {
		return name, ""
	}
	return name, inside
}

// furtherIn moves the first key of an element into an object of its own.
func (w *weaver) furtherIn(item *shape, keys []string) {
	about := newObject()
	about.add(keys[0], item.props[keys[0]])
	about.schema.Nullable = w.Chance(15)
	if w.Chance(20) {
		w.Seen.Count("table/list key in an object with a default")
		w.objectDefault(about)
	} else if w.Chance(20) {
		about.props[keys[0]].schema.Default = AsDefault(tree.NewString("a"))
	}
	delete(item.props, keys[0])
	item.add("meta", about)
	keys[0] = ".meta." + keys[0]
}

// renamed gives the first key another place in the elements of a spoke.
func (w *weaver) renamed(in end, each *v1alpha1.Each, to tree.Path) {
	there := each.Key[0]
	name, inside := keyAt(there)
	key := in.object.props[name]
	delete(in.object.props, name)
	from := tree.Names(name)
	if inside != "" {
		key, from = key.props[inside], from.Name(inside)
	}
	if len(to) == 1 {
		in.object.add(to[0].Name, key)
		each.Key[0] = to[0].Name
	} else {
		about := in.object.add(to[0].Name, newObject())
		about.schema.Nullable = w.Chance(15)
		about.add(to[1].Name, key)
		each.Key[0] = to.String()
	}
	for i, required := range in.object.schema.Required {
		if required == name {
			in.object.schema.Required = slices.Clone(in.object.schema.Required)
			in.object.schema.Required[i] = to[0].Name
		}
	}
	in.add(v1alpha1.Row{Spoke: place(to), Hub: place(from)})
}
