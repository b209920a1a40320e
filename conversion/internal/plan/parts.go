package plan

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Parts are the parts of a list, in the order that their elements have if no stash has another; or, with a
// Choice, the alternatives of a value.
type Parts struct {
	// Side is the side that has the list or the value. The other side has a field for each part.
	Side Side
	All  []Part
	// Choice says which alternative the value is. It is nil for a list.
	Choice *Choice
}

// Choice says which alternative a value is.
type Choice struct {
	// Value and Discriminator are nodes of the side that has the value.
	Value, Discriminator int32
	// Row maps the discriminator to the fields of all alternatives on the other side: those of the parts, and
	// those of which the other version has no value. It only asks which field has a value.
	Row int32
	// Alike says that all parts have the same scope.
	Alike bool
	// Needs says what the value must be so that the other side can represent it. People read it.
	Needs string
}

// Part is one part of a list.
type Part struct {
	Name string
	// Word is the value of the discriminator, as JSON. It is nil for a list.
	Word []byte
	// Row maps its elements, and Node is its child of the Parted node.
	Row, Node int32
	// Tests are the conditions that an element of the part meets.
	Tests []Test
	// Sure says that every element that the rows make meets the conditions.
	Sure bool
}

// Test is a condition on an element.
type Test struct {
	At path.Path
	// Values are the texts, in canonical form, of which the field must have one. If there are none, the
	// field must have any value but null.
	Values [][]byte
	Schema *schema.Schema
	// Fixed says that a conversion writes the value, because the other side does not have the field.
	Fixed bool
}

// Find returns the number of the part that an element of the list belongs to: the first of which
// it meets all conditions, or -1. The element must be valid JSON.
func (p *Parts) Find(element []byte) int {
	for i := range p.All {
		if p.All[i].holds(element) {
			return i
		}
	}
	return -1
}

// Chosen returns the number of the part with a word, in canonical form, or -1.
func (p *Parts) Chosen(word []byte) int {
	return slices.IndexFunc(p.All, func(part Part) bool { return bytes.Equal(part.Word, word) })
}

func (p *Part) holds(element []byte) bool {
	if element[0] != '{' {
		return false // null, or of a wrong type: no part has it
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
		if text = jsontext.Member(text, name); text == nil && i == len(t.At)-1 {
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

// Apart reports whether no element can meet the conditions of both.
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

// Sure reports whether every element that the rows make belongs to a part: a conversion writes all values
// that the part requires, and no part before it allows them.
func (p *Parts) Sure(part int) bool {
	mine := Part{}
	for _, t := range p.All[part].Tests {
		if !t.Fixed {
			return false
		}
		mine.Tests = append(mine.Tests, t)
	}
	for i := range part {
		if !p.All[i].apart(&mine) {
			return false
		}
	}
	return true
}

// ByDefault reports whether a default of the schema may meet the condition.
func (t *Test) ByDefault(items *schema.Schema) bool {
	for n := range t.At {
		s := items.At(t.At[:n+1])
		switch {
		case s == nil || s.Default == nil:
		case n+1 < len(t.At):
			return true
		default:
			return t.Values == nil && s.Default[0] != 'n' || slices.ContainsFunc(t.Values, func(v []byte) bool { return string(v) == string(s.Default) })
		}
	}
	return false
}
