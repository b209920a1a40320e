package v1alpha1

// Format is how a text holds data.
type Format string

// The formats of Text.
const (
	FormatJSON Format = "json"
	FormatYAML Format = "yaml"
)

// Formats are all that there are.
func Formats() []Format { return []Format{FormatJSON, FormatYAML} }

// Side names one of the two versions that a row ties.
type Side string

// The sides of a row.
const (
	SpokeSide Side = "spoke"
	HubSide   Side = "hub"
)

// Sides are all that there are.
func Sides() []Side { return []Side{SpokeSide, HubSide} }

// Notation is how a single value is written.
type Notation string

// The notations of Scalar.
const (
	NotationString      Notation = "string"
	NotationInteger     Notation = "integer"
	NotationNumber      Notation = "number"
	NotationBoolean     Notation = "boolean"
	NotationIntOrString Notation = "int-or-string"
	NotationQuantity    Notation = "quantity"
	NotationDuration    Notation = "duration"
	NotationPercentage  Notation = "percentage"
)

// Notations are all that there are.
func Notations() []Notation {
	return []Notation{NotationString, NotationInteger, NotationNumber, NotationBoolean, NotationIntOrString,
		NotationQuantity, NotationDuration, NotationPercentage}
}

// Rounding says what becomes of a value that is finer than the other side can
// hold.
type Rounding string

// The ways to round.
const (
	RoundDown    Rounding = "down"
	RoundUp      Rounding = "up"
	RoundNearest Rounding = "nearest"
)

// Roundings are all that there are.
func Roundings() []Rounding { return []Rounding{RoundDown, RoundUp, RoundNearest} }

// Scalar ties two ways to write one value: 90 and "1m30s", "8080" and 8080,
// 512 and "512Mi". Values that cannot be written on the other side are kept.
type Scalar struct {
	// Spoke is how the spoke writes the value. Without it the type in the
	// schema says so: a number, a boolean, an int-or-string, or a string that
	// holds what the other side is.
	// +optional
	// +kubebuilder:validation:Enum=string;integer;number;boolean;int-or-string;quantity;duration;percentage
	Spoke Notation `json:"spoke,omitempty"`

	// Hub is how the hub writes the value.
	// +optional
	// +kubebuilder:validation:Enum=string;integer;number;boolean;int-or-string;quantity;duration;percentage
	Hub Notation `json:"hub,omitempty"`

	// Unit is what plain numbers count: ns, us, ms, s, m, h or d beside a
	// duration; a suffix such as m, k or Mi beside a quantity; % or 1 beside a
	// percentage. Where both sides are plain numbers it is a map that gives the
	// unit of either, for example {spoke: s, hub: ms}.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Unit *Unit `json:"unit,omitempty"`

	// Round writes the nearest value below (down), above (up) or either
	// (nearest) where the other side cannot write this one exactly. Without it
	// such a value is kept.
	// +optional
	// +kubebuilder:validation:Enum=down;up;nearest
	Round Rounding `json:"round,omitempty"`
}

// Boolean ties a boolean to another boolean, to two values, or to whether
// something is there.
type Boolean struct {
	// Negate ties true to false between two booleans.
	// +optional
	Negate bool `json:"negate,omitempty"`

	// Presence names the side on which being there means true, spoke or hub;
	// the other side is the boolean. True gives the value that is written there,
	// {} unless it is said.
	// +optional
	// +kubebuilder:validation:Enum=spoke;hub
	Presence Side `json:"presence,omitempty"`

	// True is the other side's value for true.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	True *Value `json:"true,omitempty"`

	// False is the other side's value for false.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	False *Value `json:"false,omitempty"`
}

// Join ties a string to the list of its parts.
type Join struct {
	// Separator is the text between two parts, for example ",".
	// +required
	// +kubebuilder:validation:MinLength=1
	Separator string `json:"separator"`

	// Prefix is the text before the first part.
	// +optional
	Prefix string `json:"prefix,omitempty"`

	// Suffix is the text behind the last part.
	// +optional
	Suffix string `json:"suffix,omitempty"`

	// Trim ignores spaces around the parts of the string.
	// +optional
	Trim bool `json:"trim,omitempty"`
}

