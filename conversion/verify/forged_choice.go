package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// inChoice reports whether a difference is at a place of a variant with rows of which a
// changed entry is about another place: what is kept of a value, of what says which
// alternative it is, and of the alternatives belongs together.
func (f *forgery) inChoice(d tree.Difference) bool {
	of := f.spoke()
	tables := f.s.tables(of, of)
	var among func(rows []v1alpha1.Row, at places.Pattern) bool
	among = func(rows []v1alpha1.Row, at places.Pattern) bool {
		return slices.ContainsFunc(rows, func(r v1alpha1.Row) bool {
			own := places.Of(at, r.Spoke)
			if of != f.owner {
				own = places.Of(at, r.Hub)
			}
			about := func(e *tree.Value) bool { return touches(e, own, nil) }
			isTied := func(p places.Pattern) bool { return ties(p, d) }
			if places.Chooses(r) && slices.ContainsFunc(own, isTied) && slices.ContainsFunc(f.changed, about) {
				return true
			}
			return slices.ContainsFunc(own, func(p places.Pattern) bool {
				if !places.Covers(p, d.Path) {
					return false
				}
				element := append(p[:len(p):len(p)], tree.Step{Index: -1, IsIndex: true})
				return among(tables[r.Table], p) || slices.ContainsFunc(r.Inner(), func(i v1alpha1.Inner) bool {
					inner := slices.Concat(*i.Rows, tables[i.Table])
					return r.Each == nil && among(inner, p) || places.Covers(element, d.Path) && among(inner, element)
				})
			})
		})
	}
	return among(f.s.rows(of, of), nil)
}
