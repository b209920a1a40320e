package v1alpha1

// Variant ties alternatives, of which one is there, to a discriminated union.
// The places of the alternatives are named as the discriminator calls them; the
// other side is the place of the discriminator alone, where rows of their own tie
// the alternatives, or {type: ..., value: ...}, where one place holds the value of
// whichever it is. Without rows the value is moved as it is.
type Variant struct {
	// Rows tie places of the value, whichever alternative it is, with paths that
	// start there. They are written as the rows of a version are, to any depth.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Rows []Row `json:"rows,omitempty"`

	// Table names more rows for the value, among the version's tables.
	// +optional
	Table string `json:"table,omitempty"`

	// Alternatives are those that have rows of their own instead.
	// +optional
	// +listType=atomic
	Alternatives []Alternative `json:"alternatives,omitempty"`

	// Elsewhere names the alternatives that the value is not for: rows of their own
	// tie them to other places, and here they only say what the discriminator is.
	// +optional
	// +listType=atomic
	Elsewhere []string `json:"elsewhere,omitempty"`
}

// Alternative is one alternative of a variant, with rows of its own for its value.
type Alternative struct {
	// Name is that of the alternative, as the discriminator calls it.
	// +required
	// +kubebuilder:validation:MinLength=1
	Name string `json:"name"`

	// Rows tie places of the value. They are written as the rows of a version are,
	// to any depth.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Rows []Row `json:"rows,omitempty"`

	// Table names more rows for the value, among the version's tables.
	// +optional
	Table string `json:"table,omitempty"`
}
