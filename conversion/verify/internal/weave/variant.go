package weave

import (
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// variantMapping maps alternatives to a discriminated union.
func (w *weaver) variantMapping(sc scope) {
	words := []string{"A", "B", "web"}[:2+w.Rand.IntN(2)]
	if w.Chance(50) {
		w.union(sc, words)
		return
	}
	w.discriminator(sc, words)
}

// union maps alternatives to a type and a value.
func (w *weaver) union(sc scope, words []string) {
	value := newScalar([]string{"string", "integer"}[w.Rand.IntN(2)])
	if w.Chance(30) {
		value = newObject()
		value.add("x", w.scalar())
	}
	alternatives := func(into *shape, at tree.Path) *v1alpha1.Place {
		named := map[string]string{}
		for _, word := range words {
			name := w.name()
			into.add(name, value.clone()).schema.Nullable = w.Chance(12)
			named[word] = at.Name(name).String()
		}
		return &v1alpha1.Place{Named: named}
	}
	tagged := func(into *shape, at tree.Path) *v1alpha1.Place {
		word, held := w.name(), w.name()
		w.kind(into.add(word, newScalar("string")))
		into.add(held, value.clone()).schema.Nullable = w.Chance(12)
		return &v1alpha1.Place{Named: map[string]string{"type": at.Name(word).String(), "value": at.Name(held).String()}}
	}
	mine, theirs := alternatives, tagged
	if w.Chance(50) {
		mine, theirs = theirs, mine
	}
	hub := theirs(sc.hub, nil)
	for _, e := range sc.ends {
		if e.object == nil || e.rows == nil || w.Chance(15) {
			continue
		}
		w.Seen.Count("table/variant with a value")
		there := map[string]string{}
		for name, path := range hub.Named {
			inner, _ := places.Parse(path)
			there[name] = append(e.there[:len(e.there):len(e.there)], inner...).String()
		}
		e.add(v1alpha1.Row{Spoke: mine(e.object, e.here), Hub: &v1alpha1.Place{Named: there}, Variant: &v1alpha1.Variant{}})
	}
}

// kind makes a discriminator of a string.
func (w *weaver) kind(s *shape) {
	s.schema.Nullable = w.Chance(12)
	if w.Chance(15) {
		s.schema.Default = &apiextensionsv1.JSON{Raw: []byte(`"A"`)}
	}
}

// discriminator maps the presence of fields, which other rows map or which are the same in both
// versions, to a word.
func (w *weaver) discriminator(sc scope, words []string) {
	flip := w.Chance(50)
	var names []string
	for range words {
		name := w.name()
		alternative := sc.hub.add(name, newObject())
		alternative.add("x", w.scalar())
		alternative.schema.Nullable = w.Chance(12)
		if w.Chance(40) {
			alternative.add("h", w.scalar())
		}
		names = append(names, name)
	}
	word := w.name()
	if !flip {
		w.kind(sc.hub.add(word, newScalar("string")))
	}
	for _, e := range sc.ends {
		if e.object == nil || e.rows == nil || w.Chance(15) {
			continue
		}
		w.Seen.Count("table/variant without a value")
		watched := map[string]string{}
		for i, name := range names {
			mine := newObject()
			mine.add("x", sc.hub.props[name].props["x"].clone()).schema.Default = nil
			at := e.here.Name(name)
			if !e.same || w.Chance(50) {
				at = e.here.Name(w.name())
				e.add(v1alpha1.Row{Spoke: place(at), Hub: place(e.there.Name(name))})
			}
			e.object.add(at[len(at)-1].Name, mine)
			watched[words[i]] = at.String()
			if flip {
				watched[words[i]] = e.there.Name(name).String()
			}
		}
		row := v1alpha1.Row{Spoke: &v1alpha1.Place{Named: watched}, Hub: place(e.there.Name(word)), Variant: &v1alpha1.Variant{}}
		if flip {
			own := w.name()
			w.kind(e.object.add(own, newScalar("string")))
			row.Spoke, row.Hub = place(e.here.Name(own)), row.Spoke
		}
		e.add(row)
	}
}
