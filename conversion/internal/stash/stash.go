// Package stash is the format in which a version's data travels in an
// annotation while an object is in another version.
//
//	stash.crosswalk.dev/v1beta1: {"format":1,"table":"Xw3k9QzP","entries":[
//	  {"at":["spec","timeZone"],"value":"UTC"},
//	  {"at":["spec","jobs",{"key":{"name":"a"}},"cmd"],"guard":"k3J…"},
//	  {"at":["status","conditions",{"key":{"type":"Ready"},"there":{"type":"Available"}},"reason"],"value":"Up"},
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
	// Prefix is what the names of all stashes begin with; the owning version
	// follows.
	Prefix = "stash.crosswalk.dev/"
	// StatusSuffix follows the version in the name of the stash that holds the
	// entries of status.
	StatusSuffix = ".status"
	// Incomplete is the annotation that names places for which there was no
	// room.
	Incomplete = "crosswalk.dev/incomplete"
	// MaxVersion is how long the name of a version can be, so that its stashes
	// have valid names: the name of an annotation, behind its prefix, has at
	// most 63 characters (k8s.io/apimachinery/pkg/util/validation).
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

// IsOurs reports whether an annotation is one of Crosswalk's own.
func IsOurs(name string) bool {
	return strings.HasPrefix(name, Prefix) || name == Incomplete
}

// Entry is one place of the owning version.
type Entry struct {
	At []Step
	// Value is JSON; nil says that nothing stands here.
	Value []byte
	Guard []byte
	// Table is the mark of the table that wrote the entry, if that is another one than that of the
	// stash; nil if not.
	Table []byte
	// Unplaced is the version from which a conversion could not place the entry, which another table
	// has written; nil if there was none.
	Unplaced []byte
	// Order says in which order the elements of a list stood, and which among
	// them the other version cannot show. Such an entry has neither value nor
	// guard.
	Order []Item
}

// OfStatus reports whether an entry belongs to the stash for status.
func (e *Entry) OfStatus() bool { return len(e.At) > 0 && string(e.At[0].Name) == "status" }

// Filed returns the entries that belong to the stash of this name, of those that it has. Nobody
// writes others there, and who may write the one stash need not be allowed to write the other.
func Filed(name string, entries []Entry) []Entry {
	ofStatus := strings.HasSuffix(name, StatusSuffix)
	return slices.DeleteFunc(entries, func(e Entry) bool { return e.OfStatus() != ofStatus })
}

// Item is one element of a list: the step that leads to it, with its part where
// the list has parts, or its value where the other version cannot show it.
type Item struct {
	Part  []byte
	Step  Step
	Value []byte
	// Rank is the place of the element among those that rows make, from 1; 0 where they are made in
	// the order in which they stood.
	Rank int
	// Double says of a value that an element with the same key is made.
	Double bool
}

// Step leads from a place to one inside it.
type Step struct {
	// Name is a member, if the step is neither a key nor content.
	Name []byte
	// Key is the canonical JSON of an element's key members.
	Key []byte
	// There is Key with the values that the other version has instead, as rows make
	// them: null if it has none. It is nil if they are the same.
	There []byte
	// Content is the hash of an element as the rows produce it, and Nth tells
	// equal elements apart, from 0. Of says how many these are, if there are several.
	Content []byte
	Nth, Of int
	// Part is the part of a list that the elements of the steps behind it are in.
	Part []byte
	// Live is the hash of the element as the other version has it, which tells which it is if the rows
	// have changed. It may be nil.
	Live []byte
	// Alike is the number of the element among those that are like it in the other version, from 0.
	Alike int
	// Full is Live with what some table drops, if that tells it from others that are like it; nil if not. FullNth is
	// its number among those with the same, from 0, and FullOf how many these are, if there are several.
	Full            []byte
	FullNth, FullOf int
}

// KeyThere returns the key with the values of the other version.
func (s Step) KeyThere() []byte {
	if s.There != nil {
		return s.There
	}
	return s.Key
}

// Same reports whether two steps lead to the same.
func (s Step) Same(other Step) bool {
	return bytes.Equal(s.Name, other.Name) && bytes.Equal(s.Part, other.Part) && bytes.Equal(s.Key, other.Key) && bytes.Equal(s.Content, other.Content) && s.Nth == other.Nth
}

// SamePlace reports whether two ways lead to the same place.
func SamePlace(a, b []Step) bool { return slices.EqualFunc(a, b, Step.Same) }

// Place returns a text that exactly the ways have that lead to the same place.
func Place(at []Step) string {
	var text []byte
	for _, s := range at {
		text = Step{Name: s.Name, Part: s.Part, Key: s.Key, Content: s.Content, Nth: s.Nth}.Append(text)
	}
	return string(text)
}

// AppendPath appends a way as people read it, such as .spec.jobs[{"name":"x"}].command.
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
