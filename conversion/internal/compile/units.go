package compile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/decimal"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/mapping"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// family is a kind of units.
type family struct {
	kind      v1alpha1.Notation // the notation that has them
	name      string            // for messages
	units     string            // for messages
	otherwise string            // the unit of a number whose row gives none
	find      func(unit string) (value decimal.Decimal, binary, ok bool)
}

func families() []family {
	return []family{
		{v1alpha1.NotationDuration, "time", "ns, us, ms, s, m, h, d", "", func(unit string) (decimal.Decimal, bool, bool) {
			value, ok := decimal.Time(unit)
			return value, false, ok
		}},
		{v1alpha1.NotationQuantity, "quantities", "n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei", "1", func(unit string) (decimal.Decimal, bool, bool) {
			if unit == "1" {
				return decimal.Int(1), false, true
			}
			value, binary, ok := decimal.Suffix(unit)
			return value, binary, ok && unit != ""
		}},
		{v1alpha1.NotationPercentage, "percentages", "%, 1", "%", func(unit string) (decimal.Decimal, bool, bool) {
			value, ok := map[string]decimal.Decimal{"%": decimal.Int(1), "1": decimal.Int(100)}[unit]
			return value, false, ok
		}},
	}
}

// unitRemedy returns the remedy for a unit that the family lacks.
func (f *family) unitRemedy(name string) string {
	if near := f.nearestUnit(name); near != "" {
		return "did you mean " + near + "?"
	}
	return "use one of " + f.units
}

// nearestUnit returns the unit of the family that a name may mean, or "".
func (f *family) nearestUnit(name string) string {
	has := func(unit string) bool { _, _, ok := f.find(unit); return ok }
	if has(name) {
		return name
	}
	words := map[string]string{"nano": "ns", "micro": "us", "milli": "ms", "msec": "ms", "sec": "s", "min": "m", "hour": "h", "day": "d", "percent": "%", "fraction": "1", "ratio": "1"}
	for _, start := range slices.Sorted(maps.Keys(words)) {
		if has(words[start]) && strings.HasPrefix(strings.ToLower(name), start) {
			return words[start]
		}
	}
	if short := strings.TrimSuffix(name, "B"); short != name && has(short) {
		return short
	}
	return ""
}

// units finds the unit of each side.
func (b *builder) units(w *writtenRow, kinds [2]v1alpha1.Notation) (sides [2]mapping.Notation, ok bool) {
	one := decimal.Int(1)
	sides = [2]mapping.Notation{{Kind: kinds[plan.Spoke], Unit: one}, {Kind: kinds[plan.Hub], Unit: one}}
	unit := w.Scalar.Unit
	var own [2]*family // of the sides that are written with a unit
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		for _, f := range families() {
			if f.kind == kinds[side] {
				own[side] = &f
			}
		}
	}
	switch {
	case own[plan.Spoke] == nil && own[plan.Hub] == nil:
		return sides, unit == nil || b.bothUnits(w, &sides)
	case own[plan.Spoke] != nil && own[plan.Hub] != nil && own[plan.Spoke].kind != own[plan.Hub].kind:
		b.problem(w, "map it to a number, or to another field", "scalar: %s can't be converted into %s", describe(kinds[plan.Spoke]), describe(kinds[plan.Hub]))
		return sides, false
	case own[plan.Spoke] != nil && own[plan.Hub] != nil:
		if unit != nil {
			b.problem(w, "remove it", "scalar: unit is the unit of a plain number, but both sides are %s", describe(kinds[plan.Spoke]))
			return sides, false
		}
		return sides, true
	}
	plain := plan.Spoke
	if own[plan.Spoke] != nil {
		plain = plan.Hub
	}
	f := own[plain.Other()]
	name := f.otherwise
	switch {
	case unit != nil && unit.Name != "":
		name = unit.Name
	case unit != nil && [2]string{unit.Spoke, unit.Hub}[plain.Other()] != "":
		b.problem(w, fmt.Sprintf("remove it: %s has its own unit", describe(f.kind)), "scalar: unit: %s is %s", plain.Other(), describe(f.kind))
		return sides, false
	case unit != nil:
		name = [2]string{unit.Spoke, unit.Hub}[plain]
	}
	if name == "" {
		b.problem(w, "add it, for example unit: s", "scalar: the unit of the number %s is missing, which is mapped to %s", w.paths[plain][0], describe(f.kind))
		return sides, false
	}
	value, binary, known := f.find(name)
	if !known {
		b.problem(w, f.unitRemedy(name), "scalar: %q is not a unit of %s", name, f.name)
		return sides, false
	}
	sides[plain].Unit, sides[plain.Other()].Binary = value, binary
	return sides, true
}

