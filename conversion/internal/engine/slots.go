package engine

// state is what a slot has.
type state uint8

const (
	absent state = iota
	// raw is a value that is copied unchanged.
	raw
	// object is an object whose fields have slots.
	object
	// list is a list or map whose elements have frames.
	list
	// parted is a list whose parts have the frames of its elements.
	parted
)

// slot is one field of a frame.
type slot struct {
	// text is the whole value in the source, or the value of a raw slot.
	text []byte
	// first and last are the runs of an object, or the frames of a list.
	first, last int32
	// kept is the first of the unknown members of an object.
	kept  int32
	state state
	// made says that the slot is an object only because something inside it was made.
	made bool
}

// present reports whether a slot has something to write.
func (s *slot) present() bool {
	return s.state == raw || s.state == object || s.state == list || s.state == parted
}

// isNothing reports whether a slot is unused.
func (s *slot) isNothing() bool {
	return s.state == absent && s.text == nil && s.first == none && s.last == none && s.kept == none && !s.made
}

// sparse has the slots of a frame with many nodes: most elements have few of the fields in their
// schema.
type sparse struct {
	// own is the slot of the first node, which is the element itself.
	own [1]slot
	// groups are those of the other nodes. A group is made when a slot in it is written.
	groups []*group
}

// group has the slots of some consecutive nodes.
type group [groupSize]slot

const (
	groupSize = 4
	// fewSlots is the number of slots up to which all are made at once.
	fewSlots = 8
)

// empty makes empty slots of zero ones.
func empty(slots []slot) {
	for i := range slots {
		slots[i].first, slots[i].last, slots[i].kept = none, none, none
	}
}

// peek returns the slot of a node for reading. A slot that was not made is the blank one, which is
// shared: only a slot that has something may be written.
func (c *conversion) peek(f, node int32) *slot {
	if slots := c.frames[f].slots; slots != nil {
		return &slots[node]
	}
	return c.peekGroup(f, node)
}

// peekGroup is peek for slots in groups. It stays a function, so that peek need not be one.
//
//go:noinline
func (c *conversion) peekGroup(f, node int32) *slot {
	sparse := c.frames[f].sparse
	if node == 0 {
		return &sparse.own[0]
	}
	if sparse.groups == nil {
		return &c.blank
	}
	node--
	if g := sparse.groups[uint32(node)/groupSize]; g != nil {
		return &g[uint32(node)%groupSize]
	}
	return &c.blank
}

// at returns the slot of a node for writing.
func (c *conversion) at(f, node int32) *slot {
	if slots := c.frames[f].slots; slots != nil {
		return &slots[node]
	}
	return c.atGroup(f, node)
}

// atGroup is at for slots in groups.
//
//go:noinline
func (c *conversion) atGroup(f, node int32) *slot {
	sparse := c.frames[f].sparse
	if node == 0 {
		return &sparse.own[0]
	}
	if sparse.groups == nil {
		sparse.groups = c.memory.pointers.take((len(c.nodes(f)) - 1 + groupSize - 1) / groupSize)
	}
	node--
	g := &sparse.groups[uint32(node)/groupSize]
	if *g == nil {
		*g = &c.memory.groups.take(1)[0]
		empty((*g)[:])
	}
	return &(*g)[uint32(node)%groupSize]
}

// nothing is an empty slot.
var nothing = slot{first: none, last: none, kept: none}

// clear empties the slot of a node.
func (c *conversion) clear(f, node int32) {
	if s := c.peek(f, node); s != &c.blank {
		*s = nothing
	}
}
