package verify

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"k8s.io/utils/ptr"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// fill adds concepts to a scope.
func (w *weaver) fill(sc scope, count int) {
	for range count {
		switch n := w.Rand.IntN(22); {
		case n < 6:
			w.single(sc, w.leaf())
		case n >= 20:
			plain := newScalar("string")
			plain.schema.Nullable = w.chance(12)
			w.single(sc, plain)
		case n < 9:
			w.private(sc)
		case n < 11:
			w.template(sc)
		case n == 11 && w.chance(60):
			w.swap(sc)
		case n == 11:
			w.typed(sc)
		case n == 12 && w.chance(50):
			w.demanded(sc)
		case n == 12:
			w.open(sc)
		case sc.depth >= 3:
			w.single(sc, w.leaf())
		case n < 15:
			w.nested(sc)
		case n < 19:
			w.list(sc)
		default:
			w.mapOf(sc)
		}
	}
}

// single is one value of the hub.
func (w *weaver) single(sc scope, leaf *shape) {
	name := w.name()
	sc.hub.add(name, leaf)
	if leaf.schema.Type != "" && leaf.items == nil && leaf.props == nil && leaf.values == nil && w.chance(25) {
		w.Seen.Count("table/hub default")
		leaf.schema.Default = asDefault(w.sample(leaf))
	}
	for _, e := range sc.ends {
		if e.object == nil {
			continue
		}
		there := e.there.Name(name)
		switch n := w.Rand.IntN(13); {
		case e.same && n < 4:
			w.Seen.Count("table/shared")
			w.loosen(e.object.add(name, leaf.clone()), leaf)
		case e.rows == nil || n == 4:
			w.Seen.Count("table/private to the hub")
		case n == 5:
			w.oneSided(e, nil, place(there), leaf)
		case n == 10 && leaf.schema.Type == "string" && leaf.schema.Default == nil && sc.depth == 0:
			w.annotate(e, there)
		case n >= 6 && n < 8 && leaf.schema.Type == "string" && leaf.schema.Default == nil && leaf.schema.Enum == nil && leaf.schema.Pattern == "" && leaf.schema.Format == "" && leaf.schema.MaxLength == nil:
			w.values(e, there, leaf)
		case n == 8 && sc.depth == 0 && e.spoke.root.props["status"] != nil && e.here[0].Name == "spec":
			w.Seen.Count("table/crosses to status")
			w.move(e, e.spoke.root.props["status"], tree.Names("status"), there, leaf, true)
		case n == 9:
			w.Seen.Count("table/nested deeper")
			group := w.name()
			w.move(e, e.object.add(group, newObject()), e.here.Name(group), there, leaf, false)
		default:
			w.Seen.Count("table/renamed")
			w.move(e, e.object, e.here, there, leaf, false)
		}
	}
}

// move ties a value to another place of the spoke.
func (w *weaver) move(e end, into *shape, at tree.Path, there tree.Path, leaf *shape, crosses bool) {
	name := w.name()
	other := into.add(name, leaf.clone())
	other.schema.Default = nil
	row := v1alpha1.Row{Spoke: place(at.Name(name)), Hub: place(there), Crosses: crosses}
	scalar := leaf.schema.Type != "" && leaf.items == nil && leaf.props == nil && leaf.values == nil
	if scalar {
		w.explain(&row, other, leaf)
	}
	e.add(row)
}

// explain gives a row defaults: those that the schemas make necessary, and more.
func (w *weaver) explain(row *v1alpha1.Row, spoke, hub *shape) {
	if w.chance(25) {
		w.Seen.Count("table/spoke default")
		spoke.schema.Default = asDefault(w.sample(spoke))
	}
	if w.chance(15) && hub.schema.Default != nil {
		w.Seen.Count("table/equal defaults")
		spoke.schema.Default = hub.schema.Default.DeepCopy()
	}
	d := v1alpha1.Default{}
	if spoke.schema.Default == nil && (hub.schema.Default != nil || w.chance(15)) {
		w.Seen.Count("table/row default spoke")
		d.Spoke = value(w.sample(spoke))
		if hub.schema.Default != nil && w.chance(60) {
			d.Spoke = &v1alpha1.Value{JSON: hub.schema.Default.Raw}
		}
	}
	if hub.schema.Default == nil && (spoke.schema.Default != nil || w.chance(15)) {
		w.Seen.Count("table/row default hub")
		d.Hub = value(w.sample(hub))
		if spoke.schema.Default != nil && w.chance(60) {
			d.Hub = &v1alpha1.Value{JSON: spoke.schema.Default.Raw}
		}
	}
	if d.Spoke != nil || d.Hub != nil {
		row.Default = &d
	}
}

