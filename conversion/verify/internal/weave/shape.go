package weave

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/utils/ptr"
)

// shape is a schema that is being built. Its children are pointers, so that several builders can
// add to one object.
type shape struct {
	schema apiextensionsv1.JSONSchemaProps
	props  map[string]*shape
	items  *shape
	values *shape
	// secret says that some row marks the field as sensitive.
	secret bool
	// drops is the number of versions that drop a value of the hub as a secret.
	drops int
}

func newObject() *shape {
	return &shape{schema: apiextensionsv1.JSONSchemaProps{Type: "object"}, props: map[string]*shape{}}
}

func newScalar(kind string) *shape {
	return &shape{schema: apiextensionsv1.JSONSchemaProps{Type: kind}}
}

func newList(items *shape, keys ...string) *shape {
	s := &shape{schema: apiextensionsv1.JSONSchemaProps{Type: "array"}, items: items}
	if len(keys) > 0 {
		s.schema.XListType = ptr.To("map")
		s.schema.XListMapKeys = keys
	}
	return s
}

func newMap(values *shape) *shape {
	return &shape{schema: apiextensionsv1.JSONSchemaProps{Type: "object"}, values: values}
}

func (s *shape) add(name string, child *shape) *shape {
	s.props[name] = child
	return child
}

// hasSecret reports whether the field, or one inside it, is sensitive.
func (s *shape) hasSecret() bool {
	if s == nil {
		return false
	}
	for _, child := range s.props {
		if child.hasSecret() {
			return true
		}
	}
	return s.secret || s.items.hasSecret() || s.values.hasSecret()
}

// clone copies a shape deeply, so that the two sides can be changed independently.
func (s *shape) clone() *shape {
	if s == nil {
		return nil
	}
	out := &shape{schema: *s.schema.DeepCopy(), items: s.items.clone(), values: s.values.clone()}
	if s.props != nil {
		out.props = map[string]*shape{}
	}
	for name, child := range s.props {
		out.props[name] = child.clone()
	}
	return out
}

// build returns the schema.
func (s *shape) build() apiextensionsv1.JSONSchemaProps {
	out := *s.schema.DeepCopy()
	for _, name := range slices.Sorted(maps.Keys(s.props)) {
		if out.Properties == nil {
			out.Properties = map[string]apiextensionsv1.JSONSchemaProps{}
		}
		out.Properties[name] = s.props[name].build()
	}
	if s.items != nil {
		items := s.items.build()
		out.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &items}
	}
	if s.values != nil {
		values := s.values.build()
		out.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: &values}
	}
	return out
}
