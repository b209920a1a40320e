// Package engine converts the bytes of one object by a plan.
//
// A conversion scans the source once and notes the spans of those places that
// the plan names, as slots of frames: a frame is one object of interest, the
// resource itself or an element of a list. Rows then fill the frames of the
// target, entries of the target's stash are restored into them, and what
// converting back would not reproduce goes into the source's own stash.
// Everything else is copied in runs of bytes.
package engine

import (
	"sync"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Job is one conversion by one plan.
type Job struct {
	Plan *plan.Plan
	// From is the side of the source.
	From plan.Side
	// APIVersion is that of the target, as JSON.
	APIVersion []byte
	// Marks are those of the tables between the hub and each spoke.
	Marks map[string]string
	// Landed, if it is set, is told what has become of the entries of the target's
	// stash that another table wrote: where in the target they are now. A step to an
	// element of a list is then no more than its position.
	Landed func([]Landing)
}

// Counts is what happened on the way.
type Counts struct {
	Residuals, IgnoredStashes, LeftOut int
	// Earlier says that a stash of some version was written by another table.
	Earlier bool
}

// Plus adds the counts of two steps.
func (n Counts) Plus(other Counts) Counts {
	return Counts{
		Residuals: n.Residuals + other.Residuals, IgnoredStashes: n.IgnoredStashes + other.IgnoredStashes,
		LeftOut: n.LeftOut + other.LeftOut, Earlier: n.Earlier || other.Earlier,
	}
}

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
	base  int32 // of its slots
	next  int32 // the frame of the next element
	// mate is the frame on the other side.
	mate int32
	// name is the quoted name of a map's value.
	name []byte
	// key and content tell an element apart, once somebody has asked.
	key, content []byte
	nth          int
	// live is the hash of the element as the other side has it, but for what leftOut
	// names.
	live, leftOut []byte
	// ambiguous says that another element has the same key.
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

// conversion is the state of one conversion. It is pooled: everything in it is
// reused.
type conversion struct {
	job  Job
	scan jsontext.Scanner
	src  []byte

	slots    []slot
	frames   []frame
	runs     []run
	unknowns []unknown

	// left is what expressions may still cost.
	left uint64
	// scratch holds the texts of values that rows made.
	scratch []byte
	ins     [][]byte
	outs    [][]byte

	// incoming are the entries of the target's stash.
	incoming []stash.Entry
	// earlier says that they were written by another table than this one.
	earlier bool
	// spots are where they belong, by their numbers; only of entries of another table.
	spots []earlierSpot
	// indexes find the elements of the target's lists by their addresses; a
	// list is known by its first element.
	indexes map[int32]map[string]int32
	// lives are the elements of the target's lists that an address of its stash leads
	// to by what the other version has of them; nil until somebody asks.
	lives map[spokenOf]struct{}
	// counted is how much has been read to find elements of an earlier table.
	counted int
	// restored are the unknown members that entries have brought back.
	restored map[place]struct{}
	// taken are the containers that an entry took away and that may come back.
	taken []taken
	// outgoing are the source's own stashes: of everything but status, and of
	// status.
	outgoing [2]stash.Writer
	// mark is the text of the annotation that names what was left out.
	mark   []byte
	path   []step
	counts Counts
	// strict says that what rows cannot map is noted in unmapped.
	strict   bool
	unmapped []Unmapped
	// explains says that residuals are noted.
	explains  bool
	residuals []residual
}

var pool = sync.Pool{New: func() any { return new(conversion) }}

// ShapeError says that the source is JSON, but no Kubernetes object.
type ShapeError struct {
	Offset int
	Reason string
}

func (e *ShapeError) Error() string { return e.Reason }

// Convert appends the converted object to dst. Errors are of type
// *jsontext.SyntaxError or *ShapeError.
func Convert(dst, src []byte, job Job) ([]byte, Counts, error) {
	c := pool.Get().(*conversion)
	defer c.release()
	c.job, c.src = job, src
	c.scan.Reset(src)
	out, err := c.convert(dst)
	return out, c.counts, err
}

// release forgets the source, so that the pool holds nobody's data.
func (c *conversion) release() {
	clear(c.slots)
	clear(c.frames)
	clear(c.runs)
	clear(c.unknowns)
	clear(c.ins)
	clear(c.outs)
	clear(c.incoming)
	clear(c.spots)
	clear(c.taken)
	c.taken = c.taken[:0]
	c.indexes, c.restored, c.lives = reuse(c.indexes), reuse(c.restored), nil
	clear(c.path[:cap(c.path)])
	c.slots, c.frames, c.runs, c.unknowns = c.slots[:0], c.frames[:0], c.runs[:0], c.unknowns[:0]
	c.incoming, c.spots, c.path, c.scratch = c.incoming[:0], c.spots[:0], c.path[:0], c.scratch[:0]
	c.mark = c.mark[:0]
	c.outgoing[0].Reset()
	c.outgoing[1].Reset()
	c.scan.Reset(nil)
	c.src, c.job, c.counts = nil, Job{}, Counts{}
	c.strict, c.unmapped, c.earlier, c.counted = false, nil, false, 0
	c.explains, c.residuals = false, nil
	pool.Put(c)
}

// reuse empties a map. A large one is left to the collector, since to empty it
// costs its size, again and again.
func reuse[K comparable, V any](m map[K]V) map[K]V {
	if len(m) > 1000 {
		return nil
	}
	clear(m)
	return m
}

func (c *conversion) convert(dst []byte) ([]byte, error) {
	c.left = expression.Budget
	source, err := c.read()
	if err != nil {
		return dst, err
	}
	target := c.forward(source)
	if len(c.incoming) > 0 {
		c.settle(target)
		if c.earlier {
			c.adopt(target)
		} else {
			c.restore(target)
		}
		c.settle(target)
		c.revive(target)
		c.reviveTaken()
		c.reviveInDefaults(target)
	} else {
		c.settle(target)
	}
	c.follow(target)
	c.fill(target)
	c.shorten(target)
	for i := range c.outgoing {
		c.outgoing[i].Table = c.job.Plan.Mark
	}
	c.check(source)
	c.fit(target)
	c.tidyMetadata(source, target)
	if c.job.Landed != nil && c.earlier {
		c.job.Landed(c.landed(target))
	}
	return c.emit(dst, target, 0), nil
}

// newFrame makes an empty frame.
func (c *conversion) newFrame(scope *plan.Scope, side plan.Side) int32 {
	base := len(c.slots)
	n := len(scope.Nodes[side])
	if cap(c.slots)-base < n {
		grown := make([]slot, base, 2*cap(c.slots)+n)
		copy(grown, c.slots)
		c.slots = grown
	}
	c.slots = c.slots[:base+n]
	for i := base; i < base+n; i++ {
		c.slots[i] = slot{first: none, last: none, kept: none}
	}
	c.frames = append(c.frames, frame{scope: scope, side: side, base: int32(base), next: none, mate: none})
	return int32(len(c.frames) - 1)
}

// at returns the slot of a node. The pointer holds until the next newFrame.
func (c *conversion) at(f, node int32) *slot {
	return &c.slots[c.frames[f].base+node]
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
