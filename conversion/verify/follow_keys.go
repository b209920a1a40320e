package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// byKey checks the elements of two lists in which a row identifies elements by a key: what only A
// has of an element stays with it, whatever else an edit does to the element or the list. It checks
// the elements whose key is unique in A and in the B view, before the edit and after it.
func (f *follower) byKey(p tree.Path, names v1alpha1.Names, rows []v1alpha1.Row, of schemas, v states) {
	items := of.items()
	if len(names) == 0 || items.mine == nil || items.theirs == nil || !v.all(tree.List) ||
		len(v[0].Items) != len(v[1].Items) || len(v[2].Items) != len(v[3].Items) || len(v[2].Items) != len(v[4].Items) {
		return
	}
	keys, owned := f.keysOf(names, rows), (&follower{spoke: !f.spoke}).keysOf(names, rows)
	lacks := func(item *tree.Value, key tree.Path) bool {
		is := item.At(key)
		return is == nil || is.Kind == tree.Null
	}
	for i, item := range v[1].Items {
		if slices.ContainsFunc(owned, func(key tree.Path) bool { return lacks(v[0].Items[i], key) }) {
			continue // for A the element has no key, even if a default of the view gives it one
		}
		j := onlyWith(v[4], item, keys)
		if j >= 0 && onlyWith(v[1], item, keys) == i {
			f.element(p.Index(i), rows, items, states{v[0].Items[i], item, v[2].Items[j], v[3].Items[j], v[4].Items[j]})
		}
	}
}

// keysOf returns the paths of keys in the B view. A key is mapped by a plain row, or is at the same
// path in both versions, in the innermost object that rows map.
func (f *follower) keysOf(names v1alpha1.Names, rows []v1alpha1.Row) []tree.Path {
	var keys []tree.Path
	for _, name := range names {
		key, ok := places.Parse(name)
		if !ok {
			key = tree.Names(name)
		}
		there, depth := key, -1
		for _, r := range rows {
			spoke, hub := places.Of(nil, r.Spoke), places.Of(nil, r.Hub)
			if !f.spoke || len(spoke) != 1 || len(hub) != 1 || len(spoke[0]) <= depth {
				continue
			}
			if rest, within := places.Below(spoke[0], places.Pattern(key)); within {
				there, depth = slices.Concat(tree.Path(hub[0]), tree.Path(rest)), len(spoke[0])
			}
		}
		keys = append(keys, there)
	}
	return keys
}

// onlyWith returns the number of the only element of a list with the key of an item, or -1.
func onlyWith(list, item *tree.Value, keys []tree.Path) int {
	found := -1
	for i, other := range list.Items {
		same := !slices.ContainsFunc(keys, func(key tree.Path) bool {
			a, b := item.At(key), other.At(key)
			return a == nil || a.Kind == tree.Null || !tree.Equal(a, b)
		})
		switch {
		case same && found >= 0:
			return -1
		case same:
			found = i
		}
	}
	return found
}
