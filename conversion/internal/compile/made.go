package compile

import (
	"fmt"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// maker is a place that a row writes, and that makes the objects around it.
type maker struct {
	w       *written
	at      path.Path
	operand int
}

// warnMade warns of what a version requires in an object that rows make, or of such an
// object itself, where a row fills it that may have nothing to fill it with. What no row
// fills is an error elsewhere.
func (b *builder) warnMade(all []*written) {
	for _, to := range [...]plan.Side{plan.Spoke, plan.Hub} {
		makers := makersOf(all, to)
		for i := range makers {
			b.warnHole(&makers[i], to)
		}
		var constants []maker
		for _, w := range all {
			if side, single := w.single(); single && side == to && w.Constant != nil {
				constants = append(constants, maker{w, w.paths[to][0], 0})
			}
		}
		seen := map[string]bool{}
		for _, m := range makers {
			for n := 1; n < len(m.at); n++ {
				if at := m.at[:n]; b.schemas[to.Other()].At(at) == nil && !seen[at.String()] {
					seen[at.String()] = true
					b.warnObject(makers, to, at)
					if len(under(constants, at)) == 0 {
						b.warnWhole(under(makers, at), to, at)
					}
				}
			}
		}
	}
}

// makersOf returns the places of a side that rows write, but for those that are computed.
func makersOf(all []*written, to plan.Side) []maker {
	var makers []maker
	for _, w := range all {
		if _, single := w.single(); single || w.is("cel") || w.is("func") || w.index == plan.None && !w.deep && w.parts == nil {
			continue
		}
		for i, p := range w.paths[to] {
			if len(p) > 0 && !w.watches(to, i) {
				makers = append(makers, maker{w, p, i})
			}
		}
	}
	return makers
}

// under returns the makers of what is at a place and in it.
func under(makers []maker, at path.Path) []maker {
	return slices.DeleteFunc(slices.Clone(makers), func(m maker) bool { return len(m.at) < len(at) || !slices.Equal(m.at[:len(at)], at) })
}

// warnObject warns of what may be missing in an object that only one version has.
func (b *builder) warnObject(makers []maker, to plan.Side, at path.Path) {
	object := b.schemas[to].At(at)
	inside := under(makers, at)
	for _, name := range object.Required {
		member, place := object.Member(name), at.Child(name)
		fillers := under(inside, place)
		if member == nil || member.Default != nil || len(fillers) == 0 {
			continue
		}
		for _, other := range inside {
			if len(under([]maker{other}, place)) > 0 || slices.ContainsFunc(fillers, func(f maker) bool { return b.surelyWith(&f, &other, to) }) {
				continue
			}
			f := &fillers[0]
			where := "an object has no " + placeText(f.w.side(to.Other()))
			switch {
			case f.optional(to):
				where = "the part in brackets is missing"
			case f.w.absentFor(to) != "":
				where = f.w.absentFor(to)
			}
			b.warning(f.w, b.fillRemedy(f, to),
				"%s requires %s in %s, which %s creates without it if %s: such an object still converts, but a client that changes it in %s has to add the field",
				b.versions[to], b.fullPath(to, place), b.fullPath(to, at), other.w.title, where, b.versions[to])
			break
		}
	}
}

// warnWhole warns of an object that only one version has, and that it requires in one
// that both have, if the row that makes it may have nothing to make it of. Where there are
// several, these are alternatives as a rule, of which one is there.
func (b *builder) warnWhole(inside []maker, to plan.Side, at path.Path) {
	around := at[:len(at)-1]
	object := b.schemas[to].At(at)
	if !b.schemas[to].At(around).Requires(at[len(at)-1]) || b.schemas[to.Other()].At(around) == nil || object.Default != nil || object.DefaultsInside() {
		return
	}
	m := &inside[0]
	if slices.ContainsFunc(inside, func(o maker) bool { return o.w != m.w || o.unknown() || b.surelyIn(&o, around, to) }) {
		return
	}
	reason := m.w.absentFor(to)
	if reason == "" {
		reason = fmt.Sprintf("%s does not require %s, from which it is made", b.versions[to.Other()], placeText(m.w.side(to.Other())))
	}
	b.warning(m.w, b.fillRemedy(m, to), "%s requires %s, but %s: an object without it still converts, but a client that changes it in %s has to add the field",
		b.versions[to], b.fullPath(to, at), reason, b.versions[to])
}

// warnHole warns of a place of a template that may be missing in an object that both
// versions have, and that one requires.
func (b *builder) warnHole(m *maker, to plan.Side) {
	if !m.w.is("template") {
		return
	}
	around, name := m.at[:len(m.at)-1], m.at[len(m.at)-1]
	object := b.schemas[to].At(around)
	if b.schemas[to.Other()].At(around) == nil || !object.Requires(name) || object.Member(name).Default != nil || b.surelyIn(m, around, to) {
		return
	}
	from := m.w.side(to.Other())
	reason := fmt.Sprintf("%s does not require %s", b.versions[to.Other()], placeText(from))
	switch {
	case m.optional(to):
		reason = "the template may omit it"
	case m.w.absentFor(to) != "":
		reason = m.w.absentFor(to)
	}
	b.warning(m.w, b.fillRemedy(m, to), "%s requires %s, but %s: an object without it still converts, but a client that changes it in %s has to add the field",
		b.versions[to], b.fullPath(to, m.at), reason, b.versions[to])
}

// fillRemedy says how what a maker fills comes to be there always.
func (b *builder) fillRemedy(m *maker, to plan.Side) string {
	from := to.Other()
	if m.w.absentFor(to) != "" {
		return neverAbsent
	}
	if m.optional(to) {
		return fmt.Sprintf("add a default to it in the %s schema, or remove the brackets around it in the template", b.versions[to])
	}
	remedy := fmt.Sprintf("add a default to %s in the %s schema", placeText(m.w.side(from)), b.versions[from])
	if s := m.w.schemas[from][0]; !m.w.is("template") && !s.IsObject() && s.Type != "array" {
		remedy += fmt.Sprintf(", or write the value that its absence means: default: {%s: ...}", from)
	}
	return remedy
}

// optional reports whether the place is a hole in brackets.
func (m *maker) optional(to plan.Side) bool {
	if !m.w.is("template") || m.w.side(to).Named == nil {
		return false
	}
	return slices.Contains(bracketed(m.w.Template), m.w.names[to][m.operand])
}

// unknown reports whether a maker writes something for other reasons than that its places
// are there.
func (m *maker) unknown() bool { return !m.w.comesAndGoes() && !m.w.is("template") }

// surelyWith reports whether a maker writes its place wherever another writes its own.
func (b *builder) surelyWith(m, other *maker, to plan.Side) bool {
	if m.optional(to) {
		return false
	}
	return m.w == other.w || m.unknown() ||
		slices.ContainsFunc(other.w.paths[to.Other()], func(p path.Path) bool { return b.surelyIn(m, p, to) })
}

// surelyIn reports whether a maker writes its place wherever a place of the other version,
// or what is in it, is there.
func (b *builder) surelyIn(m *maker, there path.Path, to plan.Side) bool {
	from := to.Other()
	if m.w.absentFor(to) != "" {
		return false
	}
	if m.w.absentFor(from) != "" {
		return true
	}
	if m.optional(to) {
		return false
	}
	for i, p := range m.w.paths[from] {
		hole := maker{w: m.w, operand: i}
		if !hole.optional(from) && !alwaysIn(b.schemas[from], p, there) {
			return false
		}
	}
	return true
}

// alwaysIn reports whether a place is there wherever another of its version is.
func alwaysIn(s *schema.Schema, p, other path.Path) bool {
	return s.At(p) != nil && len(mayBeAbsent(s, p, other)) == 0
}

// mayBeAbsent returns the objects around a place, and the place itself, that may be missing where
// another place of the version is there.
func mayBeAbsent(s *schema.Schema, p, other path.Path) (absent []path.Path) {
	for i, name := range p {
		shared := i < len(other) && slices.Equal(p[:i+1], other[:i+1])
		next := s.Member(name)
		if !shared && !s.Requires(name) && next.Default == nil {
			absent = append(absent, p[:i+1])
		}
		s = next
	}
	return absent
}
