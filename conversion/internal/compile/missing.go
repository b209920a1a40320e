package compile

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// isPastEnd reports whether a table that is used within itself has reached the end of a schema: one of
// the versions has none of the row's fields.
func (b *builder) isPastEnd(w *writtenRow, schemas [2]*schema.Schema) bool {
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		if p := w.side(side); p != nil && !hasAny(p, schemas[side]) {
			return true
		}
	}
	return false
}

// namesNothing reports whether neither version has any field of a row of a named table here: tables may
// be for similar objects, not all of which have every field. A row without fields wherever its
// table is used is a mistake, which checkMissing reports.
func (b *builder) namesNothing(w *writtenRow, schemas [2]*schema.Schema, root bool) bool {
	if len(w.within) == 0 {
		return false
	}
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		if p := w.side(side); p != nil && hasAny(p, schemas[side]) {
			b.found.present[w.title] = true
			return false
		}
	}
	m := emptyUse{near: w.hasSimilar(schemas), report: func() {
		for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
			if w.side(side) != nil {
				b.resolve(w, side, schemas[side], root)
			}
		}
	}}
	if first, known := b.found.missing[w.title]; !known || m.near && !first.near {
		b.found.missing[w.title] = m
	}
	return true
}

// checkMissing reports the rows of named tables without fields wherever these tables are used.
func (b *builder) checkMissing() {
	for _, title := range slices.Sorted(maps.Keys(b.found.missing)) {
		if !b.found.present[title] {
			b.found.missing[title].report()
		}
	}
}

// emptyUse is a use of a named table in which a row has no fields.
type emptyUse struct {
	// near says that there is a similar field, which the author may have meant.
	near   bool
	report func()
}

// hasSimilar reports whether the schemas have a field that is similar to one of the row.
func (w *writtenRow) hasSimilar(schemas [2]*schema.Schema) bool {
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		if p := w.side(side); p != nil {
			for _, text := range textsOf(p) {
				if at, err := path.Parse(text); err == nil && diagnose.Nearest(schemas[side], at) != "" {
					return true
				}
			}
		}
	}
	return false
}

// hasAny reports whether a schema has one of the paths of a place.
func hasAny(p *v1alpha1.Place, s *schema.Schema) bool {
	return slices.ContainsFunc(textsOf(p), func(text string) bool { return isIn(s, text) })
}

// textsOf returns the paths of a place as they are written.
func textsOf(p *v1alpha1.Place) []string {
	if p.Named == nil {
		return []string{p.Path}
	}
	return slices.Collect(maps.Values(p.Named))
}

func isIn(s *schema.Schema, text string) bool {
	p, err := path.Parse(text)
	// Mistakes are reported when the path is read.
	return err != nil || s.At(p) != nil || slices.ContainsFunc(prefixes(p), func(p path.Path) bool { at := s.At(p); return at != nil && at.Type == "array" })
}

func prefixes(p path.Path) []path.Path {
	all := make([]path.Path, len(p))
	for i := range p {
		all[i] = p[:i]
	}
	return all
}
