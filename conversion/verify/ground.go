package verify

import (
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// schemaAt is the schema of a place within a value of another one, and whether pruning
// leaves anything there. A schema that is nil says nothing.
func schemaAt(s *structuralschema.Structural, at tree.Path) (*structuralschema.Structural, bool) {
	for _, step := range at {
		if s == nil {
			return nil, true
		}
		prop, declared := s.Properties[step.Name]
		switch {
		case s.XEmbeddedResource && (step.Name == "apiVersion" || step.Name == "kind" || step.Name == "metadata"):
			return nil, false // the API server has a say there
		case declared:
			s = &prop
		case s.AdditionalProperties != nil:
			s = s.AdditionalProperties.Structural
		case s.XPreserveUnknownFields:
			s = nil
		default:
			return nil, false
		}
		if saysNothing(s) {
			s = nil
		}
	}
	return s, true
}

// saysNothing reports whether anything may stand at a place.
func saysNothing(s *structuralschema.Structural) bool {
	return s == nil || s.Type == "" && !s.XIntOrString && len(s.Properties) == 0
}

// elementOf is the schema of the elements of a list or a map, or of what stands alone.
func elementOf(s *structuralschema.Structural) *structuralschema.Structural {
	switch {
	case s == nil:
		return nil
	case s.Items != nil:
		s = s.Items
	case s.AdditionalProperties != nil:
		s = s.AdditionalProperties.Structural
	}
	if saysNothing(s) {
		return nil
	}
	return s
}
