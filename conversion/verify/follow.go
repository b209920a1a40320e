package verify

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// follower checks that what only A has of an element stays with that element, if the B view's list
// is reordered, or elements are inserted or deleted. It looks for elements whose content in the B
// view, as rows alone make it, occurs once before the edit and once after it.
type follower struct {
	spoke bool // A is the spoke, and B the hub
	// tables has the rows of the named tables.
	tables map[string][]v1alpha1.Row
	diff   []tree.Difference
}

func (f *follower) ends(r v1alpha1.Row) (mine, theirs []places.Pattern) {
	if f.spoke {
		return places.Of(nil, r.Spoke), places.Of(nil, r.Hub)
	}
	return places.Of(nil, r.Hub), places.Of(nil, r.Spoke)
}

// claims returns the fields of A and of the B view that rows name.
func (f *follower) claims(rows []v1alpha1.Row) (mine, theirs []places.Pattern) {
	for _, r := range rows {
		a, b := f.ends(r)
		mine, theirs = append(mine, a...), append(theirs, b...)
	}
	return mine, theirs
}

// scope checks the lists and maps in an object that rows are relative to.
func (f *follower) scope(p tree.Path, rows []v1alpha1.Row, of schemas, v states) {
	for _, r := range rows {
		f.row(p, r, of, v)
	}
	mine, theirs := f.claims(rows)
	f.shared(p, nil, append(mine, theirs...), of, v)
}

// shared checks the lists and maps that both versions have at the same path.
func (f *follower) shared(p, at tree.Path, claimed []places.Pattern, of schemas, v states) {
	if !v.all(tree.Object) {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(of.mine.Properties)) {
		next := at.Name(name)
		inner := of.at(places.Pattern(tree.Names(name)), places.Pattern(tree.Names(name)))
		if inner.theirs == nil || slices.ContainsFunc(claimed, func(c places.Pattern) bool { return slices.Equal(c, places.Pattern(next)) }) {
			continue
		}
		reached := slices.ContainsFunc(claimed, func(c places.Pattern) bool { return places.LeadsTo(next, c) })
		both, values := [2]string{inner.mine.Type, inner.theirs.Type}, v.at(tree.Names(name), tree.Names(name))
		switch {
		case both == [2]string{"array", "array"}:
			f.list(p.Name(name), nil, inner, values)
		case both != [2]string{"object", "object"}:
		case inner.ofMap() && !reached:
			f.byName(p.Name(name), nil, inner.values(), values)
		default:
			f.shared(p.Name(name), next, claimed, inner, values)
		}
	}
}

// list checks the elements of two lists.
func (f *follower) list(p tree.Path, rows []v1alpha1.Row, of schemas, v states) {
	items := of.items()
	if items.mine == nil || items.theirs == nil || !v.all(tree.List) ||
		len(v[0].Items) != len(v[1].Items) || len(v[2].Items) != len(v[3].Items) || len(v[2].Items) != len(v[4].Items) {
		return
	}
	for i, content := range v[1].Items {
		equal := func(other *tree.Value) bool { return tree.Equal(content, other) }
		j := slices.IndexFunc(v[2].Items, equal)
		if j < 0 || slices.ContainsFunc(v[2].Items[j+1:], equal) || slices.ContainsFunc(v[1].Items[i+1:], equal) || slices.ContainsFunc(v[1].Items[:i], equal) {
			continue
		}
		if of.hasKeyOfOne(v[2].Items[:j], v[2].Items[j]) {
			continue
		}
		element := states{v[0].Items[i], content, v[2].Items[j], v[3].Items[j], v[4].Items[j]}
		if equal(element[4]) {
			f.element(p.Index(i), rows, items, element)
		}
	}
}

// byName checks the values of two maps.
func (f *follower) byName(p tree.Path, rows []v1alpha1.Row, of schemas, v states) {
	if of.mine == nil || of.theirs == nil || !v.all(tree.Object) {
		return
	}
	for _, m := range v[0].Members {
		f.element(p.Name(m.Name), rows, of, v.at(tree.Names(m.Name), tree.Names(m.Name)))
	}
}

// element compares what only A has of an element, and checks the lists and maps in it.
func (f *follower) element(p tree.Path, rows []v1alpha1.Row, of schemas, v states) {
	mine, theirs := f.claims(rows)
	whole := func(c places.Pattern) bool { return len(c) == 0 }
	if !v.all(tree.Object) || slices.ContainsFunc(mine, whole) || slices.ContainsFunc(theirs, whole) {
		return
	}
	f.private(p, nil, append(mine, theirs...), of, v)
	f.scope(p, rows, of, v)
}

// private compares the members of an element that only A has. claimed has the fields of the element
// that rows name, and at is the path of the object in the element.
func (f *follower) private(p, at tree.Path, claimed []places.Pattern, of schemas, v states) {
	for _, name := range slices.Sorted(maps.Keys(of.mine.Properties)) {
		inner, next, values := of.at(places.Pattern(tree.Names(name)), places.Pattern(tree.Names(name))), at.Name(name), v.at(tree.Names(name), tree.Names(name))
		switch {
		case inner.theirs == nil:
			f.diff = append(f.diff, onlyMine(p, at, name, claimed, inner.mine, v[0], v[3])...)
		case slices.ContainsFunc(claimed, func(c places.Pattern) bool { return slices.Equal(c, places.Pattern(next)) }):
		case values.all(tree.Object):
			f.private(p.Name(name), next, claimed, inner, values)
		}
	}
}
