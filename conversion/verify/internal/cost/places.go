package cost

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// kind is what can be grown in a field.
type kind int

const (
	list   kind = iota // elements
	dict               // members of a map
	open               // anything
	text               // characters
	number             // digits
)

// element is the step to any element of a list, or value of a map.
const element = "[]"

// place is a field that can be grown.
type place struct {
	at   []string
	kind kind
	// of is the schema of the field.
	of *apiextensionsv1.JSONSchemaProps
}

func (p place) String() string { return "." + strings.Join(p.at, ".") }

// places returns all fields of a version's schema that can be grown, always in the same order.
func places(s *apiextensionsv1.JSONSchemaProps) (all []place) {
	var walk func(at []string, s *apiextensionsv1.JSONSchemaProps)
	walk = func(at []string, s *apiextensionsv1.JSONSchemaProps) {
		add := func(k kind) { all = append(all, place{slices.Clone(at), k, s}) }
		switch {
		case s == nil:
			return
		case s.Type == "array" && s.Items != nil && s.Items.Schema != nil:
			add(list)
			walk(append(at, element), s.Items.Schema)
		case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
			add(dict)
			walk(append(at, element), s.AdditionalProperties.Schema)
		case s.Type == "" || s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields:
			add(open)
		case s.Type == "string":
			add(text)
		case s.Type == "integer" || s.Type == "number":
			add(number)
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if len(at) > 0 || name != "metadata" && name != "apiVersion" && name != "kind" {
				inside := s.Properties[name]
				walk(append(at, name), &inside)
			}
		}
	}
	walk(nil, s)
	// A field without a schema.
	return append(all, place{[]string{"spec", "unknown"}, open, new(apiextensionsv1.JSONSchemaProps)})
}

// smallest returns a small value for a schema as JSON, with what it requires or, if whole, with all
// declared fields. n makes values different.
func smallest(s *apiextensionsv1.JSONSchemaProps, whole bool, n int) string {
	switch {
	case s == nil:
		return "{}"
	case len(s.Enum) > 0:
		return string(s.Enum[n%len(s.Enum)].Raw)
	case s.XIntOrString || s.Type == "integer" || s.Type == "number":
		return fmt.Sprint(n)
	case s.Type == "boolean":
		return fmt.Sprint(n%2 == 0)
	case s.Type == "string":
		return fmt.Sprintf(`"a%d"`, n)
	case s.Type == "array":
		if whole && s.Items != nil && s.Items.Schema != nil {
			return "[" + smallest(s.Items.Schema, false, n) + "]"
		}
		return "[]"
	case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil && whole:
		return fmt.Sprintf(`{"k%d":%s}`, n, smallest(s.AdditionalProperties.Schema, false, n))
	}
	var members []string
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if inside := s.Properties[name]; whole || slices.Contains(s.Required, name) {
			members = append(members, quoted(name)+":"+smallest(&inside, whole, n))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func quoted(s string) string {
	text, _ := json.Marshal(s) // a string can't fail
	return string(text)
}

// within returns a value for a schema with another value at a place inside. make is called for each
// element of the outermost list on the way, which has times elements.
func within(s *apiextensionsv1.JSONSchemaProps, at []string, times int, make func() string) string {
	if len(at) == 0 {
		return make()
	}
	if s == nil {
		s = &apiextensionsv1.JSONSchemaProps{}
	}
	if at[0] == element {
		var inside *apiextensionsv1.JSONSchemaProps
		isList := s.Type == "array"
		if isList {
			inside = s.Items.Schema
		} else {
			inside = s.AdditionalProperties.Schema
		}
		elements := []string{}
		for i := range times {
			e := within(inside, at[1:], 1, make)
			if !isList {
				e = fmt.Sprintf(`"k%d":%s`, i, e)
			}
			elements = append(elements, e)
		}
		if isList {
			return "[" + strings.Join(elements, ",") + "]"
		}
		return "{" + strings.Join(elements, ",") + "}"
	}
	inside := s.Properties[at[0]]
	members := []string{quoted(at[0]) + ":" + within(&inside, at[1:], times, make)}
	for _, name := range s.Required {
		if other := s.Properties[name]; name != at[0] {
			members = append(members, quoted(name)+":"+smallest(&other, false, 1))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}
