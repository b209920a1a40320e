// Package plan compiles the rows that tie one version, the spoke, to the hub
// into a plan: for every place of either version, what becomes of it.
//
// A plan is a tree of scopes. A scope pairs an object of the spoke with an
// object of the hub (the whole resource, or an element of a list) and holds,
// for each side, the tree of those places that need attention. What is in
// neither tree is the same in both versions and is copied in runs of bytes.
package plan

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// Side is one of the two versions that a plan ties.
type Side int

// The sides of a plan.
const (
	Spoke Side = 0
	Hub   Side = 1
)

// Other returns the other side.
func (s Side) Other() Side { return 1 - s }

// String names the side as a row does.
func (s Side) String() string { return [...]string{"spoke", "hub"}[s] }

// Plan ties one spoke to the hub.
type Plan struct {
	Versions [2]string
	Root     *Scope
	// Mark changes when the rows or the schemas do.
	Mark string
	// HubDrops says that some version's table drops a place of the hub.
	HubDrops bool
}

// Scope pairs a value of the spoke with a value of the hub.
type Scope struct {
	// Nodes are the places of each side that need attention, parents before
	// their children. Node 0 is the value itself.
	Nodes [2][]Node
	Rows  []Row
	// Keys are what tells elements of a list apart. Without nodes the content does.
	Keys [2]Keys
	// Fills are the nodes of each side with something to fill in.
	Fills [2][]int32
	// Wholes are the containers of each side that the other version lacks and whose
	// absence stands for more than what their members' defaults say.
	Wholes [2][]int32
	// Loose says that an element need not have a counterpart: what has none is
	// kept as a whole, with its position. Else each element has one, be it null.
	Loose bool
	// Root is the row that ties elements as a whole, or None.
	Root int32
	// Named are the nodes of either side that hold the name that an element has on the
	// other, in the order in which Naming has them.
	Named [2][]int32
	// Choices are the values that are one of several, as a discriminator says.
	Choices []*Parts
	// Fixed are the nodes that every element has the same value in. They are of
	// the side that has the parted list.
	Fixed []int32
	// IsCode says that Go code computes everything, with no rows.
	IsCode bool
}

// Kind says what becomes of a place.
type Kind uint8

const (
	// Container is an object with places of interest inside. With a twin it is
	// the same object as its twin on the other side; without, only this
	// version has it, and it exists as far as something is in it.
	Container Kind = iota
	// Operand is read and written by a row.
	Operand
	// Keep is a place that only this version has: its value is kept.
	Keep
	// Drop is a place that the table loses on purpose.
	Drop
	// APIVersion is the apiVersion of the object, which conversion sets.
	APIVersion
	// Name holds the name, or a part of it, that the element has in the map of the other
	// side.
	Name
	// Fixed holds a value that every element of a part of a list has.
	Fixed
	// Parted is a list whose elements belong to its children, by conditions, or a
	// value that belongs to one of them, by a discriminator.
	Parted
)

// Metadata and Annotations are the nodes of metadata and its annotations, on
// either side of a root scope.
const (
	Metadata    = int32(2)
	Annotations = int32(3)
)

// None stands for no node or no row.
const None = int32(-1)

// Node is one place of one side.
type Node struct {
	Name string
	// Quoted is the name as it is written, with its colon.
	Quoted   []byte
	Kind     Kind
	Parent   int32
	Children []int32
	// Twin is a container's counterpart on the other side, or None.
	Twin int32
	// Row is the row of an operand.
	Row    int32
	Schema *schema.Schema
	// KeepUnknown says that members which are not among the children are kept
	// rather than copied.
	KeepUnknown bool
	// Fill is what stands here where nothing else does and the parent is
	// there: the schema's default, or the table's constant.
	Fill []byte
	// Filled is Fill as it is written: with the defaults that the schema has
	// for what is inside.
	Filled []byte
	// FillIsDefault says that Fill is the schema's default, so that absence
	// and Fill are one value.
	FillIsDefault bool
	// FillsValue says that Filled, the default of a container and of its twin, stands
	// here only where something else than absence stands there that cannot stand here:
	// a third version sees absence and the default apart.
	FillsValue bool
	// ForConstant says that Fill is an object that only the constants in it make: it is
	// required, or in the default of an object around.
	ForConstant bool
	// FromAround says that Fill is what the default of an object around says, or an
	// object around such.
	FromAround bool
	// Implied are those children of a container whose absence stands for an object,
	// where that, or what the absence of the twin stands for, has more in it than the
	// defaults of its members. The API server fills them in before it asks for a
	// conversion, and where it has not, they are read as if it had: the other
	// version's object cannot say the same by its absence.
	Implied []int32
	// Follows says of a container with a twin that it may come and go with what rows
	// make in either: its version does not require it, and within the two absence says
	// nothing.
	Follows bool
	// Completes says that what a row makes for this place may lack defaults of the
	// schema inside.
	Completes bool
	// Annotations marks metadata.annotations, where the stashes are.
	Annotations bool
	// Named is the row that names the place, nil if none does.
	Named *RowName
	// Parts are those of a parted list or value.
	Parts *Parts

	// marked says that the row of the place marks it as sensitive.
	marked bool
	index  map[string]int32
}