// Longer says what a list with more elements shows of them, where the other side
// has one.
type Longer string

// What a longer list can show.
const (
	LongerFirst Longer = "first"
	LongerNone  Longer = "none"
)

// Longers are all that there are.
func Longers() []Longer { return []Longer{LongerFirst, LongerNone} }

// Single ties something that stands alone to the list in which it is the only
// element.
type Single struct {
	// Longer says what a list with more elements shows: first, its first element,
	// while the others are kept, or none, since the one does not stand for the
	// others. It is first where nothing is said.
	// +optional
	// +kubebuilder:validation:Enum=first;none
	Longer Longer `json:"longer,omitempty"`

	// Rows tie places of the element. They are written as the rows of a version
	// are, to any depth.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Rows []Row `json:"rows,omitempty"`

	// Table names more rows for the element, among the version's tables.
	// +optional
	Table string `json:"table,omitempty"`
}

// Doubled says which of the elements with one key a map shows.
type Doubled string

// Those that a map can show.
const (
	DoubledFirst Doubled = "first"
	DoubledLast  Doubled = "last"
)

// Doubleds are all that there are.
func Doubleds() []Doubled { return []Doubled{DoubledFirst, DoubledLast} }

// Keyed ties a list of objects to a map, or to an object whose fields are all of
// one type. What the map cannot hold is kept: the order of the list, and
// elements without a key or with the key of another.
type Keyed struct {
	// Key is the field of the list's elements that is the name in the map, or a
	// template that makes it of several, for example "{namespace}/{name}".
	// +required
	// +kubebuilder:validation:MinLength=1
	Key string `json:"key"`

	// Value is the field of the list's elements that is the value in the map,
	// for example value in {name: a, value: b}. Without it the value in the map
	// is the element without its key.
	// +optional
	Value string `json:"value,omitempty"`

	// Doubled says which of the elements with one key the map shows, while the
	// others are kept: first, or last, where a later one overrides an earlier one. It
	// is first where nothing is said.
	// +optional
	// +kubebuilder:validation:Enum=first;last
	Doubled Doubled `json:"doubled,omitempty"`

	// Rows tie places of the element. They are written as the rows of a version
	// are, to any depth.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Rows []Row `json:"rows,omitempty"`

	// Table names more rows for the element, among the version's tables.
	// +optional
	Table string `json:"table,omitempty"`
}

// Part is a part of a list: the elements that meet its conditions, which the other
// side has at a place of their own. That is a list of them, or one of them alone.
// Elements that meet no part's conditions, and where one stands alone the others
// that do, are kept where they stood.
type Part struct {
	// Place is the name of the part's place on the other side.
	// +required
	// +kubebuilder:validation:MinLength=1
	Place string `json:"place"`

	// Match ties places of an element to the value that they must have, or to a
	// list of values of which they must have one, for example {.type: Resource}.
	// What the other side does not show, conversion writes.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +kubebuilder:pruning:PreserveUnknownFields
	Match map[string]Value `json:"match,omitempty"`

	// Has names places of an element at which something must stand.
	// +optional
	// +listType=atomic
	Has []string `json:"has,omitempty"`

	// Key names what tells the spoke's elements apart, as the key of each does:
	// fields of the element, or places further in by their paths.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Key Names `json:"key,omitempty"`

	// Unique promises that Key is unique where neither schema does.
	// +optional
	Unique bool `json:"unique,omitempty"`

	// Rows tie places of the element. They are written as the rows of a version
	// are, to any depth.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Rows []Row `json:"rows,omitempty"`

	// Table names more rows for the element, among the version's tables.
	// +optional
	Table string `json:"table,omitempty"`
}

// Entries says which fields of a list's elements hold the name and the value.
type Entries struct {
	// Name is the field of an element that holds its name.
	// +required
	// +kubebuilder:validation:MinLength=1
	Name string `json:"name"`

	// Value is the field of an element that holds its value. Where it is a string
	// and the place is not, it holds the value as text.
	// +required
	// +kubebuilder:validation:MinLength=1
	Value string `json:"value"`
}
