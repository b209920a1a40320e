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

// kept is the other half of L2: an edit of the B view leaves alone what only A
// has, as long as the object around it is still there; in lists by key, the
// element with its key.
func (s *Subject) kept(c Case) *Counterexample {
	t := s.start(c).bare()
	before := t.value
	view := c.Through[0]
	t.to(view)
	viewed := t.value
	t.edit(c.Edits)
	edited, plain := t.value, t.fork().bare()
	t.to(c.From)
	if plain.to(c.From).bare().to(view); plain.broken != "" {
		return plain.counterexample(c, plain.broken, nil)
	}
	if t.broken != "" {
		return t.counterexample(c, t.broken, nil)
	}
	if !s.unique(edited, view) {
		return nil // whose is it, where two elements have the key of one?
	}
	k := keeping{claimed: s.claimed(c.From, view)}
	for _, name := range slices.Compact([]string{view, s.Table.Spec.Hub}) {
		if name != c.From {
			k.others = append(k.others, s.schemas[name])
		}
	}
	first, last := s.comparable(before, c.From, nil), s.comparable(t.value, c.From, nil)
	k.object(nil, s.schemas[c.From], k.others, first, edited, last)
	if hub := s.Table.Spec.Hub; (c.From == hub || view == hub) && !s.dropsInElements() {
		f := following{spoke: view == hub}
		v := states{first, s.comparable(viewed, view, nil), s.comparable(plain.value, view, nil), last, s.comparable(edited, view, nil)}
		f.scope(nil, s.rows(c.From, view), s.schemas[c.From], s.schemas[view], v)
		k.diff = append(k.diff, f.diff...)
	}
	if k.diff != nil {
		return t.counterexample(c, "an edit elsewhere changed what only "+c.From+" has", k.diff)
	}
	return nil
}

// dropsInElements says whether some version's table drops a part of elements.
// Without it, elements may be equal that are not equal with it.
func (s *Subject) dropsInElements() bool {
	found := false
	for _, v := range s.Table.Spec.Versions {
		places.EachRow(v.Rows, nil, nil, func(r v1alpha1.Row, spoke, hub []places.Pattern) {
			for _, p := range slices.Concat(spoke, hub) {
				found = found || r.Drop != "" && slices.ContainsFunc(p, func(step tree.Step) bool { return step.IsIndex })
			}
		})
	}
	return found
}

// rows returns the rows between the hub and a spoke.
func (s *Subject) rows(one, other string) []v1alpha1.Row {
	for _, v := range s.Table.Spec.Versions {
		if v.Name == one || v.Name == other {
			return v.Rows
		}
	}
	return nil
}

type keeping struct {
	claimed []places.Pattern
	others  []*structuralschema.Structural
	diff    []tree.Difference
}

// claimed lists the places of a version that rows tie, for a trip to another.
func (s *Subject) claimed(of, to string) []places.Pattern {
	var out []places.Pattern
	for _, v := range s.Table.Spec.Versions {
		if v.Name != of && v.Name != to {
			continue
		}
		for _, r := range v.Rows {
			out = append(out, places.Of(nil, r.Spoke)...)
			out = append(out, places.Of(nil, r.Hub)...)
		}
	}
	return out
}

// Object compares what only the one version has in an object that all have.
func (k *keeping) object(p tree.Path, mine *structuralschema.Structural, others []*structuralschema.Structural, before, view, after *tree.Value) {
	for _, v := range []*tree.Value{before, view, after} {
		if v == nil || v.Kind != tree.Object {
			return
		}
	}
	for _, name := range slices.Sorted(maps.Keys(mine.Properties)) {
		at := p.Name(name)
		if len(p) == 0 && (name == "apiVersion" || name == "kind" || name == "metadata") {
			continue
		}
		exactly, inside := false, false
		for _, c := range k.claimed {
			if rest, ok := places.Below(places.Pattern(at), c); ok {
				exactly, inside = exactly || len(rest) == 0, true
			}
		}
		prop := mine.Properties[name]
		var theirs []*structuralschema.Structural
		for _, o := range others {
			if other, ok := o.Properties[name]; ok {
				theirs = append(theirs, &other)
			}
		}
		switch {
		case exactly:
		case len(theirs) == 0 && !inside:
			for _, d := range tree.Diff(before.Get(name), after.Get(name)) {
				k.diff = append(k.diff, tree.Difference{Path: append(at[:len(at):len(at)], d.Path...), Left: d.Left, Right: d.Right})
			}
		case len(theirs) < len(others):
		case prop.Type == "object":
			k.object(at, &prop, theirs, before.Get(name), view.Get(name), after.Get(name))
		case prop.Type == "array" && len(prop.XListMapKeys) > 0 && !inside:
			k.list(at, &prop, theirs, before.Get(name), view.Get(name), after.Get(name))
		}
	}
}

// list compares the elements with keys that each of the three lists has once.
func (k *keeping) list(p tree.Path, mine *structuralschema.Structural, others []*structuralschema.Structural, before, view, after *tree.Value) {
	var items []*structuralschema.Structural
	for _, o := range others {
		if !slices.Equal(o.XListMapKeys, mine.XListMapKeys) {
			return
		}
		items = append(items, o.Items)
	}
	if before == nil || view == nil || after == nil {
		return
	}
	for i, item := range before.Items {
		if item.Kind != tree.Object {
			continue
		}
		one := func(v *tree.Value) *tree.Value {
			var found *tree.Value
			for _, other := range v.Items {
				if other.Kind == tree.Object && draw.SameKey(mine, item, other) {
					if found != nil {
						return nil
					}
					found = other
				}
			}
			return found
		}
		complete := !slices.ContainsFunc(mine.XListMapKeys, func(key string) bool { return item.Get(key) == nil })
		if complete && one(before) != nil {
			k.object(p.Index(i), mine.Items, items, item, one(view), one(after))
		}
	}
}
