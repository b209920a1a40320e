// Package engine converts the bytes of one object by a plan.
//
// A conversion scans the source once and records the spans of the fields that the plan names, as
// slots of frames. A frame is the whole object, or an element of a list or a map. Then rows fill
// the frames of the target, and everything else is copied in runs of bytes.
//
// It knows no stash: package complement finds what a stash restores, and what goes into one, by
// converting there and back.
package engine

import (
	"context"
	"errors"
	"sync"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Job is one conversion by one plan.
type Job struct {
	// Context is done when the caller no longer waits for the conversion. Then it fails with a
	// *caller.GoneError.
	Context context.Context
	Plan    *plan.Plan
	// From is the side of the source.
	From plan.Side
	// APIVersion is that of the target, as JSON.
	APIVersion []byte
}

// conversion is the state of one conversion. Conversions are pooled, with all their memory.
type conversion struct {
	job  Job
	scan jsontext.Scanner
	src  []byte

	// frames are the frames in memory, in the order in which they were made.
	frames   []*frame
	memory   memory
	blank    slot
	runs     []run
	unknowns []unknown

	// left is what expressions may still cost.
	left uint64
	// scratch holds the texts of values that rows made.
	scratch []byte
	ins     [][]byte
	outs    [][]byte

	// making is the result of Pure. Stashes are collected there.
	making *way.Made
	// source is the whole source, and begins the offset in it of the text that is being read, or
	// none.
	source []byte
	begins int32
	// emits says that the text being emitted is the result, so that the offsets of elements are
	// recorded.
	emits bool
	// caller is who waits for the conversion.
	caller caller.Caller
}

var pool = sync.Pool{New: func() any { return &conversion{blank: nothing} }}

// ShapeError says that the source is JSON, but not a Kubernetes object.
type ShapeError struct {
	Offset int
	Reason string
}

func (e *ShapeError) Error() string { return e.Reason }

// begin takes a conversion from the pool.
func begin(src []byte, job Job) *conversion {
	c := pool.Get().(*conversion)
	c.job, c.src, c.caller = job, src, caller.Of(job.Context)
	c.source = src
	c.scan.Reset(src)
	return c
}

// end returns the conversion to the pool. It must be deferred, and sets err if the caller no longer
// waits.
func (c *conversion) end(err *error) {
	c.release()
	if p := recover(); p != nil {
		*err = caller.Caught(p)
	}
}

// errBlank is the error for a write into the blank slot, which represents all fields without a
// value. The result can't be trusted then.
var errBlank = errors.New("a value was written for an absent field; this is a mistake in Crosswalk: please report it with the table")

// release forgets the source, so that the pool has no data of objects.
func (c *conversion) release() {
	c.memory.forget()
	clear(c.runs)
	clear(c.unknowns)
	clear(c.ins)
	clear(c.outs)
	c.frames, c.runs, c.unknowns, c.scratch = c.frames[:0], c.runs[:0], c.unknowns[:0], c.scratch[:0]
	c.scan.Reset(nil)
	c.src, c.job, c.caller, c.blank = nil, Job{}, caller.Caller{}, nothing
	c.making, c.source, c.begins, c.emits = nil, nil, 0, false
	pool.Put(c)
}
