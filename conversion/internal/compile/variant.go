package compile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/mapping"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// typeName and valueName are the names of the fields on the side with the union.
const typeName, valueName = "type", "value"

func (b *builder) checkVariant(w *writtenRow) {
	if w.Spoke == nil || w.Hub == nil {
		return
	}
	side, ok := alternativesOf(w)
	switch {
	case !ok && w.Spoke.Named != nil && w.Hub.Named != nil && (len(w.Spoke.Named) == 2 || len(w.Hub.Named) == 2):
		union := plan.Hub
		if len(w.Hub.Named) != 2 {
			union = plan.Spoke
		}
		var paths []string
		for _, name := range slices.Sorted(maps.Keys(w.side(union).Named)) {
			paths = append(paths, w.side(union).Named[name])
		}
		b.problem(w, fmt.Sprintf("write %s: {type: %s, value: %s}, or the other way round", union, paths[0], paths[1]),
			"variant: the names of the discriminator and the value must be type and value, but the %s has %s", union, diagnose.Listed(slices.Sorted(maps.Keys(w.side(union).Named))))
	case !ok:
		b.problem(w, "for example spoke: {ConfigMap: .spec.configMapName, Secret: .spec.secretName}, hub: {type: .spec.ref.kind, value: .spec.ref.name}, variant: {}",
			"a variant maps the alternatives on one side, each under its value of the discriminator, to the discriminator on the other: one path, or {type: ..., value: ...}")
	case len(w.side(side).Named) < 2:
		b.problem(w, "name them all", "variant: there is only one alternative")
	case w.Default != nil:
		b.problem(w, "remove default", "the row of a variant can't have a default: the discriminator is absent if every alternative is")
	case w.chooses():
		b.checkChoice(w, side)
	}
}

// unionNames reports whether fields have the names of a union.
func unionNames(named map[string]string) bool {
	return len(named) == 2 && named[typeName] != "" && named[valueName] != ""
}

// alternativesOf returns the side of a variant's row that names alternatives.
func alternativesOf(w *writtenRow) (plan.Side, bool) {
	isTarget := func(side plan.Side) bool {
		named := w.side(side).Named
		return named == nil || unionNames(named)
	}
	switch {
	case isTarget(plan.Hub) && w.Spoke.Named != nil:
		return plan.Spoke, true
	case isTarget(plan.Spoke) && w.Hub.Named != nil:
		return plan.Hub, true
	}
	return plan.Spoke, false
}

func (b *builder) variantRow(w *writtenRow, r *plan.Row) bool {
	if b.leadsInto(w) {
		return false
	}
	side, _ := alternativesOf(w)
	other := side.Other()
	v := &mapping.Variant{Alternatives: side, Discriminator: 0, Value: -1}
	for _, name := range w.names[side] {
		v.Words = append(v.Words, jsontext.Quote(nil, name))
	}
	types := w.schemas[other]
	for _, word := range v.Words {
		err := diagnose.InEnum(word, types[0])
		if !types[0].Holds(word) {
			err = fmt.Errorf("is not valid there: it is of type %s", types[0].Describe())
		}
		if err != nil {
			remedy := "name the alternatives by the values of the discriminator"
			if w.side(other).Named == nil {
				remedy = cmp.Or(unionWithin(other, w.paths[other][0], types[0], word), remedy)
			}
			b.problem(w, remedy, "variant: %s as the discriminator %s %v", word, w.paths[other][0], err)
			return false
		}
	}
	b.warnUnnamed(w, side)
	if w.chooses() {
		return b.choiceRows(w, v)
	}
	r.Kind, r.Mapping = plan.Map, v
	r.Needs[side] = diagnose.OnlyOneOf(w.paths[side])
	r.Needs[other] = diagnose.Either(w.names[side])
	if w.side(other).Named == nil {
		r.Watches[side] = true
		return true
	}
	v.Value = 1
	r.Needs[other] += ", and a value in " + w.paths[other][1].String()
	for i, s := range w.schemas[side] {
		pair := [2]*schema.Schema{s.Inside(), types[1].Inside()}
		if !schema.Fit(s, types[1]) || b.looksInto([2]*claim{}, pair) || elementsDiffer(s, types[1]) {
			rows := "rows: [...]"
			if names := s.Names(); types[1].IsAny() && len(names) > 0 {
				// The row must name the fields of the value, because the schema does not.
				rows = fmt.Sprintf("alternatives: [{name: %s, rows: [{spoke: %s, hub: %[2]s}]}, ...]", w.names[side][i], path.Path{names[0]})
			}
			if !schema.Fit(s, types[1]) {
				var both [2]*schema.Schema
				both[side], both[other] = s, types[1]
				rows = inAlternative(w.names[side][i], both)
			}
			b.problem(w, "add rows that convert one into the other: variant: {"+rows+"}; or, if the union has a field for every alternative, map these with rows of their own, and name only the discriminator here",
				"variant: %s is of type %s, but the value %s is of type %s", w.paths[side][i], s.Describe(), w.paths[other][1], types[1].Describe())
			return false
		}
	}
	for i, s := range w.schemas[side] {
		p := copiedPair{row: w, within: func(row string) string { return "write variant: {rows: [" + row + "]}" }}
		p.schemas[side], p.schemas[other] = s, types[1]
		p.full[side], p.full[other] = b.fullPath(side, w.paths[side][i]), b.fullPath(other, w.paths[other][1])
		p.whole = p.full
		b.warnPassing(p)
	}
	return true
}

