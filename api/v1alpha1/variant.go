package v1alpha1

// Variant maps alternatives, of which one is present, to a discriminated union. The fields of
// the alternatives have the names that the discriminator uses. The other side is the field of
// the discriminator alone, if separate rows map the alternatives, or {type: ..., value: ...},
// if one field has the value of whichever is present. Without rows the value is copied.
type Variant struct {
	// Rows map fields of the value, whichever alternative it is, with paths that start at the
	// value. They have the same form as the rows of a version, to any depth.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Rows []Row `json:"rows,omitempty"`

	// Table names more rows for the value, among the version's tables.
	// +optional
	Table string `json:"table,omitempty"`

	// Alternatives are those with their own rows instead.
	// +optional
	// +listType=atomic
	Alternatives []Alternative `json:"alternatives,omitempty"`

	// Elsewhere names alternatives that have no value here: separate rows map them to other
	// fields, and here they only set the discriminator.
	// +optional
	// +listType=atomic
	Elsewhere []string `json:"elsewhere,omitempty"`
}

// Alternative is one alternative of a variant, with its own rows for its value.
type Alternative struct {
	// Name is the name of the alternative, as the discriminator has it.
	// +required
	// +kubebuilder:validation:MinLength=1
	Name string `json:"name"`

	// Rows map fields of the value. They have the same form as the rows of a version, to any
	// depth.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Rows []Row `json:"rows,omitempty"`

	// Table names more rows for the value, among the version's tables.
	// +optional
	Table string `json:"table,omitempty"`
}
