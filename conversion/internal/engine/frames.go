package engine

import "github.com/crosswalk-dev/crosswalk/conversion/internal/plan"

// frame is the whole object, or an element, on one side.
type frame struct {
	scope *plan.Scope
	nodes []plan.Node // of its side
	// slots are the slots of the nodes, unless sparse has them.
	slots  []slot
	sparse *sparse
	// name is the name of a map's value, in quotes.
	name []byte
	next int32 // the frame of the next element
	// mate is the frame on the other side.
	mate int32
	// position is the position of the element in a parted list, if it is known.
	position int32
	// from is the offset of the element in the source, or none.
	from int32
	side plan.Side
}

// run is a piece of the source that is copied: members with the commas between them.
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
	nodes := scope.Nodes[side]
	c.caller.Work(len(nodes))
	fr := &c.memory.frames.take(1)[0]
	fr.scope, fr.side, fr.nodes, fr.next, fr.mate, fr.from = scope, side, nodes, none, none, none
	c.frames = append(c.frames, fr)
	if n := len(nodes); n <= fewSlots || scope == c.job.Plan.Root {
		fr.slots = c.memory.slots.take(n)
		empty(fr.slots)
	} else {
		fr.sparse = &c.memory.sparse.take(1)[0]
		empty(fr.sparse.own[:])
	}
	return int32(len(c.frames) - 1)
}

// workOf returns about how much work it is to go through a frame, in fields.
func (c *conversion) workOf(f int32) int { return len(c.frames[f].nodes) }

const (
	// long is the length of a text in bytes from which its work is counted.
	long = 4 << 10
	// bytesOfWork is how many bytes of it are as much work as one field.
	bytesOfWork = 64
)

// workOn counts the work on a text beyond that of one field.
func (c *conversion) workOn(text []byte) {
	if len(text) >= long {
		c.caller.Work(len(text) / bytesOfWork)
	}
}

// nodes returns the nodes of a frame's side.
func (c *conversion) nodes(f int32) []plan.Node { return c.frames[f].nodes }

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
