package verify

import (
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// schemaAt returns the schema of a place inside a value, or nil if any value is valid there. It
// returns false if pruning removes the place.
func schemaAt(s *structuralschema.Structural, at tree.Path) (*structuralschema.Structural, bool) {
	for _, step := range at {
		if s == nil {
			return nil, true
		}
		prop, declared := s.Properties[step.Name]
		switch {
		case s.XEmbeddedResource && (step.Name == "apiVersion" || step.Name == "kind" || step.Name == "metadata"):
			return nil, false // the API server decides what is there
		case declared:
			s = &prop
		case s.AdditionalProperties != nil:
			s = s.AdditionalProperties.Structural
		case s.XPreserveUnknownFields:
			s = nil
		default:
			return nil, false
		}
		if allowsAnything(s) {
			s = nil
		}
	}
	return s, true
}

// allowsAnything reports whether any value is valid by a schema.
func allowsAnything(s *structuralschema.Structural) bool {
	return s == nil || s.Type == "" && !s.XIntOrString && len(s.Properties) == 0
}

// elementOf returns the schema of the elements of a list or a map, or of a single element.
func elementOf(s *structuralschema.Structural) *structuralschema.Structural {
	switch {
	case s == nil:
		return nil
	case s.Items != nil:
		s = s.Items
	case s.AdditionalProperties != nil:
		s = s.AdditionalProperties.Structural
	}
	if allowsAnything(s) {
		return nil
	}
	return s
}
