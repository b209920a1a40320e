package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// ownOfText reports whether a difference is in a part of a text that its data can't represent. Only
// the owner has that part, so its entry needs no guard.
func (f *forgery) ownOfText(d tree.Difference) bool {
	if !f.real || d.Left == nil || d.Right == nil || d.Left.Kind != tree.String || d.Right.Kind != tree.String {
		return false
	}
	of := f.spoke()
	var data []places.Pattern
	places.EachRow(f.s.rows(of, of), nil, nil, func(r v1alpha1.Row, mine, theirs []places.Pattern) {
		if f.owner == f.s.Table.Spec.Hub {
			mine, theirs = theirs, mine
		}
		if r.Text != "" && slices.ContainsFunc(mine, func(p places.Pattern) bool { return places.Covers(p, d.Path) }) {
			data = theirs
		}
	})
	to := f.s.Table.Spec.Hub
	if to == f.owner {
		to = f.live.version
	}
	shows := func(text *tree.Value) *tree.Value {
		v := withoutOurs(f.out.value)
		v.Put(d.Path, text)
		out, _ := f.s.convert(f.s.converter, v.Append(nil), to)
		shown, _ := tree.Parse(out)
		return f.s.comparable(shown, to, nil)
	}
	isData := func(d tree.Difference) bool {
		return slices.ContainsFunc(data, func(p places.Pattern) bool { return places.Covers(p, d.Path) || places.LeadsTo(d.Path, p) })
	}
	return data != nil && !slices.ContainsFunc(tree.Diff(shows(d.Left), shows(d.Right)), isData)
}
