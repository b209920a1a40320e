package reference

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// part is a part of a list.
type part struct {
	place string
	tests []test
	rows  []v1alpha1.Row
}

// test is a condition: the field has one of the values or, if there are none, any value.
type test struct {
	at     tree.Path
	values []*tree.Value
}

// convertParts converts between a list and its parts.
func (s side) convertParts(r v1alpha1.Row, source, target *v1alpha1.Place, v, out *tree.Value, from, to *schema) {
	parts := s.partsOf(r, from, to)
	if source.Named == nil {
		list := v.At(s.path(source))
		if list == nil || list.Kind != tree.List {
			return
		}
		s.inParts(parts, list, s.path(source), target, out, from, to)
		return
	}
	merged := tree.NewList()
	item := at(to, s.path(target)).Items.Schema
	for i, p := range parts {
		at, of := s.placeOf(source, p), elementAt(from, s.placeOf(source, p))
		for _, element := range elementsAt(v.At(at), of, schemaAt(from, at)) {
			if made, ok := s.toList(p, element, of, item); ok && find(parts, made, item) == i {
				merged.Items = append(merged.Items, made)
			}
		}
	}
	if len(merged.Items) > 0 {
		out.Put(s.path(target), merged)
	}
}

// inParts puts the elements of a list into the parts that they belong to.
func (s side) inParts(parts []part, list *tree.Value, where tree.Path, target *v1alpha1.Place, out *tree.Value, from, to *schema) {
	item := at(from, where).Items.Schema
	back := side{c: s.c, toHub: !s.toHub, tables: s.tables, root: s.root, rootSchema: s.rootSchema}
	for _, element := range list.Items {
		i := find(parts, element, item)
		if i < 0 {
			continue
		}
		p := parts[i]
		place := s.placeOf(target, p)
		of := elementAt(to, place)
		made, ok := s.whole(element, append(p.rows[:len(p.rows):len(p.rows)], s.claims(p, item, of)...), item, of, nil)
		if !ok {
			continue
		}
		again, ok := back.toList(p, made, of, item)
		if !ok || find(parts, again, item) != i {
			continue
		}
		if schemaAt(to, place).Type == "array" {
			if out.At(place) == nil {
				out.Put(place, tree.NewList())
			}
			out.At(place).Items = append(out.At(place).Items, made)
		} else if made.Kind != tree.Null && out.At(place) == nil {
			out.Put(place, made)
		}
	}
}

// toList converts an element of a part to one of the list.
func (s side) toList(p part, element *tree.Value, of, item *schema) (*tree.Value, bool) {
	made, ok := s.whole(element, append(p.rows[:len(p.rows):len(p.rows)], s.claims(p, item, of)...), of, item, nil)
	if !ok {
		return nil, false
	}
	if made = made.Clone(); made.Kind != tree.Object {
		return made, len(s.fixedTests(p, item, of)) == 0
	}
	for _, t := range s.fixedTests(p, item, of) {
		made.Put(t.at, t.values[0].Clone())
	}
	return made, true
}

// claims returns rows that claim the fields with fixed values.
func (s side) claims(p part, item, of *schema) []v1alpha1.Row {
	var rows []v1alpha1.Row
	for _, t := range s.fixedTests(p, item, of) {
		rows = append(rows, v1alpha1.Row{Spoke: &v1alpha1.Place{Path: t.at.String()}})
	}
	return rows
}

// fixedTests returns the conditions on fields that the other side does not have.
func (s side) fixedTests(p part, item, of *schema) []test {
	var all []test
	for _, t := range p.tests {
		shown := known(of, t.at)
		for _, r := range p.rows {
			for _, place := range []*v1alpha1.Place{r.Spoke, r.Hub} {
				for _, path := range s.paths(place) {
					if len(path) <= len(t.at) && len(path) > 0 && slices.Equal(path, t.at[:len(path)]) && known(item, path) {
						shown = true
					}
				}
			}
		}
		if len(t.values) == 1 && !shown {
			all = append(all, t)
		}
	}
	return all
}

