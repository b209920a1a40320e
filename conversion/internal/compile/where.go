package compile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

func (b *builder) checkWhere(w *writtenRow) {
	if _, ok := mergedSide(w); !ok {
		remedy := "for example spoke: {http: .spec.httpRoutes, tcp: .spec.tcpRoutes}, hub: .spec.routes"
		if w.Spoke != nil && w.Hub != nil && w.Spoke.Named == nil && w.Hub.Named == nil {
			remedy = "name the field of every part, for example spoke: {a: " + w.Spoke.Path + "}, and write place: a in its part"
		}
		b.problem(w, remedy,
			"where maps one list on one side to named fields on the other, one for each part")
	}
}

// mergedSide returns the side with one list. The other side has its parts.
func mergedSide(w *writtenRow) (plan.Side, bool) {
	switch {
	case w.Spoke == nil || w.Hub == nil || (w.Spoke.Named == nil) == (w.Hub.Named == nil):
		return plan.Spoke, false
	case w.Spoke.Named == nil:
		return plan.Spoke, true
	}
	return plan.Hub, true
}

// whereRow maps a list to its parts, each by a row of its own.
func (b *builder) whereRow(w *writtenRow, _ *plan.Row) bool {
	list, ok := b.partedList(w)
	if !ok {
		return false
	}
	items, before, inner := list.Items, b.found.Reported, w.Inner()
	var parts []partRow
	for i := range w.Where {
		p := &w.Where[i]
		operand := slices.Index(w.names[w.merged.Other()], p.Place)
		switch {
		case operand < 0:
			b.problem(w, "use one of "+diagnose.Listed(w.names[w.merged.Other()]), "where: the %s side has no field named %s", w.merged.Other(), p.Place)
			continue
		case slices.ContainsFunc(w.Where[:i], func(q v1alpha1.Part) bool { return q.Place == p.Place }):
			b.problem(w, "join the two", "where: two parts have the field %s", p.Place)
			continue
		case i+1 < len(w.Where) && len(p.Match)+len(p.Has) == 0:
			// No element would belong to the parts after it, in either version.
			b.problem(w, "add match or has, or make it the last part", "where: the part %s has no conditions, so it takes every element, and %s takes none", p.Place, w.Where[i+1].Place)
			continue
		}
		parts = append(parts, partRow{
			name: p.Place, operand: operand, tests: b.readTests(w, p, items), lists: b.rowsOf(w, inner[i]), table: p.Table,
			keys: &listKeys{names: p.Key, unique: p.Unique, w: w},
		})
	}
	for _, name := range w.names[w.merged.Other()] {
		if !slices.ContainsFunc(w.Where, func(p v1alpha1.Part) bool { return p.Place == name }) {
			b.problem(w, "add a part for its elements: {place: "+name+", match: {...}}", "where: there is no part for the field %s", name)
		}
	}
	return b.found.Reported == before && b.partRows(w, list, parts)
}

