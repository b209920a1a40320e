package verify

import (
	"slices"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// onlyAdded reports whether an object holds something that another one lacks, and beside
// that no more than defaults; or but for objects of which this is true.
func onlyAdded(v, other *tree.Value, of *structuralschema.Structural) bool {
	if v == nil || of == nil || !objects(v, other) {
		return false
	}
	added := false
	for _, m := range v.Members {
		had := other.Get(m.Name)
		inside := of.Properties[m.Name]
		without := v.Clone()
		without.Set(m.Name, nil)
		switch {
		case had == nil, onlyAdded(m.Value, had, &inside):
			added = true
		case tree.Equal(withDefaults(without, of).Get(m.Name), m.Value):
		default:
			return false
		}
	}
	return added
}

// continued reports whether a list has all elements of another one, in their order, or
// such as are like them.
func continued(list, more *tree.Value, like func(item, other *tree.Value) bool) bool {
	if kindOf(list) != tree.List || kindOf(more) != tree.List {
		return false
	}
	rest := more.Items
	for _, item := range list.Items {
		i := slices.IndexFunc(rest, func(other *tree.Value) bool { return like(item, other) })
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}

// keyPlaces are where generated keys are.
var keyPlaces = []tree.Path{
	tree.Names("name"), tree.Names("id"), tree.Names("port"), tree.Names("meta", "name"), tree.Names("about", "name"),
}

// keysOf are the places by which the elements of a list under one table are known under
// the other. Where both tie a key to the same place, and rows make other values of it than
// before, that is not what it was, and the element is; but where the hub shows another
// key, it is to another spoke as if somebody had edited that, and so it is where the list
// is tied to another one by now.
func (e *evolving) keysOf(list tree.Path) []tree.Path {
	tied, translated := e.s.keyRows()
	before, translatedBefore := e.s.earlier.keyRows()
	hub := e.s.Table.Spec.Hub
	if e.between() || hub != e.stored && hub != e.owner || !slices.Equal(tied, before) || !slices.Equal(e.tiedTo(e.s, list), e.tiedTo(e.s.earlier, list)) {
		return keyPlaces
	}
	return slices.DeleteFunc(slices.Clone(keyPlaces), func(key tree.Path) bool {
		return slices.Contains(translated, key.String()) || slices.Contains(translatedBefore, key.String())
	})
}

// tiedTo are the places that the rows of a table tie a place of the owner to on the way
// to the stored version.
func (e *evolving) tiedTo(s *Subject, at tree.Path) (all []string) {
	for _, v := range s.Table.Spec.Versions {
		if v.Name != e.owner && v.Name != e.stored {
			continue
		}
		places.EachRow(v.Rows, nil, nil, func(_ v1alpha1.Row, spoke, hub []places.Pattern) {
			if v.Name != e.owner {
				spoke, hub = hub, spoke
			}
			for _, p := range spoke {
				if len(p) == len(at) && places.Covers(p, at) {
					for _, q := range hub {
						all = append(all, tree.Path(q).String())
					}
				}
			}
		})
	}
	return all
}

// keyRows are which places of keys rows tie to other ones, and those of which they make
// another value.
func (s *Subject) keyRows() (tied, translated []string) {
	eachRowOf(s.Table, func(r *v1alpha1.Row) {
		spoke, hub := places.Of(nil, r.Spoke), places.Of(nil, r.Hub)
		isKey := func(p places.Pattern) bool {
			return slices.ContainsFunc(keyPlaces, func(key tree.Path) bool { return slices.Equal(p, places.Pattern(key)) })
		}
		if len(spoke) != 1 || len(hub) != 1 || !isKey(spoke[0]) && !isKey(hub[0]) {
			return
		}
		ends := []string{tree.Path(spoke[0]).String(), tree.Path(hub[0]).String()}
		if ends[0] != ends[1] {
			tied = append(tied, ends[0]+" "+ends[1])
		}
		if r.Values != nil || r.Template != "" || r.Scalar != nil {
			translated = append(translated, ends...)
		}
	})
	slices.Sort(tied)
	return tied, translated
}

// aligned reports whether the elements of two lists, where they are lists, are the same
// ones: they have the same keys.
func aligned(a, b *tree.Value, keys []tree.Path) bool {
	if kindOf(a) != tree.List || kindOf(b) != tree.List {
		return true
	}
	if len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Items {
		for _, key := range keys {
			if !tree.Equal(a.Items[i].At(key), b.Items[i].At(key)) {
				return false
			}
		}
	}
	return true
}

// reordered reports whether an element of one list stands at another place in another
// one, be it that one of them has more in it.
func reordered(a, b *tree.Value) bool {
	if kindOf(a) != tree.List || kindOf(b) != tree.List || len(a.Items) != len(b.Items) {
		return false
	}
	for i, item := range a.Items {
		same := func(other *tree.Value) bool { return tree.Equal(item, other) }
		like := func(other *tree.Value) bool { return within(item, other) || within(other, item) }
		if !same(b.Items[i]) && slices.ContainsFunc(b.Items, same) || !like(b.Items[i]) && slices.ContainsFunc(b.Items, like) {
			return true
		}
	}
	return false
}

// sameElements reports whether two lists have the same elements, in whatever order.
func sameElements(a, b *tree.Value) bool {
	return kindOf(a) == tree.List && kindOf(b) == tree.List && len(a.Items) == len(b.Items) &&
		!slices.ContainsFunc(a.Items, func(item *tree.Value) bool { return count(a, item) != count(b, item) })
}

// count is how many elements of a list are like one.
func count(list, like *tree.Value) int {
	n := 0
	for _, item := range list.Items {
		if tree.Equal(item, like) {
			n++
		}
	}
	return n
}

// twins reports whether a list has equal elements without a key.
func twins(list *tree.Value) bool {
	return keyless(list) && slices.ContainsFunc(list.Items, func(item *tree.Value) bool { return count(list, item) > 1 })
}

// others reports whether an element of one list is another one than that of the other
// list: either has something that the other lacks.
func others(a, b *tree.Value) bool {
	for i := range a.Items {
		if !within(a.Items[i], b.Items[i]) && !within(b.Items[i], a.Items[i]) {
			return true
		}
	}
	return false
}

// keyless reports whether a list has elements without a key, or several with one.
func keyless(list *tree.Value) bool {
	seen := map[string]bool{}
	return slices.ContainsFunc(list.Items, func(item *tree.Value) bool {
		text, has := "", false
		for _, key := range keyPlaces {
			text, has = text+" "+item.At(key).String(), has || item.At(key) != nil
		}
		twice := seen[text]
		seen[text] = true
		return !has || twice
	})
}

func kindOf(v *tree.Value) tree.Kind {
	if v == nil {
		return tree.Null
	}
	return v.Kind
}

// objects reports whether all of the values that are there are objects.
func objects(values ...*tree.Value) bool {
	return !slices.ContainsFunc(values, func(v *tree.Value) bool { return v != nil && v.Kind != tree.Object })
}

// lists reports whether all values are lists of one length.
func lists(values ...*tree.Value) bool {
	return !slices.ContainsFunc(values, func(v *tree.Value) bool {
		return v == nil || v.Kind != tree.List || values[0] == nil || len(v.Items) != len(values[0].Items)
	})
}

func memberNames(values ...*tree.Value) []string {
	var names []string
	for _, v := range values {
		if v == nil {
			continue
		}
		for _, m := range v.Members {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
