package v1alpha1

import (
	"encoding/json"
	"fmt"
)

// CEL computes each side from the other, by one expression for one place, or by one
// for each place by the names of the places. An expression sees self, the object
// that is converted (within the rows of elements the element), object, the whole
// of it, and parameters.
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

// Expressions are one expression, or several by the names of the places that they
// compute. In YAML it is a string or a map of strings.
type Expressions struct {
	// One is the expression where there is only one, for example self.spec.low + 1.
	One string
	// Named holds the expressions by name where there are several.
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
	return fmt.Errorf("an expression is a text, or a map from the names of places to texts, not %s", data)
}

// MarshalJSON writes what UnmarshalJSON reads.
func (e Expressions) MarshalJSON() ([]byte, error) {
	if e.Named != nil {
		return json.Marshal(e.Named)
	}
	return json.Marshal(e.One)
}
