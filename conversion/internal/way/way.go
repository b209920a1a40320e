// Package way is what converts an object both ways by itself: a table, or Go code.
//
// A way is a function of the object alone: it uses nothing that is kept in annotations, makes no
// annotations of its own, and leaves out what it cannot map. Package complement makes of it a
// conversion that loses nothing.
package way

import (
	"bytes"
	"context"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/explain"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// Way converts between two versions.
type Way interface {
	// Make converts an object of side from, and finds out whether that is exact if it is asked to. It
	// reuses the memory of made. Equal objects give equal results.
	Make(ctx context.Context, made *Made, object []byte, from plan.Side, asksExact bool) error
}

// Explaining is a Way that tells where what it makes comes from.
type Explaining interface {
	Way
	// Explain makes an object as Make does. It adds to told what it has written, what a row could not
	// compute, and what the table drops. It returns the values that rows can't map.
	Explain(ctx context.Context, made *Made, object []byte, from plan.Side, told *explain.Explanation) ([]Unmapped, error)
}

// Unmapped is a value of an object that a row can't map.
type Unmapped struct {
	// At is its offset in the object.
	At int
	// Needs is what the row could map.
	Needs string
}

// Made is what a Way makes of an object.
type Made struct {
	// Text is the object in the other version, without any stash of the two versions.
	Text []byte
	// Exact reports whether converting Text back gives the object again, without its stashes of
	// the two versions and with its defaults. It may be false though it does, as it is of an object
	// with such stashes.
	Exact bool
	// Stashes are the object's stashes for the other version, and Own those for its own.
	Stashes, Own []Stash
	// Ignored counts the annotations with names of such stashes that hold no text.
	Ignored int
	// Mark names what conversions to third versions have left out, in the form of the annotation
	// stash.Incomplete.
	Mark []byte
	// Elements are those in Text, in the order of their offsets, except for those inside values
	// that were computed.
	Elements []Element
	// Memory is that of the texts of stashes.
	Memory []byte
}

// Reset empties made, whose memory is to be reused.
func (m *Made) Reset() {
	clear(m.Stashes)
	clear(m.Own)
	clear(m.Elements)
	*m = Made{Text: m.Text[:0], Stashes: m.Stashes[:0], Own: m.Own[:0], Mark: m.Mark[:0], Elements: m.Elements[:0], Memory: m.Memory[:0]}
}

// AddMark adds to the mark what the text of such an annotation tells of others than these two versions.
func (m *Made) AddMark(text []byte, versions [2]string) {
	for part := range bytes.SplitSeq(text, []byte("; ")) {
		owner, _, _ := bytes.Cut(part, []byte(": "))
		if string(owner) == versions[0] || string(owner) == versions[1] {
			continue
		}
		if len(m.Mark) > 0 {
			m.Mark = append(m.Mark, "; "...)
		}
		m.Mark = append(m.Mark, part...)
	}
}

// Stash is an annotation.
type Stash struct{ Name, Text []byte }

// Element is an element of a list or a map, or a value that is one in the other version.
type Element struct {
	// At is the offset of the element in the made text, and From that of the one in the object
	// that it was made of, or -1 where that is not known.
	At, From int
	// Scope pairs the two.
	Scope *plan.Scope
}
