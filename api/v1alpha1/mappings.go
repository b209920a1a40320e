package v1alpha1

// Format is the format of data in a text.
type Format string

// The formats of Text.
const (
	FormatJSON Format = "json"
	FormatYAML Format = "yaml"
)

// Formats returns all formats.
func Formats() []Format { return []Format{FormatJSON, FormatYAML} }

// Side names one of the two versions that a row maps.
type Side string

// The sides of a row.
const (
	SpokeSide Side = "spoke"
	HubSide   Side = "hub"
)

// Sides returns both sides.
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

// Notations returns all notations.
func Notations() []Notation {
	return []Notation{NotationString, NotationInteger, NotationNumber, NotationBoolean, NotationIntOrString,
		NotationQuantity, NotationDuration, NotationPercentage}
}

// Rounding is what happens to a value that is too fine for the other side.
type Rounding string

// The ways to round.
const (
	RoundDown    Rounding = "down"
	RoundUp      Rounding = "up"
	RoundNearest Rounding = "nearest"
)

// Roundings returns all ways to round.
func Roundings() []Rounding { return []Rounding{RoundDown, RoundUp, RoundNearest} }

// Scalar maps two ways to write one value: 90 and "1m30s", "8080" and 8080, 512 and "512Mi".
// Values that cannot be written on the other side are kept.
type Scalar struct {
	// Spoke is how the spoke writes the value. The default follows from the type in the schema:
	// a number, a boolean, an int-or-string, or a string with the same content as the other
	// side.
	// +optional
	// +kubebuilder:validation:Enum=string;integer;number;boolean;int-or-string;quantity;duration;percentage
	Spoke Notation `json:"spoke,omitempty"`

	// Hub is how the hub writes the value.
	// +optional
	// +kubebuilder:validation:Enum=string;integer;number;boolean;int-or-string;quantity;duration;percentage
	Hub Notation `json:"hub,omitempty"`

	// Unit is the unit of plain numbers: ns, us, ms, s, m, h or d if the other side is a
	// duration; a suffix such as m, k or Mi if it is a quantity; % or 1 if it is a percentage.
	// If both sides are plain numbers, it is a map with the unit of each, for example {spoke:
	// s, hub: ms}.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Unit *Unit `json:"unit,omitempty"`

	// Round writes the nearest value below (down), above (up) or either (nearest) if the other
	// side cannot write the exact value. Without it such a value is kept.
	// +optional
	// +kubebuilder:validation:Enum=down;up;nearest
	Round Rounding `json:"round,omitempty"`
}

// Boolean maps a boolean to another boolean, to two values, or to the presence of a field.
type Boolean struct {
	// Negate maps true to false between two booleans.
	// +optional
	Negate bool `json:"negate,omitempty"`

	// Presence names the side on which presence means true, spoke or hub. The other side is the
	// boolean. True is the value that is written there, {} by default.
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

// Join maps a string to the list of its parts.
type Join struct {
	// Separator is the text between two parts, for example ",".
	// +required
	// +kubebuilder:validation:MinLength=1
	Separator string `json:"separator"`

	// Prefix is the text before the first part.
	// +optional
	Prefix string `json:"prefix,omitempty"`

	// Suffix is the text after the last part.
	// +optional
	Suffix string `json:"suffix,omitempty"`

	// Trim ignores spaces around the parts of the string.
	// +optional
	Trim bool `json:"trim,omitempty"`
}

// Longer is what a list with several elements shows on a side that has room for one.
type Longer string

// What a list with several elements can show.
const (
	LongerFirst Longer = "first"
	LongerNone  Longer = "none"
)

// Longers returns all values.
func Longers() []Longer { return []Longer{LongerFirst, LongerNone} }

// Single maps a single value to a list whose only element it is.
type Single struct {
	// Longer is what a list with several elements shows: first, its first element, while the
	// others are kept, or none, if one element must not represent the others. The default is
	// first.
	// +optional
	// +kubebuilder:validation:Enum=first;none
	Longer Longer `json:"longer,omitempty"`

	// Rows map fields of the element. They are written as the rows of a version
	// are, to any depth.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Rows []Row `json:"rows,omitempty"`

	// Table names more rows for the element, among the version's tables.
	// +optional
	Table string `json:"table,omitempty"`
}

// Doubled is the element that a map shows of several with the same key.
type Doubled string

// The elements that a map can show.
const (
	DoubledFirst Doubled = "first"
	DoubledLast  Doubled = "last"
)

// Doubleds returns all values.
func Doubleds() []Doubled { return []Doubled{DoubledFirst, DoubledLast} }

// Keyed maps a list of objects to a map, or to an object whose fields are all of one type. What
// the map can't represent is kept: the order of the list, and elements without a key or with
// the key of another element.
type Keyed struct {
	// Key is the field of the list's elements that is the name in the map, or a template that
	// makes the name of several fields, for example "{namespace}/{name}".
	// +required
	// +kubebuilder:validation:MinLength=1
	Key string `json:"key"`

	// Value is the field of the list's elements that is the value in the map,
	// for example value in {name: a, value: b}. Without it the value in the map
	// is the element without its key.
	// +optional
	Value string `json:"value,omitempty"`

	// Doubled is the element that the map shows of several with the same key: first, or last,
	// if a later one overrides an earlier one. The others are kept. The default is first.
	// +optional
	// +kubebuilder:validation:Enum=first;last
	Doubled Doubled `json:"doubled,omitempty"`

	// Rows map fields of the element. They are written as the rows of a version
	// are, to any depth.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Rows []Row `json:"rows,omitempty"`

	// Table names more rows for the element, among the version's tables.
	// +optional
	Table string `json:"table,omitempty"`
}

// Part is a part of a list: the elements that meet its conditions. The other side has them at a
// separate field, as a list or as a single value. Elements that meet no part's conditions are
// kept. If the other side has a single value, the other elements that meet the conditions are
// kept, too.
type Part struct {
	// Place is the name of the part's field on the other side.
	// +required
	// +kubebuilder:validation:MinLength=1
	Place string `json:"place"`

	// Match maps fields of an element to the value that they must have, or to a list of allowed
	// values, for example {.type: Resource}. On the way to the list, conversion writes the
	// values that the other side does not have.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +kubebuilder:pruning:PreserveUnknownFields
	Match map[string]Value `json:"match,omitempty"`

	// Has names fields of an element that must have a value.
	// +optional
	// +listType=atomic
	Has []string `json:"has,omitempty"`

	// Key names what identifies the spoke's elements, like the key of each: fields of the
	// element, or fields further inside by their paths.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Key Names `json:"key,omitempty"`

	// Unique promises that Key is unique if neither schema does.
	// +optional
	Unique bool `json:"unique,omitempty"`

	// Rows map fields of the element. They are written as the rows of a version
	// are, to any depth.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Rows []Row `json:"rows,omitempty"`

	// Table names more rows for the element, among the version's tables.
	// +optional
	Table string `json:"table,omitempty"`
}

// Entries names the fields of a list's elements with the name and the value.
type Entries struct {
	// Name is the field of an element that holds its name.
	// +required
	// +kubebuilder:validation:MinLength=1
	Name string `json:"name"`

	// Value is the field of an element that holds its value. If the field is a string and the
	// field is not, the field holds the value as text.
	// +required
	// +kubebuilder:validation:MinLength=1
	Value string `json:"value"`
}
