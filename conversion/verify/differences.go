package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// differs compares two objects of one version as the laws do: without the fields that the table
// drops on the way. The object around a dropped field may be missing if it had nothing else but its
// defaults, because no version on the way has anything of it. And such an object may have been
// added, if the hub has it around the dropped field. Then it shows what rows make of the default of
// the dropped field, and of the absence of everything else.
func (t *trip) differs(want, got *tree.Value) []tree.Difference {
	through := []string{t.version}
	for _, step := range t.steps {
		through = append(through, step.From, step.To)
	}
	drops := t.s.dropped(t.version, through)
	diff := t.s.differences(want, got, t.version, drops)
	if len(diff) == 0 || len(drops) == 0 {
		return diff
	}
	anew := t.s.comparable(t.s.droppedInHub(want, t.version, through), t.version, drops)
	diff = slices.DeleteFunc(diff, func(d tree.Difference) bool {
		leads := slices.ContainsFunc(drops, func(p places.Pattern) bool { return places.LeadsTo(d.Path, p) })
		return leads && d.Left == nil && d.Right.Kind == tree.Object && tree.Equal(anew.At(d.Path), d.Right)
	})
	if len(diff) == 0 {
		return nil
	}
	return diff
}

// droppedInHub converts an object to the hub, gives the fields that are dropped on the way their
// defaults, and converts it back, all without stashes. It returns an empty object if it can't.
func (s *Subject) droppedInHub(v *tree.Value, version string, through []string) *tree.Value {
	hub := s.Table.Spec.Hub
	for _, to := range []string{hub, version} {
		text, problem := s.convert(s.converter, withoutOurs(v).Append(nil), to)
		there, err := tree.Parse(text)
		if problem != "" || err != nil {
			return tree.NewObject()
		}
		if v = there; to == hub {
			for _, p := range s.dropped(hub, through) {
				places.Cut(v, p)
			}
			v = withDefaults(v, s.schemas[hub])
		}
	}
	return v
}

// differences compares two objects of a version without the places that are dropped.
func (s *Subject) differences(want, got *tree.Value, version string, drops []places.Pattern) []tree.Difference {
	left, right := s.comparable(want, version, drops), s.comparable(got, version, drops)
	diff := tree.Diff(left, right)
	if len(diff) == 0 || len(drops) == 0 {
		return diff
	}
	before, after := s.comparable(want, version, nil), s.comparable(got, version, nil)
	lost := !tree.Equal(before, left) || s.hasDefaultForDropped(version, drops)
	if !lost && tree.Equal(after, right) {
		return diff // neither has a dropped field
	}
	excused := func(d tree.Difference) bool {
		if !slices.ContainsFunc(drops, func(p places.Pattern) bool { return places.LeadsTo(d.Path, p) }) {
			return false
		}
		switch {
		case d.Right == nil: // the object is missing, with what was dropped from it
			return d.Left.Kind == tree.Object && !tree.Equal(d.Left, before.At(d.Path)) &&
				(s.isBarren(d.Left, d.Path, version, drops) || s.hadOnlyDropped(d.Left, d.Path, version, drops))
		case d.Left == nil: // the object was added
			return d.Right.Kind == tree.Object && (lost || !tree.Equal(d.Right, after.At(d.Path))) &&
				s.isBarren(d.Right, d.Path, version, drops)
		}
		return false
	}
	diff = slices.DeleteFunc(diff, excused)
	if len(diff) == 0 {
		return nil
	}
	return diff
}

// hasDefaultForDropped reports whether a row has a default for the absence of a field that is
// dropped on the way. Then dropping the field adds that default.
func (s *Subject) hasDefaultForDropped(version string, drops []places.Pattern) (has bool) {
	for _, v := range s.Table.Spec.Versions {
		if v.Name != version {
			continue
		}
		places.EachRow(v.Rows, nil, nil, func(r v1alpha1.Row, spoke, _ []places.Pattern) {
			has = has || r.Default != nil && r.Default.Spoke != nil && slices.ContainsFunc(spoke, func(p places.Pattern) bool {
				return slices.ContainsFunc(drops, func(d places.Pattern) bool { return slices.Equal(p, d) })
			})
		})
	}
	return has
}

// hadOnlyDropped reports whether an object had nothing but what was dropped from it, and no default fills
// in its absence.
func (s *Subject) hadOnlyDropped(v *tree.Value, at tree.Path, version string, drops []places.Pattern) bool {
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

// isBarren reports whether an object is what the API server makes of an empty one. Objects in it may
// be barren, too, if they are on the way to a dropped field.
func (s *Subject) isBarren(v *tree.Value, at tree.Path, version string, drops []places.Pattern) bool {
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
			return m.Value.Kind == tree.Object && slices.ContainsFunc(drops, func(p places.Pattern) bool { return places.LeadsTo(next, p) }) && s.isBarren(m.Value, next, version, drops)
		})
		return v
	}
	return tree.Equal(bare(empty), bare(v))
}
