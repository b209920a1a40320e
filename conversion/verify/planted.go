package verify

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/hints"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// planter puts values into the fields of rows below x-kubernetes-preserve-unknown-fields. The
// schema does not declare such fields, so that random objects never have them.
type planter struct {
	*generator
	version string
	// depth is the number of tables around the current row. Tables may refer to themselves.
	depth int
}

// deepest is how far tables that refer to themselves are followed.
const deepest = 4

// ground has the schemas of a value and of what rows map it to in the other version. A nil schema
// allows anything.
type ground struct{ own, other *structuralschema.Structural }

// plant does it in an object of a version.
func (g *generator) plant(s *Subject, version string, object *tree.Value) *tree.Value {
	p := planter{generator: g, version: version}
	for i := range s.expanded.Spec.Versions {
		table := &s.expanded.Spec.Versions[i]
		other := table.Name
		if version == table.Name {
			other = s.Table.Spec.Hub
		} else if version != s.Table.Spec.Hub {
			continue
		}
		object = p.rows(listedRows(table, "", table.Rows), object, ground{s.schemas[version], s.schemas[other]})
	}
	return object
}

// places returns the paths of a row in this version and in the other one.
func (p planter) places(l listedRow) (own, other []string) {
	if p.version == l.table.Name {
		return pathsOf(l.row.Spoke), pathsOf(l.row.Hub)
	}
	return pathsOf(l.row.Hub), pathsOf(l.row.Spoke)
}

// rows puts values into the fields of rows. It returns the value, which may be another one.
func (p planter) rows(rows []listedRow, v *tree.Value, on ground) *tree.Value {
	for _, l := range rows {
		if places.Chooses(l.row) {
			v = p.choice(l, v, on)
			continue
		}
		own, others := p.places(l)
		other := on.other
		if len(others) > 0 {
			if at, ok := places.Parse(others[0]); ok {
				other, _ = schemaAt(on.other, at)
			}
		}
		for _, text := range own {
			at, ok := places.Parse(text)
			switch {
			case !ok:
			case len(at) > 0:
				v = p.place(l, at, v, ground{on.own, other})
			case on.own == nil:
				v = p.value(l, other)
			default:
				v = p.inside(l, v, ground{on.own, other})
			}
		}
	}
	return v
}

// place puts a value at a path. on.other is the schema of the field that the row maps it to.
func (p planter) place(l listedRow, at tree.Path, v *tree.Value, on ground) *tree.Value {
	if v.Kind != tree.Object {
		if on.own != nil || p.Chance(20) {
			return v
		}
		v = tree.NewObject()
	}
	name := at[0].Name
	own, there := schemaAt(on.own, at[:1])
	if !there {
		return v
	}
	inner := v.Get(name)
	switch {
	case len(at) > 1 && inner == nil && own != nil:
		return v // its parent is absent
	case len(at) > 1:
		if inner == nil {
			inner = tree.NewObject()
		}
		inner = p.place(l, at[1:], inner, ground{own, on.other})
	case own == nil && p.Chance(75):
		p.Seen.Count("unknown fields of rows")
		inner = p.value(l, on.other)
	case inner != nil:
		inner = p.inside(l, inner, ground{own, on.other})
	}
	v.Set(name, inner)
	return v
}

// inside puts values into the value of a row's field.
func (p planter) inside(l listedRow, v *tree.Value, on ground) *tree.Value {
	if p.depth++; p.depth > deepest {
		return v
	}
	switch elements := (ground{elementOf(on.own), elementOf(on.other)}); {
	case l.row.Table != "":
		return p.rows(l.parts(), v, on)
	case len(l.row.Inner()) == 0:
	case v.Kind == tree.List:
		for i, item := range v.Items {
			v.Items[i] = p.rows(l.elements(), item, elements)
		}
	case v.Kind == tree.Object && on.own != nil && on.own.AdditionalProperties != nil:
		for i, m := range v.Members {
			v.Members[i].Value = p.rows(l.elements(), m.Value, elements)
		}
	case v.Kind == tree.Object:
		return p.rows(l.elements(), v, ground{on.own, elements.other})
	}
	return v
}

// value makes a value for the field of a row. other is the schema of the field that it is mapped
// to.
func (p planter) value(l listedRow, other *structuralschema.Structural) *tree.Value {
	if p.Chance(8) {
		return p.Anything(2)
	}
	r := l.row
	known := hints.OfRow(r)
	switch {
	case r.Table != "":
		return p.inside(l, tree.NewObject(), ground{nil, other})
	case len(r.Inner()) > 0:
		return p.inside(l, p.collection(l, other), ground{nil, other})
	case r.Wrap != "" || r.Entries != nil:
		return p.named(r)
	case len(known) > 0 && p.Chance(70):
		return known[p.Rand.IntN(len(known))].Clone()
	case other != nil:
		return p.generator.Value(other, 2)
	}
	return p.Anything(2)
}

// collection makes a list or a map of empty objects.
func (p planter) collection(l listedRow, other *structuralschema.Structural) *tree.Value {
	r, otherIsList := l.row, other != nil && other.Type == "array"
	own, _ := p.places(l)
	switch {
	case r.Single != nil && otherIsList, r.Where != nil && len(own) > 1:
		return tree.NewObject()
	case r.Keyed != nil && otherIsList, r.Each != nil && other != nil && other.Type == "object":
		v := tree.NewObject()
		for range p.Rand.IntN(4) {
			v.Set(p.Name(), tree.NewObject())
		}
		return v
	}
	v := tree.NewList()
	for range p.Rand.IntN(4) {
		item := tree.NewObject()
		if r.Keyed != nil {
			for _, name := range places.KeyFields(r.Keyed.Key) {
				item.Set(name, tree.NewString(p.Name()))
			}
		}
		if len(r.Where) > 0 {
			p.meet(item, r.Where[p.Rand.IntN(len(r.Where))])
		}
		v.Items = append(v.Items, item)
	}
	return v
}

// meet changes an element so that it meets the conditions of a part.
func (p planter) meet(item *tree.Value, part v1alpha1.Part) {
	for _, text := range slices.Sorted(maps.Keys(part.Match)) {
		at, ok := places.Parse(text)
		value, err := tree.Parse(part.Match[text].JSON)
		if !ok || err != nil || len(at) == 0 {
			continue
		}
		if value.Kind == tree.List && len(value.Items) > 0 {
			value = value.Items[p.Rand.IntN(len(value.Items))]
		}
		into := item
		for _, step := range at[:len(at)-1] {
			if into.Get(step.Name) == nil {
				into.Set(step.Name, tree.NewObject())
			}
			into = into.Get(step.Name)
		}
		into.Set(at[len(at)-1].Name, value)
	}
}

// named makes a list of objects with a name, for wrap and entries.
func (p planter) named(r v1alpha1.Row) *tree.Value {
	v := tree.NewList()
	for range p.Rand.IntN(4) {
		text := tree.NewString(p.AnyText())
		if r.Entries != nil {
			text = tree.NewObject(tree.Member{Name: r.Entries.Name, Value: text}, tree.Member{Name: r.Entries.Value, Value: tree.NewString(p.AnyText())})
		} else if p.Chance(50) {
			text = tree.NewObject(tree.Member{Name: r.Wrap, Value: text})
		}
		v.Items = append(v.Items, text)
	}
	return v
}
