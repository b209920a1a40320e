package plan

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Parts are the parts of a list, in the order in which their elements come where
// nothing else is known; or, with a choice, what a place may hold, of which one is
// there.
type Parts struct {
	// Side is the side that has the list or the place; the other has a place for each
	// part.
	Side Side
	All  []Part
	// Choice says which part a place holds, nil for a list.
	Choice *Choice
}

// Choice is what says which alternative a value is.
type Choice struct {
	// Value and Discriminator are nodes of the side that has the value.
	Value, Discriminator int32
	// Row ties the discriminator to the places of all alternatives on the other side,
	// which it looks at: those of the parts, and those that the value is not for.
	Row int32
	// Alike says that the value is made alike whichever alternative it is: all parts
	// have one scope.
	Alike bool
	// Needs says what the value must be like to be shown, for people.
	Needs string
}

// Part is one part of a list.
type Part struct {
	Name string
	// Word is what the discriminator says of it, as JSON; nil without a choice.
	Word []byte
	// Row ties its elements, and Node holds them, within the list.
	Row, Node int32
	Tests     []Test
	// Sure says that what the rows make of an element always belongs to the part.
	Sure bool
}

// Test is a condition on an element.
type Test struct {
	At path.Path
	// Values are the canonical texts of which one must stand there; without any,
	// anything but null must.
	Values [][]byte
	Schema *schema.Schema
	// fixed says that conversion writes the value, because the other side does not
	// show the place.
	fixed bool
}

// Find finds the part that an element of the list belongs to: the first of which
// it meets all conditions, or -1. The element is valid JSON.
func (p *Parts) Find(element []byte) int {
	for i := range p.All {
		if p.All[i].holds(element) {
			return i
		}
	}
	return -1
}

// Chosen finds the part of a word, in canonical form, or -1.
func (p *Parts) Chosen(word []byte) int {
	return slices.IndexFunc(p.All, func(part Part) bool { return bytes.Equal(part.Word, word) })
}

func (p *Part) holds(element []byte) bool {
	if element[0] != '{' {
		return false // null, or of a wrong type: no conditions say anything of it
	}
	for i := range p.Tests {
		if !p.Tests[i].holds(element) {
			return false
		}
	}
	return true
}

func (t *Test) holds(element []byte) bool {
	text := element
	for i, name := range t.At {
		if len(text) == 0 || text[0] != '{' {
			return false
		}
		if text = memberOf(text, name); text == nil && i == len(t.At)-1 {
			text = t.Schema.Default // the API server fills it in
		}
	}
	if len(text) == 0 || text[0] == 'n' && !t.Schema.Nullable {
		return false
	}
	if t.Values == nil {
		return text[0] != 'n'
	}
	text = schema.Canonical(nil, text, t.Schema)
	for _, v := range t.Values {
		if bytes.Equal(v, text) {
			return true
		}
	}
	return false
}

// memberOf is a member of an object that is valid JSON, nil if it has none.
func memberOf(object []byte, name string) []byte {
	var scan jsontext.Scanner
	scan.Reset(object)
	for o := scan.Object(0); ; {
		n, ok, err := o.Next()
		if err != nil || !ok {
			return nil
		}
		if o.End, err = scan.Skim(o.Value); err != nil {
			return nil
		}
		text := n.Bytes(object)
		if n.Escaped {
			text = jsontext.Unquote(nil, text)
		}
		if string(text) == name {
			return object[o.Value:o.End]
		}
	}
}

// apart reports whether no element can meet the conditions of both.
func (p *Part) apart(q *Part) bool {
	for _, a := range p.Tests {
		for _, b := range q.Tests {
			if a.Values != nil && b.Values != nil && a.At.String() == b.At.String() && !shareValue(a.Values, b.Values) {
				return true
			}
		}
	}
	return false
}

func shareValue(a, b [][]byte) bool {
	for _, v := range a {
		for _, w := range b {
			if bytes.Equal(v, w) {
				return true
			}
		}
	}
	return false
}
