package compile

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/mapping"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// chooses reports whether a variant's row has rows for parts of the value, or alternatives that do
// not use the value.
func (w *writtenRow) chooses() bool { return chooses(w.Variant) }

func chooses(v *v1alpha1.Variant) bool {
	return len(v.Rows)+len(v.Alternatives)+len(v.Elsewhere) > 0 || v.Table != ""
}

// checkChoice reports mistakes in the alternatives that a variant names.
func (b *builder) checkChoice(w *writtenRow, side plan.Side) {
	v, names := w.Variant, slices.Sorted(maps.Keys(w.side(side).Named))
	if w.side(side.Other()).Named == nil {
		b.problem(w, "add the field of the value, "+side.Other().String()+": {type: ..., value: ...}; or map the alternatives with rows of their own, and write variant: {}",
			"variant: rows, table, alternatives and elsewhere are for the value, but the row has no field for it")
		return
	}
	var own []string
	for i := range v.Alternatives {
		own = append(own, v.Alternatives[i].Name)
	}
	for i, name := range slices.Concat(own, v.Elsewhere) {
		switch {
		case !slices.Contains(names, name):
			b.problem(w, "use one of "+diagnose.Listed(names), "variant: there is no alternative %s", name)
		case slices.Contains(slices.Concat(own, v.Elsewhere)[:i], name):
			b.problem(w, "name it once, in alternatives or in elsewhere", "variant: the alternative %s is named twice", name)
		}
	}
	if len(v.Elsewhere) >= len(names) {
		b.problem(w, "name only the discriminator, and write variant: {}", "variant: every alternative is elsewhere, so none is left for the value")
	}
}

// choiceRows makes a row for each alternative of the value, and one for the discriminator, which
// reads which alternative is present.
func (b *builder) choiceRows(w *writtenRow, v *mapping.Variant) bool {
	before, side := b.found.Reported, v.Alternatives
	w.merged = side.Other()
	value, at := w.schemas[w.merged][1], w.paths[w.merged][1]
	w.parts = &plan.Parts{Side: w.merged, Choice: &plan.Choice{}}
	if !b.checkAlone(w, w.merged, 1) {
		return false
	}
	var first *schema.Schema
	alike := true
	for i, name := range w.names[side] {
		if w.watches(side, i) || !b.checkAlone(w, side, i) {
			continue
		}
		place := w.schemas[side][i]
		c := &collection{forms: [2]plan.Form{plan.One, plan.One}, part: name, w: w}
		c.lists, c.table = b.alternativeRows(w, name)
		c.elements[w.merged], c.at[w.merged] = value, at
		c.elements[side], c.at[side] = place, w.paths[side][i]
		if !schema.Fit(c.elements[plan.Spoke], c.elements[plan.Hub]) && !namesItself(c.lists) {
			b.problem(w, "add rows that convert one into the other: variant: {"+inAlternative(name, c.elements)+"}",
				"variant: %s is of type %s, but the value %s is of type %s", w.paths[side][i], place.Describe(), at, value.Describe())
			continue
		}
		r := plan.Row{Parts: w.parts, Part: len(w.parts.All)}
		b.collect(&r, c)
		if common := w.hasCommonRows(name); len(w.parts.All) == 0 {
			first, alike = place, common
		} else if alike = alike && common && schema.Same(place, first); alike {
			r.Elements = b.out.Rows[w.parts.All[0].Row].Elements
		}
		r.Needs[side] = diagnose.OnlyOneOf(w.paths[side]) + ", with values that its rows can map"
		r.NeedsElement = r.Needs[side]
		w.parts.All = append(w.parts.All, plan.Part{Name: name, Word: v.Words[i], Row: b.row(r), Sure: true})
	}
	choice := w.parts.Choice
	choice.Alike = alike
	choice.Needs = diagnose.Either(namesOf(w.parts.All)) + " as " + w.paths[w.merged][0].String() + ", with values that the rows for it can map"
	which := plan.Row{Kind: plan.Map, Mapping: v, Which: choice}
	which.Watches[side] = true
	which.Needs[side], which.Needs[side.Other()] = diagnose.OnlyOneOf(w.paths[side]), diagnose.Either(namesOf(w.parts.All))
	choice.Row = b.row(which)
	if b.found.Reported > before {
		w.parts = nil
		return false
	}
	return true
}

func namesOf(parts []plan.Part) []string {
	var names []string
	for i := range parts {
		names = append(names, parts[i].Name)
	}
	return names
}

// hasCommonRows reports whether an alternative has no rows of its own.
func (w *writtenRow) hasCommonRows(name string) bool {
	return !slices.ContainsFunc(w.Variant.Alternatives, func(a v1alpha1.Alternative) bool { return a.Name == name })
}

// alternativeRows returns the rows for the value of an alternative, and the named table among them.
func (b *builder) alternativeRows(w *writtenRow, name string) ([]rowList, string) {
	v := w.Variant
	for i := range v.Alternatives {
		if a := &v.Alternatives[i]; a.Name == name {
			return b.rowsOf(w, v1alpha1.Inner{Mapping: "variant " + name, Rows: &a.Rows, Table: a.Table}), a.Table
		}
	}
	return b.rowsOf(w, v1alpha1.Inner{Mapping: "variant", Rows: &v.Rows, Table: v.Table}), v.Table
}

// checkAlone reports an alternative that is the element itself, or that has a default.
func (b *builder) checkAlone(w *writtenRow, side plan.Side, operand int) bool {
	switch p := w.paths[side][operand]; {
	case len(p) == 0:
		b.problem(w, "name a field in it", "variant: the path . is the element itself")
		return false
	case w.schemas[side][operand].Default != nil:
		b.problem(w, "remove the default from the schema", "variant: %s has a default, but it is not known which alternative the default is for", p)
		return false
	}
	return true
}
