package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// differs compares two objects of one version as the laws do, but for what the
// table drops on the way that was taken. An object around a dropped place may go with
// it, if it held nothing else but its defaults: where only one version has that object,
// nothing is left of it on the way. And where the hub has it around what it is dropped
// from, it may come in its place.
func (t *trip) differs(want, got *tree.Value) []tree.Difference {
	through := []string{t.version}
	for _, step := range t.steps {
		through = append(through, step.From, step.To)
	}
	return t.s.differences(want, got, t.version, t.s.dropped(t.version, through))
}

// differences compares two objects of a version without the places that are dropped.
func (s *Subject) differences(want, got *tree.Value, version string, drops []places.Pattern) []tree.Difference {
	left, right := s.comparable(want, version, drops), s.comparable(got, version, drops)
	diff := tree.Diff(left, right)
	if len(diff) == 0 || len(drops) == 0 {
		return diff
	}
	before, after := s.comparable(want, version, nil), s.comparable(got, version, nil)
	lost := !tree.Equal(before, left) || s.standsForDropped(version, drops) || s.droppedByDefault(version, drops)
	if !lost && tree.Equal(after, right) {
		return diff // neither holds anything that is dropped
	}
	excused := func(d tree.Difference) bool {
		if !slices.ContainsFunc(drops, func(p places.Pattern) bool { return places.LeadsTo(d.Path, p) }) {
			return false
		}
		switch {
		case d.Right == nil: // it went, with what was dropped from it
			return d.Left.Kind == tree.Object && !tree.Equal(d.Left, before.At(d.Path)) &&
				(s.barren(d.Left, d.Path, version, drops) || s.hollow(d.Left, d.Path, version, drops))
		case d.Left == nil: // it came
			return d.Right.Kind == tree.Object && (lost || !tree.Equal(d.Right, after.At(d.Path))) &&
				(s.barren(d.Right, d.Path, version, drops) || s.comesWithDropped(d, version, drops))
		}
		return false
	}
	diff = slices.DeleteFunc(diff, func(d tree.Difference) bool {
		return excused(d) || s.withinBarren(d.Path, version, drops, left, right)
	})
	if len(diff) == 0 {
		return nil
	}
	return diff
}

// comesWithDropped reports whether an object is what comes of one of the hub that is empty:
// that around a dropped place.
func (s *Subject) comesWithDropped(d tree.Difference, version string, drops []places.Pattern) bool {
	hub := s.Table.Spec.Hub
	return version != hub && slices.ContainsFunc(drops, func(p places.Pattern) bool {
		around := tree.NewObject()
		around.Set("apiVersion", tree.NewString(s.apiVersion(hub)))
		around.Set("kind", tree.NewString(s.CRD.Spec.Names.Kind))
		if len(p) < 2 || slices.ContainsFunc(p, func(step tree.Step) bool { return step.IsIndex }) || !around.Put(tree.Path(p[:len(p)-1]), tree.NewObject()) {
			return false
		}
		shown, problem := s.convert(s.converter, around.Append(nil), version)
		v, err := tree.Parse(shown)
		if problem != "" || err != nil {
			return false
		}
		came := s.comparable(v, version, drops).At(d.Path)
		return came != nil && tree.Equal(came, d.Right)
	})
}

// standsForDropped reports whether a table has a word for the absence of a place of a
// version that is dropped on the way: where nothing stands, something is dropped.
func (s *Subject) standsForDropped(version string, drops []places.Pattern) (stands bool) {
	for _, v := range s.Table.Spec.Versions {
		if v.Name != version {
			continue
		}
		places.EachRow(v.Rows, nil, nil, func(r v1alpha1.Row, spoke, _ []places.Pattern) {
			stands = stands || r.Default != nil && r.Default.Spoke != nil && slices.ContainsFunc(spoke, func(p places.Pattern) bool {
				return slices.ContainsFunc(drops, func(d places.Pattern) bool { return slices.Equal(p, d) })
			})
		})
	}
	return stands
}

// droppedByDefault reports whether the hub has a default that holds what is dropped on the
// way: without it, what is around it stands there, and the default is no more.
func (s *Subject) droppedByDefault(version string, drops []places.Pattern) bool {
	hub := s.Table.Spec.Hub
	return version != hub && slices.ContainsFunc(drops, func(p places.Pattern) bool {
		for n := 1; n < len(p); n++ {
			schema := s.schemaAt(tree.Path(p[:n]), hub)
			if schema == nil || schema.Default.Object == nil {
				continue
			}
			whole := tree.FromAny(schema.Default.Object)
			without := whole.Clone()
			places.Cut(without, p[n:])
			if !tree.Equal(whole, without) {
				return true
			}
		}
		return false
	})
}

// withinBarren reports whether a place is in an object around a dropped place that has
// come or gone with it where its absence stands for its default: of the two, one is
// barren and the other that default.
func (s *Subject) withinBarren(at tree.Path, version string, drops []places.Pattern, want, got *tree.Value) bool {
	for n := len(at) - 1; n > 0; n-- {
		around := at[:n]
		schema := s.schemaAt(around, version)
		if schema == nil || schema.Default.Object == nil || !slices.ContainsFunc(drops, func(p places.Pattern) bool { return places.LeadsTo(around, p) }) {
			continue
		}
		whole := withDefaults(tree.FromAny(schema.Default.Object), schema)
		one, other := want.At(around), got.At(around)
		isWhole := func(v *tree.Value) bool { return v == nil || tree.Equal(withDefaults(v, schema), whole) }
		isBarren := func(v *tree.Value) bool {
			return v != nil && v.Kind == tree.Object && s.barren(v, around, version, drops)
		}
		if isWhole(one) && isBarren(other) || isBarren(one) && isWhole(other) {
			return true
		}
	}
	return false
}

// hollow reports whether an object held nothing but what was dropped from it, where its
// absence stands for nothing else.
func (s *Subject) hollow(v *tree.Value, at tree.Path, version string, drops []places.Pattern) bool {
	if schema := s.schemaAt(at, version); schema == nil || schema.Default.Object != nil {
		return false
	}
	var isHollow func(v *tree.Value, at tree.Path) bool
	isHollow = func(v *tree.Value, at tree.Path) bool {
		return v.Kind == tree.Object && slices.ContainsFunc(drops, func(p places.Pattern) bool { return places.LeadsTo(at, p) }) &&
			!slices.ContainsFunc(v.Members, func(m tree.Member) bool { return !isHollow(m.Value, at.Name(m.Name)) })
	}
	return isHollow(v, at)
}

// barren reports whether an object is what the API server makes of an empty one,
// but for objects in it that are barren, too, and on the way to a dropped place.
func (s *Subject) barren(v *tree.Value, at tree.Path, version string, drops []places.Pattern) bool {
	schema := s.schemaAt(at, version)
	if schema == nil {
		return false
	}
	empty := withDefaults(tree.NewObject(), schema)
	for _, p := range drops {
		if places.LeadsTo(at, p) {
			places.Cut(empty, p[len(at):])
		}
	}
	bare := func(v *tree.Value) *tree.Value {
		v = v.Clone()
		v.Members = slices.DeleteFunc(v.Members, func(m tree.Member) bool {
			next := at.Name(m.Name)
			return m.Value.Kind == tree.Object && slices.ContainsFunc(drops, func(p places.Pattern) bool { return places.LeadsTo(next, p) }) && s.barren(m.Value, next, version, drops)
		})
		return v
	}
	return tree.Equal(bare(empty), bare(v))
}
