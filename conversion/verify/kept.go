package verify

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// checkKept checks the other half of L2: an edit of the B view does not change what only A has, if the
// object around it still exists. In lists with keys, it stays with the element that has the key.
func (s *Subject) checkKept(c Case) *Counterexample {
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
		return nil // if two elements have the key, it is not known whose it is
	}
	k := keptCheck{claimed: s.claimed(c.From, view)}
	for _, name := range slices.Compact([]string{view, s.Table.Spec.Hub}) {
		if name != c.From {
			k.others = append(k.others, s.schemas[name])
		}
	}
	first, last := s.comparable(before, c.From, nil), s.comparable(t.value, c.From, nil)
	k.object(nil, s.schemas[c.From], k.others, first, edited, last)
	if hub := s.Table.Spec.Hub; c.From == hub || view == hub {
		f := follower{spoke: view == hub, tables: s.tables(c.From, view)}
		through := s.Versions()
		if c.From == hub {
			// The hub's stash is written again on every trip, with a guard over all that the view
			// has of the element. That includes what only a third version drops.
			through = []string{view}
		}
		v := states{before, viewed, plain.value, t.value, edited}.each(
			func(v *tree.Value) *tree.Value { return s.comparable(v, c.From, s.dropped(c.From, s.Versions())) },
			func(v *tree.Value) *tree.Value { return s.comparable(v, view, s.dropped(view, through)) })
		f.scope(nil, s.rows(c.From, view), schemas{s.schemas[c.From], s.schemas[view]}, v)
		k.diff = append(k.diff, f.diff...)
	}
	if k.diff != nil {
		return t.counterexample(c, "an edit elsewhere changed what only "+c.From+" has", k.diff)
	}
	return nil
}

// rows returns the rows between the hub and a spoke.
func (s *Subject) rows(one, other string) []v1alpha1.Row {
	for _, v := range s.expanded.Spec.Versions {
		if v.Name == one || v.Name == other {
			return v.Rows
		}
	}
	return nil
}

// tables returns the named tables of the version that has rows.
func (s *Subject) tables(one, other string) map[string][]v1alpha1.Row {
	tables := maps.Clone(s.expanded.Spec.Tables)
	for _, v := range s.expanded.Spec.Versions {
		if v.Name == one || v.Name == other {
			if tables == nil {
				return v.Tables
			}
			maps.Copy(tables, v.Tables)
		}
	}
	return tables
}

type keptCheck struct {
	claimed []places.Pattern
	others  []*structuralschema.Structural
	diff    []tree.Difference
}

// claimed returns the fields of a version that rows map on a trip to another version.
func (s *Subject) claimed(of, to string) []places.Pattern {
	var out []places.Pattern
	for _, v := range s.expanded.Spec.Versions {
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

// object compares what only one version has in an object that all versions have.
func (k *keptCheck) object(p tree.Path, mine *structuralschema.Structural, others []*structuralschema.Structural, before, view, after *tree.Value) {
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
		open := false // a version keeps the field, although its schema does not name it
		for _, o := range others {
			if other, ok := o.Properties[name]; ok {
				theirs = append(theirs, &other)
			} else {
				open = open || o.XPreserveUnknownFields || o.AdditionalProperties != nil
			}
		}
		switch {
		case exactly, open:
		case len(theirs) == 0:
			k.diff = append(k.diff, onlyMine(p, p, name, k.claimed, &prop, before, after)...)
		case len(theirs) < len(others):
		case prop.Type == "object":
			k.object(at, &prop, theirs, before.Get(name), view.Get(name), after.Get(name))
		case prop.Type == "array" && len(prop.XListMapKeys) > 0 && !inside:
			k.list(at, &prop, theirs, before.Get(name), view.Get(name), after.Get(name))
		}
	}
}

// onlyMine compares what only A has of a member of an object if rows map other parts of it. What
// they map may be removed, and the objects around it; but what is kept is restored, with the
// objects around it. p is the path of the object, and at its path from where the rows' paths start.
// A field with its default is not kept: the API server adds it whenever the object around it
// exists.
func onlyMine(p, at tree.Path, name string, claimed []places.Pattern, of *structuralschema.Structural, before, after *tree.Value) (out []tree.Difference) {
	next := places.Pattern(at.Name(name))
	was, is := before.Get(name), after.Get(name)
	inside := slices.ContainsFunc(claimed, func(c places.Pattern) bool { _, in := places.Below(next, c); return in })
	switch {
	case slices.ContainsFunc(claimed, func(c places.Pattern) bool { return slices.Equal(c, next) }):
	case is == nil && was != nil && of.Default.Object != nil && tree.Equal(was, withDefaults(tree.FromAny(of.Default.Object), of)):
	case inside && was != nil && was.Kind == tree.Object && (is == nil || is.Kind == tree.Object):
		if is == nil {
			is = tree.NewObject()
		}
		for _, inner := range slices.Sorted(maps.Keys(of.Properties)) {
			prop := of.Properties[inner]
			out = append(out, onlyMine(p.Name(name), at.Name(name), inner, claimed, &prop, was, is)...)
		}
	case inside:
	default:
		for _, d := range tree.Diff(was, is) {
			out = append(out, tree.Difference{Path: append(p.Name(name), d.Path...), Left: d.Left, Right: d.Right})
		}
	}
	return out
}

// list compares the elements whose keys are unique in each of the three lists.
func (k *keptCheck) list(p tree.Path, mine *structuralschema.Structural, others []*structuralschema.Structural, before, view, after *tree.Value) {
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
