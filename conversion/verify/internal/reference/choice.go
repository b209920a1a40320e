package reference

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// choice finds which of several alternatives is present, and converts it.
func (s side) choice(r v1alpha1.Row, v, out *tree.Value, from, to *schema) {
	source, target := s.ends(r)
	word := s.word(r, source, v)
	if word == "" || places.Union(target) && !isDeclared(to, s.path(&v1alpha1.Place{Path: target.Named["type"]})) {
		return // below the end of the schemas the row is left out
	}
	if places.Union(target) {
		out.Put(s.path(&v1alpha1.Place{Path: target.Named["type"]}), tree.NewString(word))
	}
	for _, a := range places.Alternatives(r) {
		mine, theirs := a.Spoke, a.Hub
		if !s.toHub {
			mine, theirs = a.Hub, a.Spoke
		}
		value := v.At(s.path(mine))
		if a.Name != word || value == nil || value.Kind == tree.Null {
			continue
		}
		made, ok := s.alternative(value, s.rowsOf(a.Rows, a.Table), at(from, s.path(mine)), at(to, s.path(theirs)))
		if ok && made != nil && made.Kind != tree.Null {
			out.Put(s.path(theirs), made.Clone())
		}
	}
}

// word returns the value of the discriminator, or the one that it would have.
func (s side) word(r v1alpha1.Row, source *v1alpha1.Place, v *tree.Value) string {
	if places.Union(source) {
		if kind := v.At(s.path(&v1alpha1.Place{Path: source.Named["type"]})); kind != nil && kind.Kind == tree.String {
			return kind.Text
		}
		return ""
	}
	var found []string
	for name, text := range source.Named {
		if value := v.At(s.path(&v1alpha1.Place{Path: text})); value != nil && value.Kind != tree.Null {
			found = append(found, name)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// alternative converts the value of an alternative.
func (s side) alternative(v *tree.Value, rows []v1alpha1.Row, from, to *schema) (*tree.Value, bool) {
	for _, r := range rows {
		if len(r.Inner()) == 0 || r.Spoke == nil || r.Hub == nil || r.Spoke.Path != "." || r.Hub.Path != "." {
			continue
		}
		// A row maps what is inside a value, which must be an object or a list.
		if !holds(from, v) {
			return nil, false
		}
		r.Spoke, r.Hub = &v1alpha1.Place{Path: ".it"}, &v1alpha1.Place{Path: ".it"}
		in := func(of *schema) *schema { return &schema{Type: "object", Properties: map[string]schema{"it": *of}} }
		out := tree.NewObject()
		s.row(r, tree.NewObject(tree.Member{Name: "it", Value: v}), out, in(from), in(to))
		return out.Get("it"), true
	}
	return s.whole(v, rows, from, to, nil)
}

// watches reports whether a row only reads whether the field of an alternative is present.
func (s side) watches(r v1alpha1.Row, p tree.Path) bool {
	if !places.Chooses(r) {
		return false
	}
	all := r.Spoke
	if places.Union(all) {
		all = r.Hub
	}
	return slices.ContainsFunc(r.Variant.Elsewhere, func(name string) bool {
		return slices.Equal(s.path(&v1alpha1.Place{Path: all.Named[name]}), p)
	})
}
