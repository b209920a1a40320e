package schema

import (
	"errors"
	"slices"
	"strconv"

	"github.com/go-openapi/swag/conv"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Types are the types of the values of one version. They are what of a schema an
// object must meet before others can make anything of it; whether a value is there, is
// long or large enough, or matches a pattern, they do not know. They are safe for
// concurrent use.
type Types struct{ root *shape }

// Fit is how well an object fits types. Of two the greater is the worse.
type Fit int

const (
	// Fits says that nothing is wrong.
	Fits Fit = iota
	// Unkeyed says that an element of a list has not all keys by which the elements of
	// the list are told apart (x-kubernetes-list-map-keys). Nothing can be merged into
	// such a list.
	Unkeyed
	// Mistyped says that a value has another type than the schema gives it. The API
	// server refuses the object, with a message that names the value.
	Mistyped
)

// shape is what values at one place may be.
type shape struct {
	types types
	// properties are those of an object, and others are its further members.
	properties map[string]*shape
	others     *shape
	// items are the elements of an array, and have members with the names of the keys.
	items *shape
	keys  []string
}

// types are types of JSON, as the API server tells them apart. None are any.
type types uint8

const (
	null types = 1 << iota
	boolean
	integer
	number // and no integer
	text
	array
	object
)

// TypesOf takes the types out of the schema of a version that the API server has
// accepted. Where there is no schema values may be anything.
func TypesOf(version *apiextensionsv1.CustomResourceDefinitionVersion) (*Types, error) {
	if version.Schema == nil || version.Schema.OpenAPIV3Schema == nil {
		return new(Types), nil
	}
	internal := new(apiextensions.JSONSchemaProps)
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(version.Schema.OpenAPIV3Schema, internal, nil); err != nil {
		return nil, err
	}
	s, err := structural.NewStructural(internal)
	if err != nil {
		return nil, err
	}
	return &Types{shapeOf(s)}, nil
}

// shapeOf is nil where values may be anything.
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
	for _, key := range s.XListMapKeys {
		// One with a default is always there.
		if s.Items == nil || s.Items.Properties[key].Default.Object == nil {
			of.keys = append(of.keys, key)
		}
	}
	if of.types == 0 && of.properties == nil && of.others == nil && of.items == nil {
		return nil
	}
	return of
}

// typesOf are those that the API server's validator takes at a place
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
			may |= array // as of bytes: it asks no further
		}
	default:
		return 0
	}
	if s.Nullable {
		may |= null
	}
	return may
}

// Fit compares an object with the types. It is JSON, or else it fits: others refuse it.
func (t *Types) Fit(object []byte) Fit {
	var f fitting
	f.Reset(object)
	if _, err := f.value(f.Space(0), t.root); err == errMistyped {
		return Mistyped
	}
	if f.unkeyed {
		return Unkeyed
	}
	return Fits
}

// errMistyped ends a comparison: nothing is worse.
var errMistyped = errors.New("a value has another type than the schema says")

// fitting is one comparison.
type fitting struct {
	jsontext.Scanner
	unkeyed bool
}

// value compares what starts at a position, and returns its end.
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
		if len(s.keys) > 0 && !f.has(a.Value, s.keys) {
			f.unkeyed = true
		}
	}
}

// has reports whether the object at a position has all members of certain names.
func (f *fitting) has(pos int, names []string) bool {
	missing := len(names)
	o := f.Object(pos)
	for {
		name, more, err := o.Next()
		if err != nil || !more {
			return missing == 0
		}
		if text := f.name(name); slices.ContainsFunc(names, func(name string) bool { return name == string(text) }) {
			missing--
		}
		if o.End, err = f.Skim(o.Value); err != nil {
			return false
		}
	}
}

func (f *fitting) name(name jsontext.Name) []byte {
	if name.Escaped {
		return jsontext.Unquote(nil, name.Bytes(f.Src))
	}
	return name.Bytes(f.Src)
}

// typeOf is the type of a value; of an object or an array the beginning will do.
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
		return integer // as for the API server's validator
	}
	return number
}
