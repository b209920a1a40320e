// Package explain has what is told of a conversion: where each field of the result comes from, and
// what became of the other fields of the source.
package explain

import (
	"encoding/json"
	"fmt"
)

// Explanation is what is told of one step of a conversion.
type Explanation struct {
	// Origins are the fields of the result, in its order. A field that is the same in both versions,
	// with all that is in it, is one of them.
	Origins []Origin `json:"places"`
	// Uncomputed are the fields of the result that a row could not compute though it reads a value,
	// and for which nothing is kept.
	Uncomputed []Uncomputed `json:"uncomputed,omitempty"`
	// Kept are the values in the stash of the source's version.
	Kept []Kept `json:"kept,omitempty"`
	// Dropped are the values that the table drops.
	Dropped []Dropped `json:"dropped,omitempty"`
	// Unused are the entries of the target's stash that were not used.
	Unused []Unused `json:"unused,omitempty"`

	// size is about how much text it has, in bytes.
	size int
}

// maxSize is how much text an explanation may have, in bytes: that of about 100,000 fields. Each has
// a path from the root of the object, so a large object under a long name takes far more text than it
// has itself.
const maxSize = 8 << 20

// perField is how much text a field takes besides its path and values.
const perField = 64

// Takes counts text that is written, or read in order to write it, in bytes. If that is too much, it
// ends the work by a panic that [CatchTooLong] turns into an error.
func (e *Explanation) Takes(bytes int) {
	if e.size += bytes; e.size > maxSize {
		panic(tooLong{})
	}
}

// Add adds a field of the result.
func (e *Explanation) Add(o Origin) {
	e.Takes(perField + len(o.Path) + len(o.Value))
	e.Origins = append(e.Origins, o)
}

// AddUncomputed adds a field that could not be computed.
func (e *Explanation) AddUncomputed(u Uncomputed) {
	e.Takes(perField + len(u.Path) + len(u.Needs))
	e.Uncomputed = append(e.Uncomputed, u)
}

// AddKept adds a value that is kept.
func (e *Explanation) AddKept(k Kept) {
	e.Takes(perField + len(k.Path) + len(k.Value) + len(k.Back))
	e.Kept = append(e.Kept, k)
}

// AddDropped adds a value that is dropped.
func (e *Explanation) AddDropped(d Dropped) {
	e.Takes(perField + len(d.Path))
	e.Dropped = append(e.Dropped, d)
}

// AddUnused adds an entry that was not used.
func (e *Explanation) AddUnused(u Unused) {
	e.Takes(perField + len(u.Path) + len(u.Reason))
	e.Unused = append(e.Unused, u)
}

// tooLong is the panic of Takes.
type tooLong struct{}

// CatchTooLong must be deferred where the work on an explanation begins.
func CatchTooLong(err *error) {
	switch p := recover().(type) {
	case nil:
	case tooLong:
		*err = fmt.Errorf("the explanation takes more than %d MiB; explain a smaller object", maxSize>>20)
	default:
		panic(p)
	}
}

// By is the kind of source of a field.
type By string

// The sources of a field.
const (
	// BySame: both versions have the field with the same value.
	BySame By = "same"
	ByRow  By = "row"
	// ByAbsence: a row gives the absence of its fields this meaning.
	ByAbsence  By = "absence"
	ByDefault  By = "default"
	ByConstant By = "constant"
	ByStash    By = "stash"
	// ByCode: Go code; see package typed.
	ByCode By = "code"
)

// Origin is a field of the result, with its source.
type Origin struct {
	Path string `json:"path"`
	By   By     `json:"by"`
	// Row is the title of the row, as in problems, and From are its fields in the source.
	Row  string   `json:"row,omitempty"`
	From []string `json:"from,omitempty"`
	// Value is set unless the field is the same in both versions, or is sensitive.
	Value     json.RawMessage `json:"value,omitempty"`
	Sensitive bool            `json:"sensitive,omitempty"`
}

// Uncomputed is a field of the result that a row could not compute.
type Uncomputed struct {
	Path string `json:"path"`
	Row  string `json:"row"`
	// Needs is what the row can convert, and why there is no value.
	Needs string `json:"needs"`
}

// Dropped is a field of the source that the table drops.
type Dropped struct {
	Path   string `json:"path"`
	Row    string `json:"row"`
	Reason string `json:"reason"`
}

// Why is the reason why a value is kept.
type Why string

// The reasons.
const (
	// WhyPrivate: the target version has no such field.
	WhyPrivate Why = "no such field"
	// WhyUnmapped: the row can't map the value.
	WhyUnmapped Why = "cannot be mapped"
	// WhyInexact: the row has mapped the value, and converting back gives another one.
	WhyInexact Why = "another value on the way back"
	// WhyAbsent: the field is absent, and converting back gives a value.
	WhyAbsent Why = "absence"
	// WhyOrder: the target does not show the order of the elements, or some of them.
	WhyOrder Why = "order"
	// WhyShape: the target does not show that there is an object, or a value that is none.
	WhyShape Why = "shape"
)

// Kept is a field of the source that the target does not have unchanged.
type Kept struct {
	Path string `json:"path"`
	Why  Why    `json:"why"`
	// Row is the title of the row that maps the field, and Needs is what it could map.
	Row   string `json:"row,omitempty"`
	Needs string `json:"needs,omitempty"`
	// Value is the kept value, empty for an absence and for an order. Back is the value that
	// converting back gives instead, empty if it gives none.
	Value json.RawMessage `json:"value,omitempty"`
	Back  json.RawMessage `json:"back,omitempty"`
	// LeftOut is true if annotations had no room for it, so that it is lost.
	LeftOut bool `json:"leftOut,omitempty"`
}

// Unused is an entry of the target's stash that was not used.
type Unused struct {
	Path string `json:"path"`
	// Reason is for people.
	Reason string `json:"reason"`
}