// partedList finds the list of a row with parts.
func (b *builder) partedList(w *writtenRow) (*schema.Schema, bool) {
	if b.leadsInto(w) {
		return nil, false
	}
	w.merged, _ = mergedSide(w)
	list, at := w.schemas[w.merged][0], w.paths[w.merged][0]
	switch {
	case w.hasMapping("entries") && list.Values != nil:
		other := w.merged.Other()
		name := w.names[other][0]
		var entry [2]path.Path
		entry[w.merged], entry[other] = at.Child(name), w.paths[other][0]
		row := fmt.Sprintf("{spoke: %s, hub: %s}", diagnose.Path(entry[plan.Spoke]), diagnose.Path(entry[plan.Hub]))
		if of := w.schemas[other][0]; !schema.Fit(of, list.Values) {
			mapping := diagnose.MappingFor([2]*schema.Schema{of, list.Values}, nil)
			if strings.HasSuffix(mapping, "scalar: {}") {
				mapping = "scalar: {}" // as entries implies it
			}
			row = diagnose.Row(entry, cmp.Or(mapping, "..."))
		}
		b.problem(w, fmt.Sprintf("map each entry with a row of its own, for example %s with %s", name, row), "entries: %s is a map, and not a list", at)
		return nil, false
	case list.Type != "array" || list.Items == nil:
		b.problem(w, "name a list", "%s: %s is of type %s, and not a list", w.mapping.name, at, list.Describe())
		return nil, false
	case list.Default != nil:
		b.problem(w, "remove the default from the schema", "%s: the list %s has a default, but it is not known what the default means for its parts", w.mapping.name, at)
		return nil, false
	}
	for side, paths := range w.paths {
		for i, p := range paths {
			switch {
			case len(p) == 0:
				b.problem(w, "name a field in it", "%s: the path . is the element itself", w.mapping.name)
				return nil, false
			case w.schemas[side][i].Default != nil:
				b.problem(w, "remove the default from the schema", "%s: %s has a default, but it is not known which element the default is for", w.mapping.name, p)
				return nil, false
			}
		}
	}
	return list, true
}

// readTests reads the conditions of a part.
func (b *builder) readTests(w *writtenRow, p *v1alpha1.Part, items *schema.Schema) []plan.Test {
	var tests []plan.Test
	for _, text := range slices.Sorted(maps.Keys(p.Match)) {
		at, s := b.testedField(w, p, text, items)
		if s == nil {
			continue
		}
		t := plan.Test{At: at, Schema: s}
		for _, v := range anyOf(p.Match[text].JSON) {
			value := schema.Canonical(nil, v, s)
			err := diagnose.InEnum(value, s)
			if !s.Holds(v) || v[0] == '{' || v[0] == '[' || v[0] == 'n' {
				err = fmt.Errorf("is not valid there: it is of type %s", s.Describe())
			}
			if err != nil {
				b.problem(w, diagnose.InQuotes(v, s, "use a single value of that type, or a list of such values"), "where %s: %s: %s %v", p.Place, at, v, err)
				continue
			}
			t.Values = append(t.Values, value)
		}
		if t.Values != nil {
			tests = append(tests, t)
		} else if string(p.Match[text].JSON) == "[]" {
			b.problem(w, "add a value", "where %s: %s has no value to match", p.Place, at)
		}
	}
	for _, text := range p.Has {
		if at, s := b.testedField(w, p, text, items); s != nil {
			tests = append(tests, plan.Test{At: at, Schema: s})
		}
	}
	return tests
}

// testedField finds the field of an element that a condition is about.
func (b *builder) testedField(w *writtenRow, p *v1alpha1.Part, text string, items *schema.Schema) (path.Path, *schema.Schema) {
	at, err := path.Parse(text)
	if err != nil {
		b.problem(w, "", "where %s: %v", p.Place, err)
		return nil, nil
	}
	s := items.At(at)
	if len(at) == 0 || s == nil {
		remedy := "name a field of the elements"
		if meant := diagnose.Nearest(items, at); meant != "" {
			remedy = "did you mean " + meant + "?"
		}
		b.problem(w, remedy, "where %s: %s is not in the elements of %s", p.Place, at, w.paths[w.merged][0])
		return nil, nil
	}
	return at, s
}

// anyOf returns the values that a condition allows: the elements of a list, or one.
func anyOf(text []byte) [][]byte {
	if text[0] != '[' {
		return [][]byte{text}
	}
	var values [][]byte
	var scan jsontext.Scanner
	scan.Reset(text)
	for a := scan.Array(0); ; {
		ok, err := a.Next()
		if err != nil || !ok {
			return values // checkWhere has reported it if it is not JSON
		}
		if a.End, err = scan.Skim(a.Value); err != nil {
			return values
		}
		values = append(values, text[a.Value:a.End])
	}
}