func known(s *schema, p tree.Path) bool {
	for _, step := range p {
		next, ok := s.Properties[step.Name]
		if !ok {
			return false
		}
		s = &next
	}
	return true
}

// find returns the first part whose conditions an element meets, or -1.
func find(parts []part, element *tree.Value, of *schema) int {
	return slices.IndexFunc(parts, func(p part) bool {
		return element.Kind == tree.Object && !slices.ContainsFunc(p.tests, func(t test) bool { return !t.holds(element, of) })
	})
}

func (t test) holds(element *tree.Value, of *schema) bool {
	around, last := element.At(t.at[:len(t.at)-1]), at(of, t.at)
	if around == nil || around.Kind != tree.Object {
		return false
	}
	value := around.Get(t.at[len(t.at)-1].Name)
	if value == nil && last.Default != nil {
		value, _ = tree.Parse(last.Default.Raw)
	}
	if value == nil || value.Kind == tree.Null && !last.Nullable {
		return false
	}
	if t.values == nil {
		return value.Kind != tree.Null
	}
	return slices.ContainsFunc(t.values, func(v *tree.Value) bool { return tree.Equal(v, value) })
}

// partsOf returns the parts of a row, with their rows.
func (s side) partsOf(r v1alpha1.Row, from, to *schema) []part {
	var parts []part
	if r.Entries != nil {
		return s.entries(r, from, to)
	}
	for _, p := range r.Where {
		one := part{place: p.Place, rows: s.rowsOf(p.Rows, p.Table)}
		for _, text := range slices.Sorted(maps.Keys(p.Match)) {
			v := p.Match[text]
			value := literal(&v)
			values := []*tree.Value{value}
			if value.Kind == tree.List {
				values = value.Items
			}
			one.tests = append(one.tests, test{s.path(&v1alpha1.Place{Path: text}), values})
		}
		for _, text := range p.Has {
			one.tests = append(one.tests, test{at: s.path(&v1alpha1.Place{Path: text})})
		}
		parts = append(parts, one)
	}
	return parts
}

func (s side) entries(r v1alpha1.Row, from, to *schema) []part {
	source, target := s.ends(r)
	places, of, list := source, from, at(to, s.path(&v1alpha1.Place{Path: target.Path}))
	if source.Named == nil {
		places, of, list = target, to, at(from, s.path(&v1alpha1.Place{Path: source.Path}))
	}
	var parts []part
	for _, name := range slices.Sorted(maps.Keys(places.Named)) {
		row := v1alpha1.Row{Spoke: &v1alpha1.Place{Path: "."}, Hub: &v1alpha1.Place{Path: "." + r.Entries.Value}}
		if r.Spoke.Named == nil {
			row.Spoke, row.Hub = row.Hub, row.Spoke
		}
		if list.Items.Schema.Properties[r.Entries.Value].Type == "string" && at(of, s.placeOf(places, part{place: name})).Type != "string" {
			row.Scalar = &v1alpha1.Scalar{}
		}
		parts = append(parts, part{name, []test{{tree.Names(r.Entries.Name), []*tree.Value{tree.NewString(name)}}}, []v1alpha1.Row{row}})
	}
	return parts
}

func (s side) placeOf(p *v1alpha1.Place, of part) tree.Path {
	return s.path(&v1alpha1.Place{Path: p.Named[of.place]})
}

func schemaAt(s *schema, p tree.Path) *schema { return at(s, p) }

// elementAt returns the schema of a part's elements.
func elementAt(s *schema, p tree.Path) *schema {
	if s = at(s, p); s.Type == "array" {
		return s.Items.Schema
	}
	return s
}

// elementsAt returns the elements in the field of a part.
func elementsAt(v *tree.Value, element, place *schema) []*tree.Value {
	switch {
	case v == nil || v.Kind == tree.Null && element == place:
		return nil
	case place.Type != "array":
		return []*tree.Value{v}
	case v.Kind != tree.List:
		return nil
	}
	return v.Items
}
