// Package stash is the format in which a version's data travels in an
// annotation while an object is in another version.
//
//	stash.crosswalk.dev/v1beta1: {"format":1,"table":"Xw3k9QzP","entries":[
//	  {"at":["spec","timeZone"],"value":"UTC"},
//	  {"at":["spec","jobs",{"key":{"name":"a"}},"cmd"],"guard":"k3J…"},
//	  {"at":["status","conditions",{"key":{"type":"Ready"},"there":{"type":"Available"}},"reason"],"value":"Up"},
//	  {"at":["spec","ports",{"key":{"name":"a"},"in":"tcp"},"weight"],"value":1},
//	  {"at":["spec","env"],"order":["B","A",{"value":{"name":"A"}}]},
//	  {"at":["spec","routes",{"part":"http"},{"key":{"name":"a"}},"weight"],"value":3},
//	  {"at":["spec","routes"],"order":[{"part":"tcp","step":{"key":{"name":"b"}}},{"part":"http","step":{"key":{"name":"a"}}}]}]}
//
// An entry has what its version has at a place: a value, or nothing if "value" is missing. If it has
// a guard, it is valid only while what the row reads in the other version is the same. "table" is
// the mark of the rows and schemas, or of the code, by which the entries were written.
package stash

import (
	"bytes"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
)

const (
	// Prefix is the beginning of the names of all stashes. The version that owns the stash follows.
	Prefix = "stash.crosswalk.dev/"
	// StatusSuffix follows the version in the name of the stash with the entries of status.
	StatusSuffix = ".status"
	// Incomplete is the annotation with the paths of fields for which there was no room.
	Incomplete = "crosswalk.dev/incomplete"
	// MaxVersion is the maximal length of the name of a version, so that the names of its stashes
	// are valid: after its prefix, the name of an annotation has at most 63 characters
	// (k8s.io/apimachinery/pkg/util/validation).
	MaxVersion = 63 - len(StatusSuffix)

	format = 1
)

// Owner returns the version that owns the stash of this name. It returns false for other
// annotations.
func Owner(name []byte) (version []byte, ok bool) {
	if len(name) <= len(Prefix) || string(name[:len(Prefix)]) != Prefix {
		return nil, false
	}
	version = name[len(Prefix):]
	if n := len(version) - len(StatusSuffix); n > 0 && string(version[n:]) == StatusSuffix {
		version = version[:n]
	}
	return version, true
}

// IsOurs reports whether Crosswalk writes an annotation.
func IsOurs(name string) bool {
	return strings.HasPrefix(name, Prefix) || name == Incomplete
}

// Entry is one place of the owning version.
type Entry struct {
	At []Step
	// Value is JSON. It is nil if the field is absent in this version.
	Value []byte
	Guard []byte
	// Table is the mark of the table that wrote the entry, or nil if it is that of the stash.
	Table []byte
	// Unplaced is the version from which a conversion could not place the entry, or nil. Another
	// table has written the entry then.
	Unplaced []byte
	// Order has the order of the elements of a list, with those that the other version can't
	// represent. Such an entry has neither value nor guard.
	Order []Item
}

// OfStatus reports whether an entry belongs to the stash for status.
func (e *Entry) OfStatus() bool { return len(e.At) > 0 && string(e.At[0].Name) == "status" }

// Filed returns the entries of a stash that belong into the stash of this name. No conversion
// writes others there. A client that may write spec need not be allowed to write status.
func Filed(name string, entries []Entry) []Entry {
	ofStatus := strings.HasSuffix(name, StatusSuffix)
	return slices.DeleteFunc(entries, func(e Entry) bool { return e.OfStatus() != ofStatus })
}

// Item is one element of a list: the step to it, with its part if the list has parts, or its value
// if the other version can't represent it.
type Item struct {
	Part  []byte
	Step  Step
	Value []byte
	// Rank is the position of the element among those that rows make, from 1. It is 0 if they are
	// made in the order that they had.
	Rank int
	// Double says that rows make another element with the key of this value.
	Double bool
}

// Step leads from a value to one inside it.
type Step struct {
	// Name is a member, if the step is neither a key nor content.
	Name []byte
	// Key is the canonical JSON of an element's key members.
	Key []byte
	// There is Key with the values of the other version, as rows make them, or null if the other
	// version has none. It is nil if they are the same.
	There []byte
	// In is the list that has the element in the other version, if that is one of several. If others
	// have elements with the same key, Of is how many these are in all.
	In []byte
	// Content is the hash of an element as rows make it. Nth is its number among equal elements,
	// from 0, and Of how many these are, if there are several.
	Content []byte
	Nth, Of int
	// Part is the part of a list to which the element of the next step belongs.
	Part []byte
	// Live is the hash of the element in the other version, which identifies it if the rows have
	// changed. It may be nil.
	Live []byte
	// Alike is the number of the element among those that are equal in the other version, from 0.
	// AlikeOf is how many these are, if some of them differ in what some table drops, or 0.
	Alike, AlikeOf int
	// Full is Live with what some table drops, or nil if that is nothing. FullNth is the number of
	// the element among those with the same Full, from 0, if there is AlikeOf.
	Full    []byte
	FullNth int
}

// KeyThere returns the key with the values of the other version.
func (s Step) KeyThere() []byte {
	if s.There != nil {
		return s.There
	}
	return s.Key
}

// Same reports whether two steps lead to the same value.
func (s Step) Same(other Step) bool {
	return bytes.Equal(s.Name, other.Name) && bytes.Equal(s.Part, other.Part) && bytes.Equal(s.Key, other.Key) && bytes.Equal(s.In, other.In) && bytes.Equal(s.Content, other.Content) && s.Nth == other.Nth
}

// SamePlace reports whether two addresses lead to the same place.
func SamePlace(a, b []Step) bool { return slices.EqualFunc(a, b, Step.Same) }

// Place returns a text that is the same for addresses that lead to the same place, and only for
// these.
func Place(at []Step) string {
	var text []byte
	for _, s := range at {
		text = Step{Name: s.Name, Part: s.Part, Key: s.Key, Content: s.Content, Nth: s.Nth}.Append(text)
	}
	return string(text)
}

// AppendPath appends an address in a form for people, such as .spec.jobs[{"name":"x"}].command.
func AppendPath(dst []byte, at []Step) []byte {
	for _, s := range at {
		switch {
		case s.Key != nil:
			dst = append(append(append(dst, '['), s.Key...), ']')
		case s.Part != nil: // the path is the same in all alternatives
		case s.Content != nil:
			dst = append(dst, "[…]"...)
		default:
			dst = append(dst, path.Path{string(s.Name)}.String()...)
		}
	}
	return dst
}
