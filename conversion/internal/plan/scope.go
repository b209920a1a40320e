package plan

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// Scope pairs a value of the spoke with a value of the hub.
type Scope struct {
	// Nodes are the fields of each side that conversions have to look at. A parent comes before its
	// children, and node 0 is the value itself.
	Nodes [2][]Node
	// Rows are the rows of the scope. Nodes have their numbers.
	Rows []Row
	// Keys are the fields that identify an element of a list. If there are none, its content does.
	Keys [2]Keys
	// Fills are the nodes of each side that have a Fill or Filled.
	Fills [2][]int32
	// Wholes are the containers of each side that the other version lacks, and whose default is more than
	// the defaults of their members.
	Wholes [2][]int32
	// Loose says that an element may have no counterpart. Such an element is kept with its position. If it
	// is false, every element has a counterpart, which may be null.
	Loose bool
	// Root is the row that maps an element to one value, or None.
	Root int32
	// Named are the nodes of either side that hold the key that an element has in the map of the
	// other side, in the order of Naming.Members.
	Named [2][]int32
	// Choices are the values of which a discriminator says which alternative they are.
	Choices []*Parts
	// Fixed are the nodes that have the same value in every element. They are on the side that has the
	// list of several parts.
	Fixed []int32
	// IsCode says that Go code computes everything, with no rows.
	IsCode bool
}

// Kind says what a conversion does with a field.
type Kind uint8

const (
	// Container is an object that has nodes inside. If it has a twin, both versions have the object.
	// Otherwise only this version has it, and a conversion makes it if it makes something in it.
	Container Kind = iota
	// Operand is a field that a row reads and writes.
	Operand
	// Keep is a field that only this version has: its value is kept.
	Keep
	// Drop is a field that a row drops.
	Drop
	// APIVersion is the apiVersion of the object, which a conversion sets.
	APIVersion
	// Name is a field that holds the key, or a part of the key, that the element has in the map of the other
	// side.
	Name
	// Fixed is a field that has the same value in every element of a part of a list.
	Fixed
	// Parted is a list whose elements belong to its children, by conditions, or a value that is one of its
	// children, by a discriminator.
	Parted
)

// Metadata and Annotations are the nodes of metadata and its annotations, on
// either side of a root scope.
const (
	Metadata    = int32(2)
	Annotations = int32(3)
)

// None is the number of no node and no row.
const None = int32(-1)

// Node is a field of one side.
type Node struct {
	// Name is the name of the field.
	Name string
	// Quoted is the name as it is written, with its colon.
	Quoted []byte
	Kind   Kind
	// Parent and Children are nodes of the same side. The parent of node 0 is None.
	Parent   int32
	Children []int32
	// Twin is a container's counterpart on the other side, or None.
	Twin int32
	// Row is the row of an operand, or None.
	Row    int32
	Schema *schema.Schema
	// KeepUnknown says that members without a node are kept. Otherwise they are copied.
	KeepUnknown bool
	// Fill is what a conversion writes if the parent exists and the field has no other value: the
	// schema's default, or a constant of the table. It is nil if there is nothing to write.
	Fill []byte
	// Filled is Fill with the defaults that the schema has inside.
	Filled []byte
	// FillIsDefault says that Fill is the schema's default, so that absence is the same as Fill.
	FillIsDefault bool
	// FillsValue says that Filled is the default of a container whose twin has the same default. It is
	// written only if the twin has a value that this version can't represent: if the twin is absent, the
	// container stays absent too, because a third version may tell absence from the default.
	FillsValue bool
	// ForConstant says that Fill is an object that is made only for the constants in it: it is required, or
	// it is in the default of an object around it.
	ForConstant bool
	// FromAround says that Fill is a part of the default of an object around it, or contains such a part.
	FromAround bool
	// Implied are the children of a container that a default makes, and whose twins may not be what the
	// other version's default makes. The API server fills them in before it asks for a conversion. If it
	// has not, a conversion reads them as if it had, because an absent twin would mean something else.
	Implied []int32
	// Follows says that a container with a twin may be made and removed with what rows make in either: its
	// version does not require it, and no default and no constant is inside.
	Follows bool
	// Completes says that what a row makes for the field may lack defaults of the schema inside.
	Completes bool
	// Annotations marks metadata.annotations, which has the stashes.
	Annotations bool
	// Named is the row that names the field, or nil.
	Named *RowName
	// Parts are the parts of a Parted node.
	Parts *Parts

	// Marked says that the row of the field marks it as sensitive.
	Marked bool
	index  map[string]int32
}

// RowName is the row that names a field, for explanations.
type RowName struct {
	// Row is its title as in problems, for example "row 3".
	Row string
	// Drop is why the field is dropped, empty if it is not.
	Drop string
}

// many is the number of children above which a map finds them faster.
const many = 8

// Child returns the child with a name, or None.
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
