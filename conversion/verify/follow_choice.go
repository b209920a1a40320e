package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// choice checks the value of a variant, if it is the same alternative in all states.
func (f *follower) choice(p tree.Path, r v1alpha1.Row, of schemas, v states) {
	for _, a := range places.Alternatives(r) {
		mine, theirs, wholeMine, wholeTheirs := a.Hub, a.Spoke, r.Hub, r.Spoke
		if f.spoke {
			mine, theirs, wholeMine, wholeTheirs = a.Spoke, a.Hub, r.Spoke, r.Hub
		}
		at, there := places.Of(nil, mine)[0], places.Of(nil, theirs)[0]
		inner := of.at(at, there)
		if inner.mine == nil || inner.theirs == nil {
			continue
		}
		value := func(whole, place *v1alpha1.Place) func(*tree.Value) *tree.Value {
			return func(v *tree.Value) *tree.Value { return alternativeIn(v, whole, place, a.Name) }
		}
		place, rows := append(p[:len(p):len(p)], at...), f.rowsOf(a.Rows, a.Table)
		values := v.each(value(wholeMine, mine), value(wholeTheirs, theirs))
		if slices.Contains(values[:], nil) {
			continue // it is not this alternative, or not always
		}
		isWhole := func(r v1alpha1.Row) bool {
			return r.Spoke != nil && r.Spoke.Path == "." || r.Hub != nil && r.Hub.Path == "."
		}
		if slices.ContainsFunc(rows, isWhole) {
			f.scope(place, rows, inner, values)
		} else {
			f.element(place, rows, inner, values)
		}
	}
}

// alternativeIn returns the value of an alternative in an object, or nil if the object has another
// one.
func alternativeIn(v *tree.Value, whole, place *v1alpha1.Place, name string) *tree.Value {
	at := func(path string) *tree.Value {
		p, _ := places.Parse(path)
		return v.At(p)
	}
	if places.Union(whole) {
		if word := at(whole.Named["type"]); word == nil || word.Kind != tree.String || word.Text != name {
			return nil
		}
		return at(place.Path)
	}
	for other, path := range whole.Named {
		if value := at(path); other != name && value != nil && value.Kind != tree.Null {
			return nil
		}
	}
	return at(place.Path)
}
