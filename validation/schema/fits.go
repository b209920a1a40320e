package schema

import (
	"errors"
	"strconv"

	"github.com/go-openapi/swag/conv"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Fits reports whether every value of an object, as JSON, has the type in the schema. It does
// not check required values, lengths, ranges or patterns. A text that is not JSON fits, because
// others reject it.
func (s *Schema) Fits(object []byte) bool {
	var f fitting
	f.Reset(object)
	_, err := f.value(f.Space(0), s.shape)
	return err != errMistyped
}

// shape is what values at one place may be.
type shape struct {
	types types
	// properties are the members of an object with a schema, and others is the schema of its
	// other members.
	properties map[string]*shape
	others     *shape
	// items is the schema of an array's elements.
	items *shape
}

// types is a set of JSON types, as the API server distinguishes them. The empty set allows any
// type.
type types uint8

const (
	null types = 1 << iota
	boolean
	integer
	number // but not integer
	text
	array
	object
)

// shapeOf returns nil if values may be anything.
func shapeOf(s *structural.Structural) *shape {
	if s == nil {
		return nil
	}
	of := &shape{types: typesOf(s), items: shapeOf(s.Items)}
	for name, property := range s.Properties {
		if inside := shapeOf(&property); inside != nil {
			if of.properties == nil {
				of.properties = map[string]*shape{}
			}
			of.properties[name] = inside
		}
	}
	if s.AdditionalProperties != nil {
		of.others = shapeOf(s.AdditionalProperties.Structural)
	}
	if of.types == 0 && of.properties == nil && of.others == nil && of.items == nil {
		return nil
	}
	return of
}

// typesOf returns the types that the API server's validator accepts at a place
// (k8s.io/kube-openapi/pkg/validation/validate/type.go).
func typesOf(s *structural.Structural) types {
	var may types
	switch {
	case s.XIntOrString:
		may = integer | text
	case s.Type == "boolean":
		may = boolean
	case s.Type == "integer":
		may = integer
	case s.Type == "number":
		may = integer | number
	case s.Type == "array":
		may = array
	case s.Type == "object":
		may = object
	case s.Type == "string":
		may = text
		if s.ValueValidation != nil && s.ValueValidation.Format != "" {
			may |= array // it checks no further if it knows the format
		}
	default:
		return 0
	}
	if s.Nullable {
		may |= null
	}
	return may
}

// errMistyped ends a comparison.
var errMistyped = errors.New("a value has another type than in the schema")

// fitting is one comparison.
type fitting struct{ jsontext.Scanner }

// value compares the value at a position, and returns its end.
func (f *fitting) value(pos int, s *shape) (end int, err error) {
	if s == nil || pos >= len(f.Src) {
		return f.Skim(pos)
	}
	first := f.Src[pos]
	if first != '{' && first != '[' {
		if end, err = f.Skim(pos); err != nil {
			return pos, err
		}
	}
	if s.types != 0 && s.types&typeOf(f.Src[pos:max(end, pos+1)]) == 0 {
		return pos, errMistyped
	}
	switch {
	case first == '{':
		return f.members(pos, s)
	case first == '[':
		return f.elements(pos, s)
	}
	return end, nil
}

func (f *fitting) members(pos int, s *shape) (int, error) {
	if s.properties == nil && s.others == nil {
		return f.Skim(pos)
	}
	o := f.Object(pos)
	for {
		name, more, err := o.Next()
		if err != nil || !more {
			return o.End, err
		}
		inside, found := s.properties[string(f.name(name))]
		if !found {
			inside = s.others
		}
		if o.End, err = f.value(o.Value, inside); err != nil {
			return pos, err
		}
	}
}

func (f *fitting) elements(pos int, s *shape) (int, error) {
	if s.items == nil {
		return f.Skim(pos)
	}
	a := f.Array(pos)
	for {
		more, err := a.Next()
		if err != nil || !more {
			return a.End, err
		}
		if a.End, err = f.value(a.Value, s.items); err != nil {
			return pos, err
		}
	}
}

func (f *fitting) name(name jsontext.Name) []byte {
	if name.Escaped {
		return jsontext.Unquote(nil, name.Bytes(f.Src))
	}
	return name.Bytes(f.Src)
}

// typeOf returns the type of a value. For an object or an array, the first byte is enough.
func typeOf(value []byte) types {
	switch value[0] {
	case '{':
		return object
	case '[':
		return array
	case '"':
		return text
	case 't', 'f':
		return boolean
	case 'n':
		return null
	}
	if _, err := strconv.ParseInt(string(value), 10, 64); err == nil {
		return integer
	}
	if f, err := strconv.ParseFloat(string(value), 64); err == nil && conv.IsFloat64AJSONInteger(f) {
		return integer // as in the API server's validator
	}
	return number
}
