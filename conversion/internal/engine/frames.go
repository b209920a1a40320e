package engine

import "github.com/crosswalk-dev/crosswalk/conversion/internal/plan"

// state says what is at a place.
type state uint8

const (
	absent state = iota
	// raw is a value that is copied as it stands.
	raw
	// object is an object with slots for the parts of interest.
	object
	// list is a list or map of which each element has a frame.
	list
	// parted is a list whose parts hold the frames of its elements.
	parted
	// gone is absence by the word of a stash: nothing is filled in.
	gone
)

// slot is one place of one frame.
type slot struct {
	state state
	// text is the whole value in the source, or the value of a raw slot.
	text []byte
	// first and last are the runs of an object, or the frames of a list.
	first, last int32
	// kept is the first of the unknown members of an object.
	kept int32
	// made says that the slot is an object only because of what is in it.
	made bool
	// stood says that it is an object only because absence in it is a word of the table.
	stood bool
	// restored says that only a stash says that this stands.
	restored bool
	// textRestored says that only a stash says of the text what stands here once rows
	// have nothing more in it.
	textRestored bool
	// stated says that a stash knows of a container that it was there by itself.
	stated bool
	// away says that a stash knows of a container that only the target's version has
	// that it was not there. It is, if something is in it now.
	away bool
	// back says of a source's slot that converting back writes it, though it is
	// absent.
	back bool
	// byDefault says of a source's slot that it is, or is in, an object that the
	// other version has nothing of and that the API server makes again.
	byDefault bool
	// tried says that an entry of the stash has been used or refused here.
	tried bool
}

// frame is one object of interest on one side.
type frame struct {
	scope *plan.Scope
	side  plan.Side
	slots []slot // of the nodes of its side
	next  int32  // the frame of the next element
	// mate is the frame on the other side.
	mate int32
	// name is the quoted name of a map's value.
	name []byte
	// key and content tell an element apart, once somebody has asked.
	key, content []byte
	nth          int
	// there is key with the values that the other side has instead, where rows may make
	// others.
	there []byte
	// live is the hash of the element as the other side has it, but for what leftOut
	// names.
	live, leftOut []byte
	// ambiguous says that another element has the same key, on either side.
	ambiguous bool
	// position is where the element stands in a parted list, where that is known.
	position int32
	// addressed says of the first element that the keys of all elements of the list are
	// set.
	addressed bool
}

// run is a piece of the source that is copied: members with the commas between
// them.
type run struct {
	text []byte
	next int32
}

// unknown is a member that is kept.
type unknown struct {
	name, value []byte // the name with its quotes
	next        int32
}

const none = plan.None

// newFrame makes an empty frame.
func (c *conversion) newFrame(scope *plan.Scope, side plan.Side) int32 {
	slots := c.slots.take(len(scope.Nodes[side]))
	for i := range slots {
		slots[i] = slot{first: none, last: none, kept: none}
	}
	c.frames = append(c.frames, frame{scope: scope, side: side, slots: slots, next: none, mate: none})
	return int32(len(c.frames) - 1)
}

// at returns the slot of a node. It stays where it is as long as its frame.
func (c *conversion) at(f, node int32) *slot {
	return &c.frames[f].slots[node]
}

// slotsOf returns the slots of a frame.
func (c *conversion) slotsOf(f int32) []slot {
	return c.frames[f].slots
}

// nodes returns the nodes of a frame's side.
func (c *conversion) nodes(f int32) []plan.Node {
	fr := &c.frames[f]
	return fr.scope.Nodes[fr.side]
}

// link appends frame e to the list in slot s.
func (c *conversion) link(f, node, e int32) {
	s := c.at(f, node)
	if s.first == none {
		s.first = e
	} else {
		c.frames[s.last].next = e
	}
	s.last = e
}

// height is how much there is of what a conversion collects.
type height struct {
	slots                  level
	frames, runs, unknowns int
}

func (c *conversion) height() height {
	return height{c.slots.level(), len(c.frames), len(c.runs), len(c.unknowns)}
}

// forget drops what was made since, to which nothing may lead any more: elements within
// elements would be made again and again for each of those that they are in.
func (c *conversion) forget(h height) {
	c.slots.forget(h.slots)
	clear(c.frames[h.frames:])
	clear(c.runs[h.runs:])
	clear(c.unknowns[h.unknowns:])
	c.frames, c.runs, c.unknowns = c.frames[:h.frames], c.runs[:h.runs], c.unknowns[:h.unknowns]
}
