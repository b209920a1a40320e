package v1alpha1

import (
	"encoding/json"
	"fmt"
)

// CEL computes each side from the other, with one expression for a single place, or with one
// expression for each named place. An expression sees self, the object to convert (or the
// element, in rows for elements), object, the whole object, and parameters.
type CEL struct {
	// ToHub computes the places of the hub from an object of this version.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	ToHub *Expressions `json:"toHub,omitempty"`

	// ToSpoke computes the places of this version from an object of the hub.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	ToSpoke *Expressions `json:"toSpoke,omitempty"`
}

// Expressions is one expression, or one for each named place that they compute. In YAML it is a
// string or a map of strings.
type Expressions struct {
	// One is a single expression, such as self.spec.low + 1.
	One string
	// Named holds expressions by name.
	Named map[string]string
}

// UnmarshalJSON reads a string or an object of strings.
func (e *Expressions) UnmarshalJSON(data []byte) error {
	*e = Expressions{}
	switch first(data) {
	case '"':
		return json.Unmarshal(data, &e.One)
	case '{':
		if json.Unmarshal(data, &e.Named) == nil {
			return nil
		}
	}
	return fmt.Errorf("an expression must be a string, or a map from the names of fields to strings, not %s", data)
}

// MarshalJSON writes the form that UnmarshalJSON reads.
func (e Expressions) MarshalJSON() ([]byte, error) {
	if e.Named != nil {
		return json.Marshal(e.Named)
	}
	return json.Marshal(e.One)
}
