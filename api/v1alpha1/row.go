package v1alpha1

// Row ties places of the spoke to places of the hub, in both directions. It has at most one
// mapping (template, values, scalar, boolean, join, text, variant, cel, func, each, single,
// wrap, keyed); without one the value is the same at both places. A row with only one side is
// for a place that the other version does not have: constant or drop.
type Row struct {
	// Spoke is the place in this version: a path such as .spec.hostPort or, for a mapping of
	// several places, a map from names to paths.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Spoke *Place `json:"spoke,omitempty"`

	// Hub is the place in the hub version, in the same form as Spoke.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Hub *Place `json:"hub,omitempty"`

	// Template ties one string to the named places of the other side, for example
	// "{host}:{port}". A hole matches as much text as possible, the leftmost first; a hole tied
	// to an integer matches only digits. Parts in brackets are optional, and with these a hole
	// matches as little as possible: "[{registry}/]{repository}[:{tag}]". {tag!/} matches no
	// slashes.
	// +optional
	Template string `json:"template,omitempty"`

	// Values ties single values: the spoke's value to the hub's, for example {Allow: Parallel}.
	// Other values pass through unless Closed is set.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +kubebuilder:pruning:PreserveUnknownFields
	Values map[string]Value `json:"values,omitempty"`

	// Inverse maps hub values to spoke values if Values alone does not: if several spoke values
	// share one hub value, or if a hub value has no entry. Keys are hub values.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +kubebuilder:pruning:PreserveUnknownFields
	Inverse map[string]Value `json:"inverse,omitempty"`

	// Closed keeps values that are in neither Values nor Inverse instead of passing them
	// through.
	// +optional
	Closed bool `json:"closed,omitempty"`

	// Scalar ties two ways to write one value, for example {spoke: integer,
	// hub: duration, unit: s}.
	// +optional
	Scalar *Scalar `json:"scalar,omitempty"`

	// Boolean ties a boolean to another boolean ({negate: true}), to two values ({true:
	// Enabled, false: Disabled}), or to the presence of a place ({presence: hub}).
	// +optional
	Boolean *Boolean `json:"boolean,omitempty"`

	// Join ties a string to the list of its parts, for example
	// {separator: ","}.
	// +optional
	Join *Join `json:"join,omitempty"`

	// Text ties a string with YAML or JSON to the data itself, and names the format.
	// +optional
	// +kubebuilder:validation:Enum=json;yaml
	Text Format `json:"text,omitempty"`

	// Variant ties alternatives, of which one is present, to a place that names it: {}, or with
	// rows for the parts of their value.
	// +optional
	Variant *Variant `json:"variant,omitempty"`

	// CEL computes each side from the other with expressions, for everything that no other
	// mapping can express.
	// +optional
	CEL *CEL `json:"cel,omitempty"`

	// Func names a Go function that computes each side from the other. It must be
	// registered in the program that converts.
	// +optional
	Func string `json:"func,omitempty"`

	// Each ties the elements of one list to the elements of the other, or the values of one map
	// to the values of the other.
	// +optional
	Each *Each `json:"each,omitempty"`

	// Single ties a single value to a list whose only element it is, for example {}.
	// +optional
	Single *Single `json:"single,omitempty"`

	// Wrap ties a list, or a map, of single values to a list or map of objects, and names the
	// field of the objects with the value, for example name.
	// +optional
	Wrap string `json:"wrap,omitempty"`

	// Keyed ties a list of objects to a map by a key, for example {key: name}.
	// +optional
	Keyed *Keyed `json:"keyed,omitempty"`

	// Where ties one list to several places of the other side, each of which has the elements
	// that meet its conditions. An element belongs to the first part whose conditions it meets.
	// +optional
	Where []Part `json:"where,omitempty"`

	// Entries ties single values at separate places to a list of names and values: for example
	// {name: name, value: value}. The places have the names of their entries.
	// +optional
	Entries *Entries `json:"entries,omitempty"`

	// Table names the rows, among the version's tables, for the parts of the two objects that
	// this row ties.
	// +optional
	Table string `json:"table,omitempty"`

	// Constant is the value that the other version implies for a place that only one version
	// has.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Constant *Value `json:"constant,omitempty"`

	// Default is the value that an absent place means, on either side.
	// +optional
	Default *Default `json:"default,omitempty"`

	// Drop loses the place on purpose. Its text is the reason. It is the only way to lose data.
	// +optional
	Drop string `json:"drop,omitempty"`

	// Sensitive marks a place that is never copied into an annotation. The row must then be
	// exact, or drop the place.
	// +optional
	Sensitive bool `json:"sensitive,omitempty"`

	// Crosses allows this row to tie spec to status, or either of them to metadata. Users who
	// may write one side then also write the other.
	// +optional
	Crosses bool `json:"crosses,omitempty"`
}

// Each ties elements with their own rows, whose paths are relative to the element.
type Each struct {
	// Key names what identifies the spoke's elements: a field of the element, or a place
	// further inside by its path from the element, for example .metadata.name, or a list of
	// these. A row may change its value one-to-one. The default is x-kubernetes-list-map-keys
	// of either schema. Without either, elements are identified by their content.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Key Names `json:"key,omitempty"`

	// Unique promises that Key is unique if neither schema does.
	// +optional
	Unique bool `json:"unique,omitempty"`

	// Rows tie places of the element. They have the same form as the rows of a version, to any
	// depth. The CRD's schema does not show that, because a structural schema has no recursion;
	// the compiler checks it.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Rows []Row `json:"rows,omitempty"`

	// Table names more rows for the element, among the version's tables.
	// +optional
	Table string `json:"table,omitempty"`
}

// Default holds the values that absent places mean.
type Default struct {
	// Spoke is the value that an absent spoke place means.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Spoke *Value `json:"spoke,omitempty"`

	// Hub is the value that an absent hub place means.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Hub *Value `json:"hub,omitempty"`
}
