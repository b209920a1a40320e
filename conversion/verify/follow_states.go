package verify

import (
	"slices"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// states has the values of one place: in A before the edit, in the B view before it, in the edited
// view as rows alone make it, in A after the edit, and in the edited view.
type states [5]*tree.Value

func (s states) at(mine, theirs tree.Path) states {
	return s.each(
		func(v *tree.Value) *tree.Value { return v.At(mine) },
		func(v *tree.Value) *tree.Value { return v.At(theirs) })
}

// each applies one function to the states in A, and another one to those in the B view.
func (s states) each(mine, theirs func(*tree.Value) *tree.Value) states {
	return states{mine(s[0]), theirs(s[1]), theirs(s[2]), mine(s[3]), theirs(s[4])}
}

func (s states) all(kind tree.Kind) bool {
	return !slices.ContainsFunc(s[:], func(v *tree.Value) bool { return v == nil || v.Kind != kind })
}

// schemas has the schemas of one place in A and in the B view, or nil.
type schemas struct{ mine, theirs *structuralschema.Structural }

func (s schemas) at(mine, theirs places.Pattern) schemas {
	return schemas{schemaUnder(s.mine, mine), schemaUnder(s.theirs, theirs)}
}

func (s schemas) items() (items schemas) {
	if s.mine != nil && s.theirs != nil {
		items.mine, items.theirs = s.mine.Items, s.theirs.Items
	}
	return items
}

// values returns the schemas of the values of maps.
func (s schemas) values() schemas { return schemas{ofValues(s.mine), ofValues(s.theirs)} }

func (s schemas) ofMap() bool {
	of := s.values()
	return of.mine != nil && of.theirs != nil
}

func ofValues(s *structuralschema.Structural) *structuralschema.Structural {
	if s == nil || s.AdditionalProperties == nil {
		return nil
	}
	return s.AdditionalProperties.Structural
}

// hasKeyOfOne reports whether an element has the key of one before it. If an edit gives the same key to
// several elements, the first of them gets what was kept under the key.
func (s schemas) hasKeyOfOne(before []*tree.Value, element *tree.Value) bool {
	return slices.ContainsFunc([]*structuralschema.Structural{s.mine, s.theirs}, func(keyed *structuralschema.Structural) bool {
		return len(keyed.XListMapKeys) > 0 && element.Kind == tree.Object && slices.ContainsFunc(before, func(other *tree.Value) bool {
			return other.Kind == tree.Object && draw.SameKey(keyed, other, element)
		})
	})
}

// schemaUnder returns the schema at a path of names.
func schemaUnder(s *structuralschema.Structural, p places.Pattern) *structuralschema.Structural {
	for _, step := range p {
		if s == nil {
			return nil
		}
		next, ok := s.Properties[step.Name]
		if !ok {
			return nil
		}
		s = &next
	}
	return s
}
