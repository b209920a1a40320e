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
	"context"
	"errors"
	"sync"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Job is one conversion by one plan.
type Job struct {
	// Context is done when nobody waits for the conversion any more. Then it fails with a
	// *caller.GoneError.
	Context context.Context
	Plan    *plan.Plan
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
	// MadeUp is how many bytes were made up to tell elements apart.
	MadeUp int
	// Steps is how many steps the addresses of another table's entries have.
	Steps int
}

// Plus adds the counts of two steps.
func (n Counts) Plus(other Counts) Counts {
	return Counts{
		Residuals: n.Residuals + other.Residuals, IgnoredStashes: n.IgnoredStashes + other.IgnoredStashes,
		LeftOut: n.LeftOut + other.LeftOut, Earlier: n.Earlier || other.Earlier, MadeUp: n.MadeUp + other.MadeUp, Steps: n.Steps + other.Steps,
	}
}

// conversion is the state of one conversion. It is pooled: everything in it is
// reused.
type conversion struct {
	job  Job
	scan jsontext.Scanner
	src  []byte

	// frames are those in made, in the order in which they were made. Of them base stay
	// when those after them are forgotten.
	frames   []*frame
	base     int32
	made     blocks[frame]
	slots    blocks[slot]
	sparse   blocks[sparse]
	groups   blocks[group]
	pointers blocks[*group]
	blank    slot
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
	// contents is how much has been made up to tell elements apart, and unaddressed says
	// that one could not be told apart for that.
	contents    int
	unaddressed bool
	// unkept are the paths of what is left out for that, as far as they are named, and
	// others says how many more there are.
	unkept [][]stash.Step
	others int
	// counted is how much has been read to find elements of an earlier table.
	counted int
	// lone are the containers that stand for a default and of which rows make nothing.
	lone map[slotAt]struct{}
	// restored are the unknown members that entries have brought back.
	restored map[place]struct{}
	// standing are the places of alternatives of which entries tell whether something
	// stands there.
	standing map[slotAt]bool
	// taken are the containers that an entry took away and that may come back.
	taken []taken
	// outgoing are the source's own stashes: of everything but status, and of
	// status.
	outgoing [2]stash.Writer
	// mark is the text of the annotation that names what was left out.
	mark   []byte
	path   []step
	counts Counts
	// explains says that residuals are noted.
	explains  bool
	residuals []residual
	// madeUp is what elements are made up as to tell them apart, for the next one.
	madeUp madeUp
	// making is what Pure makes: stashes are not used, but collected. It is nil for Convert.
	making *way.Made
	// source is the whole source, and begins where the text that is being read begins in it, or none.
	source []byte
	begins int32
	// emits says that what is emitted is the result, of which elements are noted.
	emits bool
	// caller waits for all this.
	caller caller.Caller
}

var pool = sync.Pool{New: func() any { return &conversion{blank: nothing} }}

// ShapeError says that the source is JSON, but no Kubernetes object.
type ShapeError struct {
	Offset int
	Reason string
}

func (e *ShapeError) Error() string { return e.Reason }

// Convert appends the converted object to dst. Errors are of type
// *jsontext.SyntaxError, *ShapeError or *caller.GoneError, unless the engine itself is wrong.
func Convert(dst, src []byte, job Job) (out []byte, counts Counts, err error) {
	c := begin(src, job)
	defer c.end(&err)
	out, err = c.convert(dst)
	c.counts.MadeUp = c.contents + c.counted
	return out, c.counts, err
}

// begin takes a conversion from the pool.
func begin(src []byte, job Job) *conversion {
	c := pool.Get().(*conversion)
	c.job, c.src, c.caller = job, src, caller.Of(job.Context)
	c.source = src
	c.scan.Reset(src)
	return c
}

// end gives it back. It is to be deferred, and sets err if nobody waits any more.
func (c *conversion) end(err *error) {
	c.release()
	if p := recover(); p != nil {
		*err = caller.Caught(p)
	}
}

// errBlank says that no result can be trusted: the blank slot stands for all places in which
// nothing is.
var errBlank = errors.New("a value was written for an absent field; this is a mistake in Crosswalk: please report it with the table")

// release forgets the source, so that the pool holds nobody's data.
func (c *conversion) release() {
	c.made.forget(level{})
	c.slots.forget(level{})
	c.sparse.forget(level{})
	c.groups.forget(level{})
	c.pointers.forget(level{})
	clear(c.runs)
	clear(c.unknowns)
	clear(c.ins)
	clear(c.outs)
	clear(c.incoming)
	clear(c.spots)
	clear(c.taken)
	c.taken = c.taken[:0]
	c.indexes, c.restored, c.lives, c.lone = reuse(c.indexes), reuse(c.restored), nil, nil
	clear(c.path[:cap(c.path)])
	c.frames, c.runs, c.unknowns = c.frames[:0], c.runs[:0], c.unknowns[:0]
	c.incoming, c.spots, c.path, c.scratch = c.incoming[:0], c.spots[:0], c.path[:0], c.scratch[:0]
	c.mark = c.mark[:0]
	c.outgoing[0].Reset()
	c.outgoing[1].Reset()
	c.scan.Reset(nil)
	c.src, c.job, c.caller, c.counts = nil, Job{}, caller.Caller{}, Counts{}
	c.earlier, c.counted = false, 0
	c.contents, c.unaddressed, c.unkept, c.others = 0, false, nil, 0
	c.explains, c.residuals = false, nil
	c.blank, c.base = nothing, 0
	c.making, c.source, c.begins, c.emits = nil, nil, 0, false
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
		if !c.earlier && c.keepParts(target) {
			c.settle(target)
		}
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
	c.conclude(source)
	c.check(source)
	c.fit(target)
	c.tidyMetadata(source, target)
	if c.job.Landed != nil && c.earlier {
		c.job.Landed(c.landed(target))
	}
	dst = c.emit(dst, target, 0)
	if !c.blank.isNothing() {
		return dst, errBlank
	}
	return dst, nil
}