// textual finds the side that is a string beside a number, and the notation that the author left
// out when they gave the number a unit.
func textual(sides *[2]mapping.Notation, unit string) (plan.Side, v1alpha1.Notation, bool) {
	side := plan.Spoke
	if sides[plan.Hub].Kind == v1alpha1.NotationString {
		side = plan.Hub
	}
	if sides[side].Kind != v1alpha1.NotationString || sides[side.Other()].Kind == v1alpha1.NotationString {
		return side, "", false
	}
	for _, f := range families() {
		if _, _, ok := f.find(unit); ok {
			return side, f.kind, true
		}
	}
	return side, "", false
}

// bothUnits is units for two plain numbers.
func (b *builder) bothUnits(w *writtenRow, sides *[2]mapping.Notation) bool {
	unit := w.Scalar.Unit
	names := [2]string{unit.Spoke, unit.Hub}
	if unit.Name != "" || names[plan.Spoke] == "" || names[plan.Hub] == "" {
		if side, kind, ok := textual(sides, unit.Name); ok {
			b.problem(w, fmt.Sprintf("write the notation: scalar: {%s: %s, unit: %s}", side, kind, unit.Name),
				"scalar: %s is text, but the row does not say that it is a %s", w.paths[side][0], kind)
			return false
		}
		if sides[plan.Spoke].Kind == v1alpha1.NotationString && sides[plan.Hub].Kind == v1alpha1.NotationString {
			b.problem(w, "remove it, or map the text to a number", "scalar: both sides are text, but unit is for a number")
			return false
		}
		if text := slices.IndexFunc(sides[:], func(n mapping.Notation) bool { return n.Kind == v1alpha1.NotationString }); text >= 0 && unit.Name != "" {
			b.problem(w, fmt.Sprintf("write the notation of the text %s and the unit of the number: scalar: {%s: duration, unit: s}; units of time are %s", w.paths[text][0], plan.Side(text), families()[0].units),
				"scalar: %q is not a unit", unit.Name)
			return false
		}
		b.problem(w, "write the unit of each side: unit: {spoke: s, hub: ms}", "scalar: both sides are plain numbers, which need two units")
		return false
	}
	for _, f := range families() {
		spoke, _, ok := f.find(names[plan.Spoke])
		hub, _, okHub := f.find(names[plan.Hub])
		if ok && okHub {
			sides[plan.Spoke].Unit, sides[plan.Hub].Unit = spoke, hub
			return true
		}
	}
	for _, f := range families() {
		if spoke, hub := f.nearestUnit(names[plan.Spoke]), f.nearestUnit(names[plan.Hub]); spoke != "" && hub != "" {
			b.problem(w, fmt.Sprintf("did you mean unit: {spoke: %s, hub: %s}?", diagnose.Word(jsontext.Quote(nil, spoke)), diagnose.Word(jsontext.Quote(nil, hub))), "scalar: %q and %q are not units of %s", names[plan.Spoke], names[plan.Hub], f.name)
			return false
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(families(), func(f family) bool { _, _, ok := f.find(name); return ok }) {
			b.problem(w, "units of time are "+families()[0].units+"; those of quantities "+families()[1].units+", and 1; those of percentages % and 1", "scalar: %q is not a unit", name)
			return false
		}
	}
	b.problem(w, "use two units of time (ns, us, ms, s, m, h, d), two suffixes of quantities (1 for none), or % and 1",
		"scalar: %q and %q are not units of the same kind", names[plan.Spoke], names[plan.Hub])
	return false
}