// RowName is the row that names a place, for explanations.
type RowName struct {
	// Row is its title as in problems, for example "row 3".
	Row string
	// Drop is why the place is dropped, empty where it is not.
	Drop string
}

// many is how many children make a map worth its while.
const many = 8

// Child finds a child by its name.
func (s *Scope) Child(side Side, parent int32, name []byte) int32 {
	nodes := s.Nodes[side]
	p := &nodes[parent]
	if p.index != nil {
		if id, ok := p.index[string(name)]; ok {
			return id
		}
		return None
	}
	for _, id := range p.Children {
		if nodes[id].Name == string(name) {
			return id
		}
	}
	return None
}

// RowKind says how a row computes.
type RowKind uint8

const (
	// Move is the same value at another place, or at the same place where the
	// two schemas differ.
	Move RowKind = iota
	// Map computes values with a Mapping.
	Map
	// Elements ties the elements of two lists or maps, or of one and the other.
	Elements
	// Compute computes values with a Computer.
	Compute
)

// Row ties places of both sides.
type Row struct {
	Kind RowKind
	// At are the operands: nodes of either side.
	At [2][]int32
	// Exact says that converting there and back always gives the same, so that
	// nothing needs to be checked.
	Exact bool
	// Absent is the value that an absent place of a side stands for by the
	// table's word, or nil. Stands is the same with the schema's defaults of
	// what is inside.
	Absent, Stands [2][]byte

	Mapping Mapping
	// Elements is the scope of an element, and Forms how either side holds it.
	Elements *Scope
	Forms    [2]Form
	// LastCounts says that of the elements of a list with one key a map shows the last.
	LastCounts bool
	// OnlyOne says that a list with more elements than one shows none.
	OnlyOne bool
	// Parts are those of the parted list or value of which the row ties one, which it
	// is Part of; nil without.
	Parts *Parts
	Part  int
	// Which is the choice whose discriminator the row ties, nil without.
	Which *Choice
	// Names are those that a map can have; nil where it can have any.
	Names map[string]bool
	// Naming ties the names in a map to the keys in the list.
	Naming *Naming
	// Computer computes the places of a side from what it reads on the other: Reads,
	// which are places that other rows may tie, or At, where Reads are nil on both
	// sides. At may be empty on a side.
	Computer Computer
	Reads    [2][]expression.Read
	// Watches says that the places of a side are only looked at, for whether
	// something is there: other rows tie them.
	Watches [2]bool
	// Needs says for each side what a value must be like to be mapped, for people.
	Needs [2]string
	// NeedsElement says what an element must be like to have a place beside the
	// others, for people.
	NeedsElement string
}

// Computer computes the values of one side from what it reads on the other.
type Computer interface {
	// Compute reads in, the values of what the row reads on side from, as canonical
	// JSON, and sets out. An error says why it cannot, and then out means nothing.
	// What it costs is taken from left. New texts are appended to scratch, which it
	// returns.
	Compute(scratch []byte, from Side, in, out [][]byte, left *uint64) ([]byte, error)
}

// Mapping computes the values of one side from those of the other. A nil text
// is an absent place, any other one JSON value.
type Mapping interface {
	// Convert reads in, the values of side from, and sets out. It reports
	// false if it cannot map them, and then out means nothing. New texts are
	// appended to scratch, which it returns.
	Convert(scratch []byte, from Side, in, out [][]byte) ([]byte, bool)
}
