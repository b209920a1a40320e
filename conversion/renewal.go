package conversion

import (
	"context"
	"errors"
	"math"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/engine"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

const (
	// leastRoom is how many bytes of work an object's renewal may take, however small the
	// object is, and roomTimes how many times the object. Nobody may make it endless work. Where
	// nothing has to be looked for by halves, one owner takes five to seven times the object.
	leastRoom = 256 << 10
	roomTimes = 8
	// As much work as to convert one byte is to look up what has come of so many, to copy so
	// many with changes, and to make up so many to tell elements apart.
	lookUp  = 8
	copying = 4
	madeUp  = 4
	// maxKept is how many bytes of what was converted and read are kept for the next time,
	// and keptObjects how many objects of that length, be it more.
	maxKept     = 4 << 20
	keptObjects = 16
	// sizeOfStep is about how many bytes a step takes that has been read.
	sizeOfStep = 160
)

// renewal is the work on one object of which stashes were written by another table.
// The same trips are made, and the same stashes read, again and again: each is
// converted and read once, as long as there is room to keep what has come of it.
type renewal struct {
	*Converter
	ctx context.Context
	// caller is the one whose context that is.
	caller  caller.Caller
	trips   map[trip]tripped
	plains  map[plainOf][]byte
	stashes map[string]said
	// spent is how many bytes of work have been done, or refused, and room how many there may be.
	spent, room int
	// to is the version that the object is on its way to.
	to string
	// unplaced is how many entries of each owner there was no room to try.
	unplaced map[string]int
	// kept is about how many bytes what is kept takes, and most how many it may take.
	kept, most int
}

// trip is an object in one version on the way to another one.
type trip struct{ object, from, to string }

// tripped is what has become of an object on a trip. It must not be changed.
type tripped struct {
	object []byte
	counts engine.Counts
	// landed are the entries of another table for the version that the trip leads to.
	landed []engine.Landing
	err    error
}

// plainOf is the plain form of an object in a version.
type plainOf struct{ object, version string }

// said is what a stash says, nothing if it is malformed. It must not be changed.
type said struct {
	entries []stash.Entry
	table   string
}

// renewing is the work on an object before it begins.
func (c *Converter) renewing(ctx context.Context, to string) *renewal {
	return &renewal{
		Converter: c, ctx: ctx, caller: caller.Of(ctx), to: to,
		trips: map[trip]tripped{}, plains: map[plainOf][]byte{}, stashes: map[string]said{}, unplaced: map[string]int{},
	}
}

// convert converts an object that was renewed.
func (c *renewal) convert(dst, object []byte, from string) (out []byte, counts engine.Counts, unplaced int, err error) {
	defer caller.Catch(&err)
	renewed := c.renewed(object, from)
	c.room = math.MaxInt // the answer itself is no trial
	t := c.trip(renewed, from, c.to)
	return append(dst, t.object...), t.counts, c.allUnplaced(), t.err
}

// passes reports whether the object is on its way to a version, or by way of it.
func (c *renewal) passes(version string) bool { return version == c.to || version == c.hub }

// allUnplaced is how many entries there was no room to try.
func (c *renewal) allUnplaced() (n int) {
	for _, of := range c.unplaced {
		n += of
	}
	return n
}

// errNoRoom ends what would take more work than there is room for.
var errNoRoom = errors.New("there is no room for the work to renew what was kept under another table")

// spend reports whether there is room for so many bytes of work. Once there is not, there is
// none for anything, so that what has been found out without it counts for nothing. It also ends
// the work where nobody waits for it any more.
func (c *renewal) spend(bytes int) bool {
	c.caller.Look()
	c.spent += bytes
	return c.hasRoom()
}

// texts writes values as long as somebody waits for them.
func (c *renewal) texts() schema.Writer { return schema.Writer{Caller: &c.caller} }

// hasRoom reports whether there has been room for all work so far.
func (c *renewal) hasRoom() bool { return c.spent <= c.room }

// keep makes room for what is kept next: if it has become too much, nothing else is.
func (c *renewal) keep(size int) {
	if c.kept += size; c.kept > c.most {
		clear(c.trips)
		clear(c.plains)
		clear(c.stashes)
		c.kept = size
	}
}

// way is that of the Converter.
func (c *renewal) way(object []byte, from, to string) ([]byte, engine.Counts, error) {
	t := c.trip(object, from, to)
	return t.object, t.counts, t.err
}

// trip converts an object by way of the hub.
func (c *renewal) trip(object []byte, from, to string) tripped {
	key := trip{string(object), from, to}
	t, known := c.trips[key]
	switch {
	case known && c.spend(len(object)/lookUp):
		return t
	case known || !c.spend(len(object)):
		return tripped{err: errNoRoom}
	}
	t.object, t.counts, t.err = c.wayLanding(c.ctx, nil, object, from, to, func(all []engine.Landing) { t.landed = all })
	c.spend(t.counts.MadeUp / madeUp)
	c.keep(len(object) + len(t.object) + t.counts.Steps*sizeOfStep)
	c.trips[key] = t
	return t
}

// plain is that of the Converter, nil where there is no room for it.
func (c *renewal) plain(object []byte, version string) []byte {
	key := plainOf{string(object), version}
	plain, known := c.plains[key]
	switch {
	case known && c.spend(len(object)/lookUp):
		return plain
	case known || !c.spend(len(object)/copying):
		return nil
	}
	plain = c.Converter.plain(c.texts(), object, version)
	c.keep(len(object) + len(plain))
	c.plains[key] = plain
	return plain
}

// said reads the text of a stash.
func (c *renewal) said(text string) (entries []stash.Entry, table string) {
	s, known := c.stashes[text]
	if !known && text != "" {
		c.spend(len(text) / lookUp)
		s.entries, s.table, _ = stash.Read(nil, []byte(text))
		size := 2 * len(text)
		for _, e := range s.entries {
			size += (len(e.At) + len(e.Order)) * sizeOfStep
		}
		c.keep(size)
		c.stashes[text] = s
	}
	return s.entries, s.table
}
