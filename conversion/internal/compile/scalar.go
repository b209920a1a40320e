package compile

import (
	"fmt"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/decimal"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/mapping"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

func (b *builder) checkScalar(w *writtenRow) {
	s := w.Scalar
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		if n := notationOf(s, side); n != "" && !slices.Contains(v1alpha1.Notations(), n) {
			b.problem(w, "choose one of "+diagnose.Listed(v1alpha1.Notations()), "scalar: %s: %q is not a notation", side, n)
		}
	}
	if s.Round != "" && !slices.Contains(v1alpha1.Roundings(), s.Round) {
		b.problem(w, "choose one of "+diagnose.Listed(v1alpha1.Roundings()), "scalar: round: %q is not a way to round", s.Round)
	}
}

func notationOf(s *v1alpha1.Scalar, side plan.Side) v1alpha1.Notation {
	if side == plan.Spoke {
		return s.Spoke
	}
	return s.Hub
}

func (b *builder) scalarRow(w *writtenRow, r *plan.Row) bool {
	if b.leadsInto(w) {
		return false
	}
	kinds, ok := b.notations(w)
	if !ok {
		return false
	}
	r.Kind = plan.Map
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		r.Needs[side] = "a value that can be written as " + describe(kinds[side.Other()])
	}
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		switch kind := kinds[side.Other()]; kind {
		case v1alpha1.NotationBoolean, v1alpha1.NotationIntOrString:
			if kinds[side] != v1alpha1.NotationString {
				b.problem(w, "", "scalar: %s can only be mapped to a string, but %s is %s", describe(kind), w.paths[side][0], describe(kinds[side]))
				return false
			}
			if w.Scalar.Unit != nil || w.Scalar.Round != "" {
				b.problem(w, "remove unit and round", "scalar: %s has no unit", describe(kind))
				return false
			}
			r.Mapping = mapping.AsText{Text: side, Boolean: kind == v1alpha1.NotationBoolean}
			if kind == v1alpha1.NotationBoolean {
				b.warnWords(w, side)
				r.Needs[side] = "true or false, or 1, 0, t, f, T, F, True, False, TRUE or FALSE"
			}
			return true
		}
	}
	mapping := &mapping.Scalar{Types: w.pair(), Round: map[v1alpha1.Rounding]decimal.Rounding{
		v1alpha1.RoundDown: decimal.Down, v1alpha1.RoundUp: decimal.Up, v1alpha1.RoundNearest: decimal.Nearest,
	}[w.Scalar.Round]}
	mapping.Sides, ok = b.units(w, kinds)
	r.Mapping = mapping
	return ok
}

// notations finds how each side writes the value, by the row and by its schema.
func (b *builder) notations(w *writtenRow) (kinds [2]v1alpha1.Notation, ok bool) {
	ok = true
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		s := w.schemas[side][0]
		given, own := notationOf(w.Scalar, side), v1alpha1.Notation(s.Type)
		if s.IntOrString {
			own = v1alpha1.NotationIntOrString
		}
		kinds[side] = given
		if given == "" {
			kinds[side] = own
		}
		if holdsNotation(s, kinds[side]) {
			continue
		}
		ok = false
		if given == "" {
			b.problem(w, fmt.Sprintf("write the notation: scalar: {%s: ...}, one of %s", side, diagnose.Listed(v1alpha1.Notations())),
				"scalar is for single values, but %s is of type %s", w.paths[side][0], s.Describe())
			continue
		}
		remedy := "name a field of that type, or another notation"
		if there := side.Other(); notationOf(w.Scalar, there) == "" && holdsNotation(w.schemas[there][0], given) {
			remedy = fmt.Sprintf("%s can hold one: write %s: %s, not %s: %[3]s", w.paths[there][0], there, given, side)
		}
		if given == v1alpha1.NotationPercentage && isNumber(w.schemas[plan.Spoke][0]) && isNumber(w.schemas[plan.Hub][0]) {
			percent := side
			if side := side.Other(); w.schemas[side][0].Type == "integer" {
				percent = side // a whole has only parts
			}
			units := [2]string{`"1"`, `"1"`}
			units[percent] = `"%"`
			remedy = fmt.Sprintf("if both are plain numbers, write their units: scalar: {unit: {spoke: %s, hub: %s}}", units[plan.Spoke], units[plan.Hub])
		}
		b.problem(w, remedy, "scalar: %s: %s is of type %s, which cannot hold %s", side, w.paths[side][0], s.Describe(), describe(given))
	}
	if ok && kinds[plan.Spoke] == kinds[plan.Hub] && w.Scalar.Unit == nil && schema.Same(w.schemas[plan.Spoke][0], w.schemas[plan.Hub][0]) {
		b.problem(w, "remove scalar, or write the units of both sides: scalar: {unit: {spoke: s, hub: ms}}", "scalar: both sides are %s", describe(kinds[plan.Spoke]))
		ok = false
	}
	return kinds, ok
}

func isNumber(s *schema.Schema) bool { return s.Type == "integer" || s.Type == "number" }

// holdsNotation reports whether a field can have values in a notation.
func holdsNotation(s *schema.Schema, kind v1alpha1.Notation) bool {
	switch kind {
	case v1alpha1.NotationInteger:
		return s.Allows("integer") && !s.IntOrString
	case v1alpha1.NotationNumber:
		return s.Allows("number")
	case v1alpha1.NotationBoolean:
		return s.Allows("boolean")
	case v1alpha1.NotationIntOrString:
		return s.IntOrString || s.IsAny()
	case v1alpha1.NotationString, v1alpha1.NotationDuration, v1alpha1.NotationQuantity, v1alpha1.NotationPercentage:
		return s.Allows("string")
	}
	return false
}

// describe names a notation for people.
func describe(kind v1alpha1.Notation) string {
	switch kind {
	case v1alpha1.NotationInteger, v1alpha1.NotationIntOrString:
		return "an " + string(kind)
	}
	return "a " + string(kind)
}
