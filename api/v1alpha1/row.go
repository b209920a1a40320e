package v1alpha1

// Row ties places of the spoke to places of the hub, both ways. It has at most
// one mapping (template, values, scalar, boolean, join, text, variant, cel, func, each,
// single, wrap, keyed); without one the value is the same at both places. A row
// with one side only says what becomes of a place that the other version lacks:
// constant or drop.
type Row struct {
	// Spoke is the place in this version: a path such as .spec.hostPort, or,
	// for a mapping of several places, a map from names to paths.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Spoke *Place `json:"spoke,omitempty"`

	// Hub is the place in the hub version, written as Spoke is.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Hub *Place `json:"hub,omitempty"`

	// Template ties one string to the places named on the other side, for
	// example "{host}:{port}". A hole takes as much text as it can, the
	// leftmost first; a hole tied to an integer takes digits only. Parts in
	// brackets may be missing, and with these a hole takes as little as it can:
	// "[{registry}/]{repository}[:{tag}]". {tag!/} takes no slashes.
	// +optional
	Template string `json:"template,omitempty"`

	// Values ties single values: the spoke's value to the hub's, for example
	// {Allow: Parallel}. Other values pass through unless Closed is set.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +kubebuilder:pruning:PreserveUnknownFields
	Values map[string]Value `json:"values,omitempty"`

	// Inverse says which spoke value a hub value becomes where Values alone
	// does not: when several spoke values share one hub value, or when a hub
	// value has no entry of its own. Keys are hub values.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +kubebuilder:pruning:PreserveUnknownFields
	Inverse map[string]Value `json:"inverse,omitempty"`

	// Closed keeps values that are in neither Values nor Inverse instead of
	// passing them through.
	// +optional
	Closed bool `json:"closed,omitempty"`

	// Scalar ties two ways to write one value, for example {spoke: integer,
	// hub: duration, unit: s}.
	// +optional
	Scalar *Scalar `json:"scalar,omitempty"`

	// Boolean ties a boolean to another boolean ({negate: true}), to two values
	// ({true: Enabled, false: Disabled}), or to whether something is there
	// ({presence: hub}).
	// +optional
	Boolean *Boolean `json:"boolean,omitempty"`

	// Join ties a string to the list of its parts, for example
	// {separator: ","}.
	// +optional
	Join *Join `json:"join,omitempty"`

	// Text ties a string that holds YAML or JSON to the data itself, and says which
	// it holds.
	// +optional
	// +kubebuilder:validation:Enum=json;yaml
	Text Format `json:"text,omitempty"`

	// Variant ties alternatives, of which one is there, to a place that says
	// which: {}, or with rows for the parts of their value.
	// +optional
	Variant *Variant `json:"variant,omitempty"`

	// CEL computes each side from the other by expressions, for what no other
	// mapping can say.
	// +optional
	CEL *CEL `json:"cel,omitempty"`

	// Func names a Go function that computes each side from the other. It must be
	// registered in the program that converts.
	// +optional
	Func string `json:"func,omitempty"`

	// Each ties the elements of one list to the elements of the other, or the
	// values of one map to the values of the other.
	// +optional
	Each *Each `json:"each,omitempty"`

	// Single ties something that stands alone to a list in which it is the only
	// element, for example {}.
	// +optional
	Single *Single `json:"single,omitempty"`

	// Wrap ties a list, or a map, of single values to one of objects, and names
	// the field of the objects that holds the value, for example name.
	// +optional
	Wrap string `json:"wrap,omitempty"`

	// Keyed ties a list of objects to a map by a key, for example {key: name}.
	// +optional
	Keyed *Keyed `json:"keyed,omitempty"`

	// Where ties one list to several places of the other side, each of which
	// has the elements that meet its conditions. An element belongs to the first
	// part whose conditions it meets.
	// +optional
	Where []Part `json:"where,omitempty"`

	// Entries ties single values, each at a place of its own, to a list of names
	// and values: for example {name: name, value: value}, where the places are
	// named as their entries are.
	// +optional
	Entries *Entries `json:"entries,omitempty"`

	// Table names the rows, among the version's tables, for the parts of the two
	// objects that this row ties.
	// +optional
	Table string `json:"table,omitempty"`

	// Constant is the value that the other version implies for a place that
	// only one version has.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Constant *Value `json:"constant,omitempty"`

	// Default says what an absent place stands for, on either side.
	// +optional
	Default *Default `json:"default,omitempty"`

	// Drop loses the place on purpose and says why. It is the only way to
	// lose data.
	// +optional
	Drop string `json:"drop,omitempty"`

	// Sensitive marks a place that is never copied into an annotation. The row
	// must then be exact, or drop the place.
	// +optional
	Sensitive bool `json:"sensitive,omitempty"`

	// Crosses says that this row joins spec with status, or either with
	// metadata, on purpose: who may write one side then writes the other.
	// +optional
	Crosses bool `json:"crosses,omitempty"`
}

// Each ties elements with rows of their own, whose paths are relative to the
// element.
type Each struct {
	// Key names what tells the spoke's elements apart: a field of the element, or
	// a place further in by its path from the element, for example .metadata.name,
	// or a list of these. A row may make another value of it, one-to-one. Without it
	// x-kubernetes-list-map-keys of either schema is taken, else elements are told
	// apart by their content.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Key Names `json:"key,omitempty"`

	// Unique promises that Key is unique where neither schema does.
	// +optional
	Unique bool `json:"unique,omitempty"`

	// Rows tie places of the element. They are written as the rows of a
	// version are, to any depth; the CRD's schema cannot say so, because a
	// structural schema has no recursion, and leaves them to the compiler.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Rows []Row `json:"rows,omitempty"`

	// Table names more rows for the element, among the version's tables.
	// +optional
	Table string `json:"table,omitempty"`
}

// Default gives the values that absent places stand for.
type Default struct {
	// Spoke is the value that an absent spoke place stands for.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Spoke *Value `json:"spoke,omitempty"`

	// Hub is the value that an absent hub place stands for.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Hub *Value `json:"hub,omitempty"`
}