// unionWithin returns the remedy for a row that names the object around the discriminator, or "":
// name the discriminator and the value beside it.
func unionWithin(side plan.Side, p path.Path, s *schema.Schema, word []byte) string {
	for _, name := range s.Names() {
		if m := s.Members[name]; m.Type != "string" || diagnose.InEnum(word, m) != nil {
			continue
		}
		value := "..."
		for _, beside := range s.Names() {
			if beside != name {
				value = diagnose.Path(p.Child(beside))
			}
		}
		return fmt.Sprintf("name the field in it with the discriminator, and the field with the value, for example %s: {type: %s, value: %s}", side, diagnose.Path(p.Child(name)), value)
	}
	return ""
}

// elementsDiffer reports whether the elements of two lists or maps have different schemas: a copy
// would lose what the other version lacks.
func elementsDiffer(s, t *schema.Schema) bool {
	differ := func(s, t *schema.Schema) bool {
		return s != nil && t != nil && !s.IsAny() && !t.IsAny() && !schema.Same(s, t)
	}
	return differ(s.Items, t.Items) || differ(s.Values, t.Values)
}

// watches reports whether a row only reads whether a field of a side is present.
func (w *writtenRow) watches(side plan.Side, operand int) bool {
	if !w.hasMapping("variant") {
		return false
	}
	alternatives, ok := alternativesOf(w)
	if !ok || side != alternatives {
		return false
	}
	return w.side(side.Other()).Named == nil || slices.Contains(w.Variant.Elsewhere, w.names[side][operand])
}

// watch makes the nodes of watched fields operands, after all nodes are made.
func (b *builder) watch(all []*writtenRow) {
	for _, w := range all {
		row := w.index
		if w.parts != nil && w.parts.Choice != nil {
			row = w.parts.Choice.Row
		}
		for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
			if row == plan.None || !b.out.Rows[row].Watches[side] {
				continue
			}
			var untied []string
			for _, p := range w.paths[side] {
				id := b.find(side, p)
				switch {
				case id == plan.None:
					b.problem(w, "map it with a row of its own", "variant: %s is within a field that another row maps", p)
					id = 0
				case w.parts != nil && b.out.Nodes[side][id].Kind != plan.Operand && b.out.Nodes[side][id].Twin == plan.None:
					b.problem(w, "map it with a row of its own", "variant: %s is in elsewhere, but no row maps it to the other version", p)
				}
				if n := &b.out.Nodes[side][id]; w.parts == nil && n.Kind == plan.Keep && n.Named == nil {
					untied = append(untied, p.String())
				}
				at := &b.out.Rows[row].At[side]
				*at = append(*at, id)
			}
			b.warnUnmapped(w, side, untied)
		}
	}
}

// warnUnmapped warns of alternatives of a discriminator that only one version has: a client of the
// other version that chooses one gets nothing.
func (b *builder) warnUnmapped(w *writtenRow, side plan.Side, untied []string) {
	if len(untied) == 0 {
		return
	}
	discriminator := w.paths[side.Other()][0]
	b.warning(w, fmt.Sprintf("map each with a row of its own; or, if one field has the value of each, add it: %s: {type: %s, value: ...}", side.Other(), diagnose.Path(discriminator)),
		"variant: no row maps %s, so a client that changes %s in %s does not change them in %s", diagnose.Listed(untied), discriminator, b.versions[side.Other()], b.versions[side])
}

// find finds the node of a path, or None.
func (b *builder) find(side plan.Side, p path.Path) int32 {
	id := int32(0)
	for _, name := range p {
		if id = b.out.Child(side, id, []byte(name)); id == plan.None {
			return plan.None
		}
	}
	return id
}
