package conversion

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/engine"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

const (
	// maxTrips is how many conversions of an object may have been made, for each version
	// that has such a stash, when something is tried once more. Nobody may make that
	// endless work.
	maxTrips = 64
	// maxTried is how long an object counts for that, so that a very long one is tried
	// less often.
	maxTried = 256 << 10
	// fewMadeUp is how many bytes may be made up to tell elements apart for as much work
	// as one byte that is converted.
	fewMadeUp = 8
	// bytesOfStep is for how many bytes that are converted a step of an address counts,
	// since there is something to be made of each, however short its name is.
	bytesOfStep = 32
	// maxKept is how many bytes of what was converted and read are kept for the next time,
	// and keptObjects how many objects of that length, be it more.
	maxKept     = 16 << 20
	keptObjects = 32
	// sizeOfStep is about how many bytes a step takes that has been read.
	sizeOfStep = 160
)

// renewal is the work on one object of which stashes were written by another table.
// The same trips are made, and the same stashes read, again and again: each is
// converted and read once, as long as there is room to keep what has come of it.
type renewal struct {
	*Converter
	trips   map[trip]tripped
	plains  map[plainOf][]byte
	stashes map[string]said
	// tripped is how many bytes all trips had to convert, and to make up, and room how many
	// they may have when something is tried once more.
	tripped, room int
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
func (c *Converter) renewing() *renewal {
	return &renewal{Converter: c, trips: map[trip]tripped{}, plains: map[plainOf][]byte{}, stashes: map[string]said{}}
}

// mayTry says whether there is room to try something once more.
func (c *renewal) mayTry() bool { return c.tripped < c.room }

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
	if !known {
		t.object, t.counts, t.err = c.wayLanding(nil, object, from, to, func(all []engine.Landing) { t.landed = all })
		c.tripped += max(len(object), t.counts.Steps*bytesOfStep) + t.counts.MadeUp/fewMadeUp
		c.keep(len(object) + len(t.object) + t.counts.Steps*sizeOfStep)
		c.trips[key] = t
	}
	return t
}

// plain is that of the Converter.
func (c *renewal) plain(object []byte, version string) []byte {
	key := plainOf{string(object), version}
	plain, known := c.plains[key]
	if !known {
		plain = c.Converter.plain(object, version)
		c.keep(len(object) + len(plain))
		c.plains[key] = plain
	}
	return plain
}

// said reads the text of a stash.
func (c *renewal) said(text string) (entries []stash.Entry, table string) {
	s, known := c.stashes[text]
	if !known && text != "" {
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
