package v1alpha1

// Row maps fields of the spoke to fields of the hub, in both directions. It has at most one
// mapping (template, values, scalar, boolean, join, text, variant, cel, func, each, single,
// wrap, keyed, where, entries); without a mapping the value is the same on both sides. A row
// with only one side is for a field that the other version does not have: constant or drop.
type Row struct {
	// Spoke is the field in this version: a path such as .spec.hostPort or, for a mapping of
	// several fields, a map from names to paths.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Spoke *Place `json:"spoke,omitempty"`

	// Hub is the field in the hub version, in the same form as Spoke.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Hub *Place `json:"hub,omitempty"`

	// Template maps one string to the named fields of the other side, for example
	// "{host}:{port}". A placeholder matches as much text as possible, the leftmost first; the
	// placeholder of an integer field matches only digits. Parts in brackets are optional, and
	// with these a placeholder matches as little as possible:
	// "[{registry}/]{repository}[:{tag}]". {tag!/} matches no slashes.
	// +optional
	Template string `json:"template,omitempty"`

	// Values maps single values: the spoke's value to the hub's, for example {Allow: Parallel}.
	// Other values are passed unchanged unless Closed is set.
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

	// Scalar maps two ways to write one value, for example {spoke: integer, hub: duration,
	// unit: s}.
	// +optional
	Scalar *Scalar `json:"scalar,omitempty"`

	// Boolean maps a boolean to another boolean ({negate: true}), to two values ({true:
	// Enabled, false: Disabled}), or to the presence of a field ({presence: hub}).
	// +optional
	Boolean *Boolean `json:"boolean,omitempty"`

	// Join maps a string to the list of its parts, for example {separator: ","}.
	// +optional
	Join *Join `json:"join,omitempty"`

	// Text maps a string with YAML or JSON to the data itself, and names the format.
	// +optional
	// +kubebuilder:validation:Enum=json;yaml
	Text Format `json:"text,omitempty"`

	// Variant maps alternatives, of which one is present, to a field that names it: {}, or with
	// rows for the fields of their value.
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

	// Each maps the elements of one list to the elements of the other, or the values of one map
	// to the values of the other.
	// +optional
	Each *Each `json:"each,omitempty"`

	// Single maps a single value to a list whose only element it is, for example {}.
	// +optional
	Single *Single `json:"single,omitempty"`

	// Wrap maps a list, or a map, of single values to a list or map of objects, and names the
	// field of the objects with the value, for example name.
	// +optional
	Wrap string `json:"wrap,omitempty"`

	// Keyed maps a list of objects to a map by a key, for example {key: name}.
	// +optional
	Keyed *Keyed `json:"keyed,omitempty"`

	// Where maps one list to several fields of the other side, each of which has the elements
	// that meet its conditions. An element belongs to the first part whose conditions it meets.
	// +optional
	Where []Part `json:"where,omitempty"`

	// Entries maps single values in separate fields to a list of names and values: for example
	// {name: name, value: value}. The fields have the names of their entries.
	// +optional
	Entries *Entries `json:"entries,omitempty"`

	// Table names the rows, among the version's tables, for the fields of the two objects that
	// this row maps.
	// +optional
	Table string `json:"table,omitempty"`

	// Constant is the value that the other version implies for a field that only one version
	// has.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Constant *Value `json:"constant,omitempty"`

	// Default is the value that an absent field means, on either side.
	// +optional
	Default *Default `json:"default,omitempty"`

	// Drop loses the field on purpose. Its text is the reason. It is the only way to lose data.
	// +optional
	Drop string `json:"drop,omitempty"`

	// Sensitive marks a field that is never copied into an annotation. The row must then be
	// exact, or drop the field.
	// +optional
	Sensitive bool `json:"sensitive,omitempty"`

	// Crosses allows this row to map spec to status, or either of them to metadata. Users who
	// may write one side then also write the other.
	// +optional
	Crosses bool `json:"crosses,omitempty"`
}

// Each maps elements with their own rows, whose paths are relative to the element.
type Each struct {
	// Key names what identifies the spoke's elements: a field of the element, or a field
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

	// Rows map fields of the element. They have the same form as the rows of a version, to any
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

// Default holds the values that absent fields mean.
type Default struct {
	// Spoke is the value that an absent spoke field means.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Spoke *Value `json:"spoke,omitempty"`

	// Hub is the value that an absent hub field means.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Hub *Value `json:"hub,omitempty"`
}
