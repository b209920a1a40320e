package reference

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// isOnlyRead reports whether a row only reads whether the fields of a side are present.
func isOnlyRead(r v1alpha1.Row, place, other *v1alpha1.Place) bool {
	return r.Variant != nil && place != nil && place.Named != nil && other != nil && other.Named == nil
}

// variant sets the discriminator by the alternative that is present, or puts the value into an
// alternative.
func (s side) variant(r v1alpha1.Row, source, target *v1alpha1.Place, v, out *tree.Value, to *schema) {
	word := func(p *v1alpha1.Place) tree.Path {
		if p.Named == nil {
			return s.path(p)
		}
		return s.path(&v1alpha1.Place{Path: p.Named["type"]})
	}
	held := func(p *v1alpha1.Place) *v1alpha1.Place { return &v1alpha1.Place{Path: p.Named["value"]} }
	put := func(p tree.Path, value *tree.Value) {
		if value.Kind != tree.Null || nullable(at(to, p)) {
			out.Put(p, value.Clone())
		}
	}
	tagged := source.Named == nil || len(source.Named) == 2 && source.Named["value"] != "" && source.Named["type"] != ""
	if tagged {
		if source.Named == nil {
			return
		}
		kind, value := v.At(word(source)), v.At(s.path(held(source)))
		if kind == nil || value == nil || kind.Kind != tree.String || target.Named[kind.Text] == "" {
			return
		}
		put(s.path(&v1alpha1.Place{Path: target.Named[kind.Text]}), value)
		return
	}
	var found []string
	for _, name := range slices.Sorted(maps.Keys(source.Named)) {
		value := v.At(s.path(&v1alpha1.Place{Path: source.Named[name]}))
		if value != nil && (value.Kind != tree.Null || target.Named != nil) {
			found = append(found, name)
		}
	}
	if len(found) != 1 {
		return
	}
	if target.Named != nil {
		value := v.At(s.path(&v1alpha1.Place{Path: source.Named[found[0]]}))
		if value.Kind == tree.Null && !nullable(at(to, s.path(held(target)))) {
			return
		}
		put(s.path(held(target)), value)
	}
	put(word(target), tree.NewString(found[0]))
}
