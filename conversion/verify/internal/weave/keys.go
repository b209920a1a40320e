package weave

import (
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// keyAt returns the field of an element that is its key, or the object that has it.
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

// translations are rows that map a key one to one.
var translations = []struct {
	class string
	row   v1alpha1.Row
}{
	{"values", v1alpha1.Row{Values: map[string]v1alpha1.Value{"a": text("b"), "b": text("a")}}},
	{"values", v1alpha1.Row{Values: map[string]v1alpha1.Value{"Ready": text("Available"), "b": text("Ready")}}},
	{"closed values", v1alpha1.Row{Values: map[string]v1alpha1.Value{"Ready": text("Available"), "a": text("Ready"), "": text("a")}, Closed: true}},
	{"template", v1alpha1.Row{Template: "k-{a}"}},
	{"scalar", v1alpha1.Row{Scalar: &v1alpha1.Scalar{}}},
}

func text(s string) v1alpha1.Value { return v1alpha1.Value{JSON: tree.AppendString(nil, s)} }

// translateKey sometimes adds a row that maps a key of a spoke to another value, in its field or in
// the one that it was renamed to.
func (w *weaver) translateKey(in end, keys []string) {
	if !w.Chance(35) {
		return
	}
	at := len(keys) - 1
	form := translations[w.Rand.IntN(len(translations))]
	name, inside := keyAt(keys[at])
	holder, path := in.object, tree.Names(name)
	if inside != "" {
		holder, path, name = holder.props[name], path.Name(inside), inside
	}
	key := holder.props[name].clone()
	other := form.row.Scalar != nil || key.schema.Type != "string"
	if other && inside != "" {
		return // a default of the object may have it in the old type
	}
	row := v1alpha1.Row{Spoke: place(path), Hub: place(path)}
	for i, r := range *in.rows {
		if r.Spoke.Path == row.Spoke.Path {
			row = r
			*in.rows = slices.Delete(*in.rows, i, i+1)
			break
		}
	}
	if other {
		form = translations[len(translations)-1]
		key.schema.Type = map[string]string{"integer": "string", "string": "integer"}[key.schema.Type]
		if key.schema.Default != nil {
			key.schema.Default = AsDefault(map[string]*tree.Value{"integer": tree.NewNumber("7"), "string": tree.NewString("80")}[key.schema.Type])
		}
	}
	w.Seen.Count("table/each by a key that rows translate: " + form.class)
	holder.props[name] = key
	row.Values, row.Closed, row.Template, row.Scalar = form.row.Values, form.row.Closed, form.row.Template, form.row.Scalar
	if row.Template != "" {
		row.Hub = &v1alpha1.Place{Named: map[string]string{"a": row.Hub.Path}}
	}
	in.add(row)
}

// renameKey moves the first key to another field in the elements of a spoke.
func (w *weaver) renameKey(in end, each *v1alpha1.Each, to tree.Path) {
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
