package plan

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
)

// RowKind says how a row computes.
type RowKind uint8

const (
	// Move moves a value to another field, or copies it between two fields whose schemas differ.
	Move RowKind = iota
	// Map computes values with a Mapping.
	Map
	// Elements converts the elements of a list or map into those of a list or map.
	Elements
	// Compute computes values with a Computer.
	Compute
)

// Row maps fields of one side to fields of the other.
type Row struct {
	Kind RowKind
	// At are the operands: nodes of either side.
	At [2][]int32
	// Exact says that converting there and back always gives the same value, so that
	// a conversion need not check it.
	Exact bool
	// Default is the value that the row's default gives to an absent field of a side, or nil.
	// FilledDefault is Default with the defaults that the schema has inside.
	Default, FilledDefault [2][]byte

	// Mapping computes the values of a row of kind Map.
	Mapping Mapping
	// Elements is the scope of an element, and Forms says how either side holds elements.
	Elements *Scope
	Forms    [2]Form
	// TakesLast says that if several elements of a list have the same key, the map has the last of them.
	TakesLast bool
	// OnlyOne says that a list of several elements can't be represented on the other side.
	OnlyOne bool
	// Parts are the parts of a Parted node, and Part is the number of the one that the row maps. Parts
	// is nil if the row maps no part.
	Parts *Parts
	Part  int
	// Which is the choice whose discriminator the row maps, or nil.
	Which *Choice
	// Names are the names that a map can have, nil if it can have any.
	Names map[string]bool
	// Naming converts keys of the map from and to key fields of the list's elements.
	Naming *Naming
	// Computer computes the fields of a side from what it reads on the other side: from Reads, which
	// other rows may map, or, if Reads are nil on both sides, from At. At may be empty on a side.
	Computer Computer
	Reads    [2][]expression.Read
	// Watches says that the row only asks whether the fields of a side have a value: other rows map them.
	Watches [2]bool
	// Needs says for each side what a value must be so that the row can map it. People read it.
	Needs [2]string
	// NeedsElement says what an element must be so that the other side can have it beside the others. People
	// read it.
	NeedsElement string
}

// Computer computes the values of one side from what it reads on the other.
type Computer interface {
	// Compute reads in, the values of what the row reads on side from, as canonical
	// JSON, and sets out. An error says why it can't, and then out means nothing. Compute
	// subtracts its cost from left. It appends new texts to scratch, and returns scratch.
	Compute(scratch []byte, from Side, in, out [][]byte, left *uint64) ([]byte, error)
}

// Mapping computes the values of one side from those of the other. A nil text
// is an absent field; any other text is one JSON value.
type Mapping interface {
	// Convert reads in, the values of side from, and sets out. It returns
	// false if it can't map them, and then out means nothing. It appends new texts to
	// scratch, and returns scratch.
	Convert(scratch []byte, from Side, in, out [][]byte) ([]byte, bool)
}

// Recaller is a Mapping of texts that can have more in them than the other side represents, such as comments.
type Recaller interface {
	// Recall returns made, the text that the mapping has made for a field of side at, with what the
	// earlier text was has and the other side can't represent. It returns false if was has no such thing.
	// It appends new texts to scratch, and returns scratch as rest.
	Recall(scratch []byte, at Side, was, made []byte) (rest, text []byte, ok bool)
}

// Form says how a side holds elements.
type Form uint8

const (
	// NoForm is that of a row without elements.
	NoForm Form = iota
	// List holds them in a list.
	List
	// Dict holds them in a map, by key.
	Dict
	// One holds a single element, without a list.
	One
)
