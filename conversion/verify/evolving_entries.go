package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// entries are those that the stored object has in the stashes of a version.
func (e *evolving) entries(of string) []*tree.Value { return entriesIn(e.object, of) }

// hasKept reports whether the stored object has kept something for a version.
func (e *evolving) hasKept(version string) bool { return len(e.entries(version)) > 0 }

// denies reports whether a version has kept that nothing stood at a place.
func (e *evolving) denies(version string, at tree.Path) bool {
	return slices.ContainsFunc(e.entries(version), func(entry *tree.Value) bool {
		return entry.Get("value") == nil && entry.Get("order") == nil && slices.Equal(placeOf(entry.Get("at")), at)
	})
}

// says reports whether an entry says that something stood at a place, around it or in it.
func (e *evolving) says(at tree.Path) bool {
	return slices.ContainsFunc(e.entries(e.owner), func(entry *tree.Value) bool {
		value, to := entry.Get("value"), placeOf(entry.Get("at"))
		if value == nil && entry.Get("order") == nil {
			return false
		}
		if places.Covers(places.Pattern(to), at) {
			return value == nil || value.At(at[len(to):]) != nil
		}
		return places.LeadsTo(at, places.Pattern(to))
	})
}

// byContent reports whether an entry tells the elements of a list apart by their content.
func (e *evolving) byContent(list tree.Path) bool {
	isContent := func(step *tree.Value) bool {
		return step.Get("content") != nil || step.Get("step").Get("content") != nil
	}
	return slices.ContainsFunc(e.entries(e.owner), func(entry *tree.Value) bool {
		steps := slices.DeleteFunc(slices.Clone(entry.Get("at").Items), func(step *tree.Value) bool {
			return step.Get("part") != nil || step.Kind == tree.String && step.Text == "" // what stands alone
		})
		to := placeOf(tree.NewList(steps[:min(len(list), len(steps))]...))
		if len(to) < len(list) || !places.Covers(places.Pattern(to), list) {
			return false
		}
		if len(steps) > len(list) {
			return isContent(steps[len(list)])
		}
		return entry.Get("order") != nil && slices.ContainsFunc(entry.Get("order").Items, isContent)
	})
}

// hubFillsIn reports whether the table has a constant for what is in a list of the hub.
func (e *evolving) hubFillsIn(list tree.Path) (found bool) {
	for _, v := range e.s.Table.Spec.Versions {
		places.EachRow(v.Rows, nil, nil, func(r v1alpha1.Row, _, hub []places.Pattern) {
			found = found || r.Constant != nil && slices.ContainsFunc(hub, func(p places.Pattern) bool { return places.LeadsTo(list, p) })
		})
	}
	return found
}

// ordersParts reports whether an entry says in which order the elements of a list's parts
// stood.
func (e *evolving) ordersParts(at tree.Path) bool {
	return slices.ContainsFunc(e.entries(e.owner), func(entry *tree.Value) bool {
		to, order := placeOf(entry.Get("at")), entry.Get("order")
		return order != nil && len(to) == len(at) && places.Covers(places.Pattern(to), at) &&
			slices.ContainsFunc(order.Items, func(item *tree.Value) bool { return item.Get("part") != nil })
	})
}

// isInPart reports whether an entry is about what stood alone as a part of a list, or about an
// element of a part that was known by its content, of which what it is of the part by was
// none.
func (e *evolving) isInPart(at tree.Path) bool {
	return slices.ContainsFunc(e.entries(e.owner), func(entry *tree.Value) bool {
		steps := entry.Get("at").Items
		to := placeOf(entry.Get("at"))
		if len(to) != len(at) || !places.Covers(places.Pattern(to), at) || len(steps) <= len(to)+1 {
			return false
		}
		part, next := steps[len(to)].Get("part"), steps[len(to)+1]
		return part != nil && (next.Kind == tree.String && next.Text == "" || next.Get("content") != nil && e.s.earlier.matches(part.Text))
	})
}

// matches reports whether a part of some list is one by values of its elements.
func (s *Subject) matches(part string) (found bool) {
	eachRowOf(s.Table, func(r *v1alpha1.Row) {
		found = found || slices.ContainsFunc(r.Where, func(p v1alpha1.Part) bool { return p.Place == part && len(p.Match) > 0 })
	})
	return found
}

// guarded is where an entry with a guard is at a place, around it or in it: it holds
// only as long as the hub is what it was. It is nil where there is none.
func (e *evolving) guarded(at tree.Path) tree.Path {
	for _, entry := range e.entries(e.owner) {
		if entry.Get("guard") == nil {
			continue
		}
		var way []string
		for _, step := range entry.Get("at").Items {
			if step.Kind == tree.String && step.Text != "" { // else it stands alone
				way = append(way, step.Text)
			}
		}
		n := 0
		for i, step := range at {
			switch {
			case step.IsIndex:
			case n < len(way) && step.Name == way[n]:
				if n++; n == len(way) {
					return at[:i+1]
				}
			default:
				n = len(way) + 1
			}
		}
		if n <= len(way) {
			return at
		}
	}
	return nil
}

// guardedIn reports whether what was kept at a place is part of what has a guard where
// something stands now: that counts only if it changes nothing.
func (e *evolving) guardedIn(at tree.Path, liveNow *tree.Value) bool {
	entry := e.guarded(at)
	return entry != nil && liveNow.At(entry) != nil
}