// loosen makes a shared place differ a little between the versions.
func (w *weaver) loosen(spoke, hub *shape) {
	if w.chance(20) {
		w.Seen.Count("table/nullable differs")
		spoke.schema.Nullable = !hub.schema.Nullable
	}
	if spoke.items != nil || spoke.props != nil || spoke.values != nil || spoke.schema.Type == "" {
		return
	}
	switch w.Rand.IntN(8) {
	case 0:
		w.Seen.Count("table/shared, default of one")
		spoke.schema.Default = nil
		if hub.schema.Default == nil {
			spoke.schema.Default = asDefault(w.sample(spoke))
		}
	case 1:
		w.Seen.Count("table/shared, two defaults")
		spoke.schema.Default = asDefault(w.sample(spoke))
	}
}

// oneSided gives a place that only one version has a constant, or drops it.
func (w *weaver) oneSided(e end, spoke, hub *v1alpha1.Place, leaf *shape) {
	row := v1alpha1.Row{Spoke: spoke, Hub: hub}
	switch n := w.Rand.IntN(4); {
	case n == 0:
		w.Seen.Count("table/sensitive")
		row.Drop, row.Sensitive = "a secret", true
	case n == 1 || leaf.schema.Default != nil:
		w.Seen.Count("table/drop")
		row.Drop = "no longer needed"
	default:
		w.Seen.Count("table/constant")
		row.Constant = value(w.sample(leaf))
	}
	e.add(row)
}

// private gives one spoke a value that no other version has.
func (w *weaver) private(sc scope) {
	e := sc.ends[w.Rand.IntN(len(sc.ends))]
	if e.object == nil {
		return
	}
	w.Seen.Count("table/private to a spoke")
	name, leaf := w.name(), w.leaf()
	e.object.add(name, leaf)
	if w.chance(20) && leaf.schema.Type != "" && leaf.items == nil && leaf.props == nil && leaf.values == nil {
		leaf.schema.Default = asDefault(w.sample(leaf))
	}
	if e.rows != nil && w.chance(20) {
		w.oneSided(e, place(e.here.Name(name)), nil, leaf)
	}
}

// annotate ties a value of the hub to an annotation of the spoke.
func (w *weaver) annotate(e end, there tree.Path) {
	if e.spoke.annotated {
		return
	}
	e.spoke.annotated = true
	if w.chance(70) {
		w.Seen.Count("table/crosses to an annotation")
		e.add(v1alpha1.Row{Spoke: place(tree.Names("metadata", "annotations", "example.com/x")), Hub: place(there), Crosses: true})
		return
	}
	w.Seen.Count("table/crosses to a label")
	e.add(v1alpha1.Row{Spoke: place(tree.Names("metadata", "labels", "example.com/x")), Hub: place(there), Crosses: true})
}

// values ties a string of the hub through a value table.
func (w *weaver) values(e end, there tree.Path, leaf *shape) {
	name := w.name()
	other := e.object.add(name, newScalar("string"))
	other.schema.Nullable = leaf.schema.Nullable
	str := func(s string) v1alpha1.Value { return v1alpha1.Value{JSON: tree.AppendString(nil, s)} }
	row := v1alpha1.Row{Spoke: place(e.here.Name(name)), Hub: place(there)}
	switch w.Rand.IntN(4) {
	case 3:
		w.Seen.Count("table/values with a default")
		row.Values = map[string]v1alpha1.Value{"on": str("yes"), "off": str("no")}
		d := str([]string{"yes", "no", "maybe"}[w.Rand.IntN(3)])
		row.Default = &v1alpha1.Default{Hub: &d}
		if w.chance(50) {
			d := str([]string{"on", "off", "maybe"}[w.Rand.IntN(3)])
			row.Default = &v1alpha1.Default{Spoke: &d}
		}
	case 0:
		w.Seen.Count("table/values one to one")
		row.Values = map[string]v1alpha1.Value{"Allow": str("Parallel"), "Forbid": str("Single"), "": str("None")}
	case 1:
		w.Seen.Count("table/values many to one")
		row.Values = map[string]v1alpha1.Value{"a": str("X"), "b": str("X"), "c": str("Y")}
		row.Inverse = map[string]v1alpha1.Value{"X": str("a")}
		if w.chance(50) {
			row.Inverse["Z"] = str("c")
		}
	case 2:
		w.Seen.Count("table/values swapped")
		row.Values = map[string]v1alpha1.Value{"a": str("b"), "b": str("a")}
	}
	if w.chance(40) {
		w.Seen.Count("table/values closed")
		row.Closed = true
	}
	e.add(row)
}

// typed ties a string of a spoke to an integer or a boolean of the hub.
func (w *weaver) typed(sc scope) {
	name := w.name()
	kind, one, two := "integer", "1", "9007199254740993"
	if w.chance(50) {
		kind, one, two = "boolean", "true", "false"
	}
	sc.hub.add(name, newScalar(kind)).schema.Nullable = w.chance(20)
	for _, e := range sc.ends {
		if e.object == nil || e.rows == nil {
			continue
		}
		w.Seen.Count("table/values of another type")
		other := w.name()
		e.object.add(other, newScalar("string")).schema.Nullable = w.chance(20)
		e.add(v1alpha1.Row{
			Spoke: place(e.here.Name(other)), Hub: place(e.there.Name(name)), Closed: true,
			Values: map[string]v1alpha1.Value{"low": {JSON: []byte(one)}, "high": {JSON: []byte(two)}},
		})
	}
}

