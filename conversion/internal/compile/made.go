package compile

import (
	"fmt"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// maker is a field that a row writes, which makes the objects around it.
type maker struct {
	w       *writtenRow
	at      path.Path
	operand int
}

// warnMade warns of a required field in an object that rows make, or of such an object itself, if a
// row fills it that may have no value. If no row fills it, that is an error reported elsewhere.
func (b *builder) warnMade(all []*writtenRow) {
	for _, to := range [...]plan.Side{plan.Spoke, plan.Hub} {
		makers := makersOf(all, to)
		for i := range makers {
			b.warnHole(&makers[i], to)
		}
		var constants []maker
		for _, w := range all {
			if side, single := w.onlySide(); single && side == to && w.Constant != nil {
				constants = append(constants, maker{w, w.paths[to][0], 0})
			}
		}
		seen := map[string]bool{}
		for _, m := range makers {
			for n := 1; n < len(m.at); n++ {
				if at := m.at[:n]; b.schemas[to.Other()].At(at) == nil && !seen[at.String()] {
					seen[at.String()] = true
					b.warnObject(makers, to, at)
					if len(makersUnder(constants, at)) == 0 {
						b.warnWhole(makersUnder(makers, at), to, at)
					}
				}
			}
		}
	}
}

// makersOf returns the fields of a side that rows write without computing them.
func makersOf(all []*writtenRow, to plan.Side) []maker {
	var makers []maker
	for _, w := range all {
		if _, single := w.onlySide(); single || w.hasMapping("cel") || w.hasMapping("func") || w.index == plan.None && !w.deep && w.parts == nil {
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

// makersUnder returns the makers at a path and below it.
func makersUnder(makers []maker, at path.Path) []maker {
	return slices.DeleteFunc(slices.Clone(makers), func(m maker) bool { return len(m.at) < len(at) || !slices.Equal(m.at[:len(at)], at) })
}

// warnObject warns of required fields that may be missing in an object that only one version has.
func (b *builder) warnObject(makers []maker, to plan.Side, at path.Path) {
	object := b.schemas[to].At(at)
	inside := makersUnder(makers, at)
	for _, name := range object.Required {
		member, place := object.Member(name), at.Child(name)
		fillers := makersUnder(inside, place)
		if member == nil || member.Default != nil || len(fillers) == 0 {
			continue
		}
		for _, other := range inside {
			if len(makersUnder([]maker{other}, place)) > 0 || slices.ContainsFunc(fillers, func(f maker) bool { return b.isMadeWith(&f, &other, to) }) {
				continue
			}
			f := &fillers[0]
			where := "an object has no " + placeText(f.w.side(to.Other()))
			switch {
			case f.isOptional(to):
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

// warnWhole warns of an object that only one version has and requires, inside an object that both
// have, if the row that makes it may have no value. If there are several such rows, they usually
// are alternatives, of which one is present.
func (b *builder) warnWhole(inside []maker, to plan.Side, at path.Path) {
	around := at[:len(at)-1]
	object := b.schemas[to].At(at)
	if !b.schemas[to].At(around).Requires(at[len(at)-1]) || b.schemas[to.Other()].At(around) == nil || object.Default != nil || object.DefaultsInside() {
		return
	}
	m := &inside[0]
	if slices.ContainsFunc(inside, func(o maker) bool { return o.w != m.w || o.mayWriteAnyway() || b.isMadeIfPresent(&o, around, to) }) {
		return
	}
	reason := m.w.absentFor(to)
	if reason == "" {
		reason = fmt.Sprintf("%s does not require %s, from which it is made", b.versions[to.Other()], placeText(m.w.side(to.Other())))
	}
	b.warning(m.w, b.fillRemedy(m, to), "%s requires %s, but %s: an object without it still converts, but a client that changes it in %s has to add the field",
		b.versions[to], b.fullPath(to, at), reason, b.versions[to])
}

// warnHole warns of a field of a template that may be missing in an object that both versions have,
// if one version requires it.
func (b *builder) warnHole(m *maker, to plan.Side) {
	if !m.w.hasMapping("template") {
		return
	}
	around, name := m.at[:len(m.at)-1], m.at[len(m.at)-1]
	object := b.schemas[to].At(around)
	if b.schemas[to.Other()].At(around) == nil || !object.Requires(name) || object.Member(name).Default != nil || b.isMadeIfPresent(m, around, to) {
		return
	}
	from := m.w.side(to.Other())
	reason := fmt.Sprintf("%s does not require %s", b.versions[to.Other()], placeText(from))
	switch {
	case m.isOptional(to):
		reason = "the template may omit it"
	case m.w.absentFor(to) != "":
		reason = m.w.absentFor(to)
	}
	b.warning(m.w, b.fillRemedy(m, to), "%s requires %s, but %s: an object without it still converts, but a client that changes it in %s has to add the field",
		b.versions[to], b.fullPath(to, m.at), reason, b.versions[to])
}

// fillRemedy returns the remedy for a field that may be missing.
func (b *builder) fillRemedy(m *maker, to plan.Side) string {
	from := to.Other()
	if m.w.absentFor(to) != "" {
		return neverAbsent
	}
	if m.isOptional(to) {
		return fmt.Sprintf("add a default to it in the %s schema, or remove the brackets around it in the template", b.versions[to])
	}
	remedy := fmt.Sprintf("add a default to %s in the %s schema", placeText(m.w.side(from)), b.versions[from])
	if s := m.w.schemas[from][0]; !m.w.hasMapping("template") && !s.IsObject() && s.Type != "array" {
		remedy += fmt.Sprintf(", or write the value that its absence means: default: {%s: ...}", from)
	}
	return remedy
}

// isOptional reports whether the field is an optional placeholder.
func (m *maker) isOptional(to plan.Side) bool {
	if !m.w.hasMapping("template") || m.w.side(to).Named == nil {
		return false
	}
	return slices.Contains(optionalHoles(m.w.Template), m.w.names[to][m.operand])
}

// mayWriteAnyway reports whether a maker may write its field although the fields that it reads are absent.
func (m *maker) mayWriteAnyway() bool { return !m.w.keepsPresence() && !m.w.hasMapping("template") }

// isMadeWith reports whether a maker writes its field whenever another one does.
func (b *builder) isMadeWith(m, other *maker, to plan.Side) bool {
	if m.isOptional(to) {
		return false
	}
	return m.w == other.w || m.mayWriteAnyway() ||
		slices.ContainsFunc(other.w.paths[to.Other()], func(p path.Path) bool { return b.isMadeIfPresent(m, p, to) })
}

// isMadeIfPresent reports whether a maker writes its field whenever a field of the other version, or
// something inside it, is present.
func (b *builder) isMadeIfPresent(m *maker, there path.Path, to plan.Side) bool {
	from := to.Other()
	if m.w.absentFor(to) != "" {
		return false
	}
	if m.w.absentFor(from) != "" {
		return true
	}
	if m.isOptional(to) {
		return false
	}
	for i, p := range m.w.paths[from] {
		hole := maker{w: m.w, operand: i}
		if !hole.isOptional(from) && !isPresentWith(b.schemas[from], p, there) {
			return false
		}
	}
	return true
}

// isPresentWith reports whether a field is present whenever another one of its version is.
func isPresentWith(s *schema.Schema, p, other path.Path) bool {
	return s.At(p) != nil && len(mayBeAbsent(s, p, other)) == 0
}

// mayBeAbsent returns the field and the objects around it that may be missing when another field of
// the version is present.
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
