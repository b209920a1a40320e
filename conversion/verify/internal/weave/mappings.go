package weave

import (
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// values maps a string of the hub by a table of values.
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
		if w.Chance(50) {
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
		if w.Chance(50) {
			row.Inverse["Z"] = str("c")
		}
	case 2:
		w.Seen.Count("table/values swapped")
		row.Values = map[string]v1alpha1.Value{"a": str("b"), "b": str("a")}
	}
	if w.Chance(40) {
		w.Seen.Count("table/values closed")
		row.Closed = true
	}
	e.add(row)
}

// typedValue maps a string of a spoke to an integer or a boolean of the hub.
func (w *weaver) typedValue(sc scope) {
	name := w.name()
	kind, one, two := "integer", "1", "9007199254740993"
	if w.Chance(50) {
		kind, one, two = "boolean", "true", "false"
	}
	sc.hub.add(name, newScalar(kind)).schema.Nullable = w.Chance(20)
	for _, e := range sc.ends {
		if e.object == nil || e.rows == nil {
			continue
		}
		w.Seen.Count("table/values of another type")
		other := w.name()
		e.object.add(other, newScalar("string")).schema.Nullable = w.Chance(20)
		e.add(v1alpha1.Row{
			Spoke: place(e.here.Name(other)), Hub: place(e.there.Name(name)), Closed: true,
			Values: map[string]v1alpha1.Value{"low": {JSON: []byte(one)}, "high": {JSON: []byte(two)}},
		})
	}
}

// template maps a string of one side to two or three fields of the other.
func (w *weaver) template(sc scope) {
	forms := []struct{ text, kinds string }{
		{"{a}:{b}", "si"}, {"{a}:{b}", "ss"}, {"{a}/{b}/{c}", "sis"}, {"pre-{a}", "s"}, {"{a}-{b}", "ii"}, {"{a}post", "i"}, {"x{a}y{b}z", "ss"},
		{"{a}[:{b}]", "ss"}, {"{a}[:{b}]", "si"}, {"[{a}/]{b}", "ss"}, {"v{a}[-{b}.{c}]", "iss"},
		{"[{a}/]{b}[:{c}][@{d}]", "ssss"}, {"{a}[:{b}][/{c}]", "sis"}, {"[{a}://]{b}[:{c}]", "ssi"}, {"{a}[.{b}][.{c}]", "iii"}, {"{a}[.{b}][.{c}]!", "sss"},
		{"{a}[:{b!/}]", "ss"}, {"{a!:/}:{b}", "ss"},
	}
	form := forms[w.Rand.IntN(len(forms))]
	if strings.Count(form.text, "[") > 1 {
		w.Seen.Count("table/template with several optional parts")
	} else if strings.Contains(form.text, "[") {
		w.Seen.Count("table/template with an optional part")
	}
	if strings.Contains(form.text, "{b!") || strings.Contains(form.text, "{a!") {
		w.Seen.Count("table/template with characters that a hole never holds")
	}
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
	if w.Chance(50) {
		// The hub has the string, and each spoke the fields.
		name := w.name()
		sc.hub.add(name, newScalar("string"))
		for _, e := range sc.ends {
			if e.object == nil || e.rows == nil || w.Chance(15) {
				continue
			}
			w.Seen.Count("table/template of the hub")
			e.add(v1alpha1.Row{Spoke: parts(e.here, e.object), Hub: place(e.there.Name(name)), Template: form.text})
		}
		return
	}
	// The hub has the fields, possibly in an object of their own.
	into, group := sc.hub, ""
	if w.Chance(40) {
		group = w.name()
		into = sc.hub.add(group, newObject())
		into.schema.Nullable = w.Chance(20)
	}
	fields := parts(nil, into)
	for _, e := range sc.ends {
		if e.object == nil || e.rows == nil || w.Chance(15) {
			continue
		}
		w.Seen.Count("table/template of a spoke")
		at := e.there
		if group != "" {
			at = at.Name(group)
		}
		named := map[string]string{}
		for hole, path := range fields.Named {
			inner, _ := places.Parse(path)
			named[hole] = append(at[:len(at):len(at)], inner...).String()
		}
		name := w.name()
		e.object.add(name, newScalar("string")).schema.Nullable = w.Chance(15)
		e.add(v1alpha1.Row{Spoke: place(e.here.Name(name)), Hub: &v1alpha1.Place{Named: named}, Template: form.text})
	}
}

// swap gives two names another meaning in the spokes than in the hub.
func (w *weaver) swap(sc scope) {
	p, q := w.name(), w.name()
	leaf := w.scalar()
	sc.hub.add(p, leaf)
	both := w.Chance(60)
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