// template ties a string of one side to two or three fields of the other.
func (w *weaver) template(sc scope) {
	forms := []struct{ text, kinds string }{
		{"{a}:{b}", "si"}, {"{a}:{b}", "ss"}, {"{a}/{b}/{c}", "sis"}, {"pre-{a}", "s"}, {"{a}-{b}", "ii"}, {"{a}post", "i"}, {"x{a}y{b}z", "ss"},
	}
	form := forms[w.Rand.IntN(len(forms))]
	parts := func(at tree.Path, into *shape) *v1alpha1.Place {
		named := map[string]string{}
		for i, kind := range form.kinds {
			name := w.name()
			if kind == 'i' {
				into.add(name, newScalar("integer"))
			} else {
				into.add(name, newScalar("string"))
			}
			named[string(rune('a'+i))] = at.Name(name).String()
		}
		return &v1alpha1.Place{Named: named}
	}
	if w.chance(50) {
		// The hub has the string, and each spoke the fields.
		name := w.name()
		sc.hub.add(name, newScalar("string"))
		for _, e := range sc.ends {
			if e.object == nil || e.rows == nil || w.chance(15) {
				continue
			}
			w.Seen.Count("table/template of the hub")
			e.add(v1alpha1.Row{Spoke: parts(e.here, e.object), Hub: place(e.there.Name(name)), Template: form.text})
		}
		return
	}
	// The hub has the fields, maybe in an object of their own.
	into, group := sc.hub, ""
	if w.chance(40) {
		group = w.name()
		into = sc.hub.add(group, newObject())
		into.schema.Nullable = w.chance(20)
	}
	fields := parts(nil, into)
	for _, e := range sc.ends {
		if e.object == nil || e.rows == nil || w.chance(15) {
			continue
		}
		w.Seen.Count("table/template of a spoke")
		at := e.there
		if group != "" {
			at = at.Name(group)
		}
		named := map[string]string{}
		for hole, path := range fields.Named {
			inner, _ := parsePath(path)
			named[hole] = append(at[:len(at):len(at)], inner...).String()
		}
		name := w.name()
		e.object.add(name, newScalar("string")).schema.Nullable = w.chance(15)
		e.add(v1alpha1.Row{Spoke: place(e.here.Name(name)), Hub: &v1alpha1.Place{Named: named}, Template: form.text})
	}
}

// swap gives two names another meaning in the spokes than in the hub.
func (w *weaver) swap(sc scope) {
	p, q := w.name(), w.name()
	leaf := w.scalar()
	sc.hub.add(p, leaf)
	both := w.chance(60)
	if both {
		sc.hub.add(q, leaf.clone())
	}
	for _, e := range sc.ends {
		if e.object == nil || e.rows == nil || !e.same {
			continue
		}
		w.Seen.Count("table/same path, another meaning")
		e.object.add(q, leaf.clone())
		e.add(v1alpha1.Row{Spoke: place(e.here.Name(q)), Hub: place(e.there.Name(p))})
		if both {
			e.object.add(p, leaf.clone())
			e.add(v1alpha1.Row{Spoke: place(e.here.Name(p)), Hub: place(e.there.Name(q))})
		}
	}
}

// demanded is a required value that all versions share.
func (w *weaver) demanded(sc scope) {
	if slices.ContainsFunc(sc.ends, func(e end) bool { return e.object == nil || !e.same }) {
		return
	}
	w.Seen.Count("table/required")
	name, leaf := w.name(), w.scalar()
	add := func(s *shape) {
		s.add(name, leaf.clone())
		s.schema.Required = append(s.schema.Required, name)
	}
	add(sc.hub)
	for _, e := range sc.ends {
		add(e.object)
	}
}

// open is an object that keeps unknown fields, in some versions or in all.
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
	open := w.chance(70)
	sc.hub.add(name, make(open))
	for _, e := range sc.ends {
		if e.object == nil || !e.same {
			continue
		}
		mine := w.chance(60)
		if mine == open {
			w.Seen.Count("table/open alike")
		} else {
			w.Seen.Count("table/open in one version")
		}
		e.object.add(name, make(mine))
	}
}

// nested is an object of the hub.
func (w *weaver) nested(sc scope) {
	name, object := w.name(), newObject()
	sc.hub.add(name, object)
	object.schema.Nullable = w.chance(12)
	if w.chance(10) {
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
			in.object.schema.Nullable = w.chance(12)
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
	if object.schema.Default != nil && len(object.schema.Required) > 0 {
		object.schema.Default = nil
	}
}

// mapOf is a map of objects by name.
func (w *weaver) mapOf(sc scope) {
	name, item := w.name(), newObject()
	item.schema.Nullable = w.chance(10)
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
