package verify

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// following checks that what only A has of an element follows the element when
// the B view's list is reordered, or elements are put in and taken out: it looks
// for elements whose content in the B view, as the rows alone produce it, is
// found once before and once after the edit.
type following struct {
	spoke bool // A is the spoke, and B the hub
	diff  []tree.Difference
}

// states are the states of one place: in A before, in the B view before, in the
// edited view as the rows alone produce it, in A after, and in the edited view.
type states [5]*tree.Value

func (s states) at(mine, theirs tree.Path) states {
	return states{s[0].At(mine), s[1].At(theirs), s[2].At(theirs), s[3].At(mine), s[4].At(theirs)}
}

func (s states) all(kind tree.Kind) bool {
	return !slices.ContainsFunc(s[:], func(v *tree.Value) bool { return v == nil || v.Kind != kind })
}

func (f *following) ends(r v1alpha1.Row) (mine, theirs []places.Pattern) {
	if f.spoke {
		return places.Of(nil, r.Spoke), places.Of(nil, r.Hub)
	}
	return places.Of(nil, r.Hub), places.Of(nil, r.Spoke)
}

// scope looks for lists in an object that rows are relative to.
func (f *following) scope(p tree.Path, rows []v1alpha1.Row, mine, theirs *structuralschema.Structural, v states) {
	var claimed []places.Pattern
	for _, r := range rows {
		a, b := f.ends(r)
		claimed = append(append(claimed, a...), b...)
		if r.Each != nil && len(a) == 1 && len(b) == 1 && !r.Each.Unique {
			// Edits may break the promise that keys are unique.
			f.list(append(p[:len(p):len(p)], a[0]...), r.Each.Rows, under(mine, a[0]), under(theirs, b[0]), v.at(tree.Path(a[0]), tree.Path(b[0])))
		}
	}
	f.shared(p, nil, claimed, mine, theirs, v)
}

// shared looks for lists that both versions have at the same path.
func (f *following) shared(p, at tree.Path, claimed []places.Pattern, mine, theirs *structuralschema.Structural, v states) {
	if !v.all(tree.Object) {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(mine.Properties)) {
		next := at.Name(name)
		a := mine.Properties[name]
		b, both := theirs.Properties[name]
		if !both || slices.ContainsFunc(claimed, func(c places.Pattern) bool { return slices.Equal(c, places.Pattern(next)) }) {
			continue
		}
		inner := v.at(tree.Names(name), tree.Names(name))
		switch {
		case a.Type == "object" && b.Type == "object":
			f.shared(p.Name(name), next, claimed, &a, &b, inner)
		case a.Type == "array" && b.Type == "array":
			f.list(p.Name(name), nil, &a, &b, inner)
		}
	}
}

func (f *following) list(p tree.Path, rows []v1alpha1.Row, mine, theirs *structuralschema.Structural, v states) {
	if mine == nil || theirs == nil || mine.Items == nil || theirs.Items == nil || !v.all(tree.List) ||
		len(v[0].Items) != len(v[1].Items) || len(v[2].Items) != len(v[3].Items) || len(v[2].Items) != len(v[4].Items) {
		return
	}
	// Of elements that an edit gives one key, the first has it.
	clash := func(j int) bool {
		for _, keyed := range []*structuralschema.Structural{mine, theirs} {
			if len(keyed.XListMapKeys) == 0 {
				continue
			}
			for i, other := range v[2].Items {
				if i != j && other.Kind == tree.Object && v[2].Items[j].Kind == tree.Object && draw.SameKey(keyed, other, v[2].Items[j]) {
					return true
				}
			}
		}
		return false
	}
	for i, content := range v[1].Items {
		equal := func(other *tree.Value) bool { return tree.Equal(content, other) }
		j := slices.IndexFunc(v[2].Items, equal)
		if j < 0 || slices.ContainsFunc(v[2].Items[j+1:], equal) || slices.ContainsFunc(v[1].Items[i+1:], equal) || slices.ContainsFunc(v[1].Items[:i], equal) {
			continue
		}
		if clash(j) {
			continue
		}
		element := states{v[0].Items[i], content, v[2].Items[j], v[3].Items[j], v[4].Items[j]}
		if !element.all(tree.Object) || !equal(element[4]) {
			continue
		}
		f.private(p.Index(i), rows, mine.Items, theirs.Items, element)
		f.scope(p.Index(i), rows, mine.Items, theirs.Items, element)
	}
}

// private compares the members of an element that only A has.
func (f *following) private(p tree.Path, rows []v1alpha1.Row, mine, theirs *structuralschema.Structural, v states) {
	for _, name := range slices.Sorted(maps.Keys(mine.Properties)) {
		if _, both := theirs.Properties[name]; both {
			continue
		}
		tied := slices.ContainsFunc(rows, func(r v1alpha1.Row) bool {
			a, _ := f.ends(r)
			return slices.ContainsFunc(a, func(c places.Pattern) bool { return c[0].Name == name })
		})
		if tied {
			continue
		}
		for _, d := range tree.Diff(v[0].Get(name), v[3].Get(name)) {
			f.diff = append(f.diff, tree.Difference{Path: append(p.Name(name), d.Path...), Left: d.Left, Right: d.Right})
		}
	}
}

// under returns the schema at a path of names.
func under(s *structuralschema.Structural, p places.Pattern) *structuralschema.Structural {
	for _, step := range p {
		next, ok := s.Properties[step.Name]
		if !ok {
			return nil
		}
		s = &next
	}
	return s
}
