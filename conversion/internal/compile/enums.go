package compile

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// copiedPair is a pair of fields whose values are copied unchanged.
type copiedPair struct {
	// row is the row that maps them, or nil if they are the same in both versions. own says that
	// they are the fields of the row themselves, and not inside these.
	row     *writtenRow
	own     bool
	schemas [2]*schema.Schema
	// full are their paths from the roots of the versions. at are their paths from the element or
	// object that rows for them would start at.
	full, at [2]path.Path
	// whole are the paths of the pair that a variant moves at once.
	whole [2]path.Path
	// within returns where a row for them must be written.
	within func(row string) string
	// claimed are the members that rows name.
	claimed []string
}

// warnEnums warns of values that one version allows, and that are copied to a field whose enum
// lacks them. Such objects can be read in the other version, but not written. at are paths in the
// scope.
func (b *builder) warnEnums(w *writtenRow, at [2]path.Path, schemas [2]*schema.Schema) {
	b.warnPassing(b.copiedPair(w, at, schemas))
}

// copiedPair makes a pair of fields of the scope.
func (b *builder) copiedPair(w *writtenRow, at [2]path.Path, schemas [2]*schema.Schema) copiedPair {
	p := copiedPair{row: w, own: w != nil && !w.implied, schemas: schemas, at: at, within: b.rowIn}
	if w != nil && w.implied {
		p.within = b.rowAround().withRows
	}
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		p.full[side] = b.fullPath(side, at[side])
	}
	return p
}

func (b *builder) warnPassing(p copiedPair) {
	s, h := p.schemas[plan.Spoke], p.schemas[plan.Hub]
	if s == nil || h == nil {
		return
	}
	b.warnEnum(p, plan.Spoke)
	b.warnEnum(p, plan.Hub)
	b.warnMissing(p)
	for _, name := range slices.Sorted(maps.Keys(s.Members)) {
		inner := p
		inner.own, inner.schemas = false, [2]*schema.Schema{s.Members[name], h.Members[name]}
		for side := range p.at {
			inner.at[side], inner.full[side] = p.at[side].Child(name), p.full[side].Child(name)
		}
		b.warnPassing(inner)
	}
	for _, elements := range [...][2]*schema.Schema{{s.Items, h.Items}, {s.Values, h.Values}} {
		inner := p
		inner.own, inner.schemas, inner.at = false, elements, [2]path.Path{}
		inner.within = func(row string) string { return p.remedyRow("each: {rows: [" + row + "]}") }
		b.warnPassing(inner)
	}
}

func (b *builder) warnEnum(p copiedPair, from plan.Side) {
	allowed, enum := p.schemas[from].Enum, p.schemas[from.Other()].Enum
	refused := slices.DeleteFunc(slices.Clone(allowed), func(v []byte) bool {
		return v[0] == 'n' || slices.ContainsFunc(enum, func(e []byte) bool { return bytes.Equal(e, v) })
	})
	if len(enum) == 0 || len(allowed) > 0 && len(refused) == 0 {
		return
	}
	values := "any value"
	if len(allowed) > 0 {
		values = string(bytes.Join(refused, []byte(", ")))
	}
	other := b.versions[from.Other()]
	b.warnOf(p, diagnose.Problem{
		Message: fmt.Sprintf("%s allows %s in %s, but %s only allows %s in %s: other values are passed unchanged, but an object with such a value can't be written in %s",
			b.versions[from], values, p.full[from], other, bytes.Join(enum, []byte(", ")), p.full[from.Other()], other),
		Remedy: p.enumsRemedy(),
	})
}

// warnOf adds a warning about a pair of fields, with the row that maps them, or the objects
// around them.
func (b *builder) warnOf(p copiedPair, warning diagnose.Problem) {
	warning.Table, warning.Version = b.table, b.versions[plan.Spoke]
	w, uses, around := p.row, slices.Clone(b.uses), b.rowAround()
	if around != nil && (w == nil || w.implied) {
		w = around.w
	}
	if w != nil {
		nameRow(&warning, w)
		uses = append(uses, diagnose.Use{Place: w.prefix})
	}
	// If alternatives have common rows, or no rows, one remedy is for all.
	switch {
	case around != nil && around.w.hasMapping("variant") && around.w.hasCommonRows(around.part):
		uses = append(uses, diagnose.Use{Place: around.at})
	case p.row != nil && p.row.hasMapping("variant"):
		uses = append(uses, diagnose.Use{Place: p.whole})
	}
	shape := warning.Without(uses)
	if p.row != nil && p.row.hasMapping("variant") {
		shape.Spoke, shape.Hub = "", ""
	}
	b.found.Warn(warning, shape)
}

// remedyRow returns the row that an author has to write, with what it must have.
func (p copiedPair) remedyRow(what string) string {
	if p.own {
		return "add to the row: " + what
	}
	return p.within(diagnose.Row(p.at, what))
}

// enumsRemedy returns the remedy for fields with different enums: a row that maps the common values to
// themselves, and keeps all others. If both have an enum and no value in common, the row shows how
// to map a value. An enum with only null has no value that could be mapped.
func (p copiedPair) enumsRemedy() string {
	enums := [2][][]byte{p.schemas[plan.Spoke].Enum, p.schemas[plan.Hub].Enum}
	spoke, hub := diagnose.Words(enums[plan.Spoke]), diagnose.Words(enums[plan.Hub])
	if len(spoke) == 0 && len(enums[plan.Spoke]) > 0 || len(hub) == 0 && len(enums[plan.Hub]) > 0 {
		return "write a one-sided row for each of the two fields, which keeps the values for their own version"
	}
	if len(spoke) == 0 { // any value
		spoke = hub
	}
	if len(hub) == 0 {
		hub = spoke
	}
	var values []string
	for _, v := range spoke {
		if slices.Contains(hub, v) {
			values = append(values, v+": "+v)
		}
	}
	advice := "map the values, and keep other values: "
	if len(values) == 0 {
		values = []string{spoke[0] + ": " + hub[0]}
		advice = "map each value to the one with the same meaning, and keep other values, for example with "
	}
	return advice + p.remedyRow("values: {"+strings.Join(values, ", ")+"}, closed: true"+p.defaultsRemedy(values))
}

// defaultsRemedy returns what a row that maps values needs in addition if only one side has a default.
func (p copiedPair) defaultsRemedy(values []string) string {
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		d := p.schemas[side].Default
		if p.own || d == nil || p.schemas[side.Other()].Default != nil {
			continue
		}
		means := "..."
		if text := diagnose.Word(d); slices.Contains(values, text+": "+text) {
			means = text
		}
		return fmt.Sprintf(", default: {%s: %s}", side.Other(), means)
	}
	return ""
}
