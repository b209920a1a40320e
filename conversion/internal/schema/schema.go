// Package schema has what conversion needs of a version's structural schema: which fields there
// are, which values they can have, and what their absence means.
package schema

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Schema describes one field.
type Schema struct {
	// Type is object, array, string, integer, number or boolean, or empty if any type is allowed.
	Type        string
	IntOrString bool
	// Format is the format of a string, such as date-time or byte. It changes how expressions read
	// the field, and not which values are valid.
	Format   string `json:",omitempty"`
	Nullable bool
	// Int32 says that an integer has 32 bits: a larger one would make the object, and every list
	// that it is in, unreadable for typed clients, and the API server rejects it
	// (k8s.io/kube-openapi/pkg/validation/validate).
	Int32 bool `json:",omitempty"`
	// Text says that only a string is valid, because the API server would reject the whole object
	// otherwise: an annotation or a label. Label says that the string must be valid as the value of
	// a label.
	Text, Label bool
	// Sensitive says that the value must not be in metadata, not even in the hash of an element.
	Sensitive bool
	// Dropped says that some table drops the field.
	Dropped bool
	// Fades says that a trip through a third version may lose the field: some table drops it, or a
	// field that it is made of.
	Fades bool `json:"-"`
	// DefaultFades says that the default has something that a trip through a third version may
	// lose, so that the value may be another one afterwards. SetDefaultFades sets it.
	DefaultFades bool `json:"-"`
	// DefaultFadesInside says that DefaultFades is set here, or inside.
	DefaultFadesInside bool `json:"-"`
	// Open says that unknown members are kept (x-kubernetes-preserve-unknown-fields).
	Open bool
	// Members are the declared members of an object.
	Members map[string]*Schema
	// Values describes the values of a map (additionalProperties).
	Values *Schema
	// Items describes the elements of a list.
	Items *Schema
	// Keys are x-kubernetes-list-map-keys.
	Keys     []string
	Required []string
	// Default is the canonical JSON of the default, or nil.
	Default []byte
	// Whole is the default with the defaults of what is inside it, as it is written and as rows
	// read it. It follows from the other fields, so no mark depends on it.
	Whole []byte `json:"-"`
	// Defaulted has the names of members with a default, in order. Completes says that there are
	// such members, here or inside.
	Defaulted []string `json:"-"`
	Completes bool     `json:"-"`
	// HasRowDefault says that the default of a row gives a value to the absent field, in some table.
	HasRowDefault bool `json:"-"`
	// Max is maxItems, maxLength or maxProperties, or nil if the schema has none. It limits what
	// expressions may cost, and not which values are valid.
	Max *int64 `json:"-"`
	// Enum holds the canonical JSON of the allowed values.
	Enum [][]byte
}

// Any returns a schema for which every value is valid.
func Any() *Schema { return &Schema{Open: true, Nullable: true} }

// New reads a version's schema from its CRD, and adds what the API server knows of metadata,
// apiVersion and kind. If the version has no schema, every value is valid. formats says that
// expressions will read it.
func New(props *apiextensionsv1.JSONSchemaProps, formats bool) *Schema {
	root := &Schema{Type: "object", Open: true}
	if props != nil {
		root = convert(props, formats)
	}
	if root.Members == nil {
		root.Members = map[string]*Schema{}
	}
	root.Members["apiVersion"] = &Schema{Type: "string"}
	root.Members["kind"] = &Schema{Type: "string"}
	root.Members["metadata"] = metadata()
	return root
}

// metadata has only those fields of ObjectMeta that a table may name. The API server takes all
// others from the input of a conversion.
func metadata() *Schema {
	return &Schema{Type: "object", Open: true, Members: map[string]*Schema{
		"annotations": {Type: "object", Values: &Schema{Type: "string", Text: true}},
		"labels":      {Type: "object", Values: &Schema{Type: "string", Text: true, Label: true}},
	}}
}

func convert(p *apiextensionsv1.JSONSchemaProps, formats bool) *Schema {
	s := &Schema{
		Type:        p.Type,
		Nullable:    p.Nullable,
		IntOrString: p.XIntOrString,
		Open:        p.XPreserveUnknownFields != nil && *p.XPreserveUnknownFields,
		Keys:        p.XListMapKeys,
		Required:    p.Required,
		Int32:       p.Type == "integer" && p.Format == "int32",
	}
	if formats {
		s.Format = p.Format
	}
	switch s.Type {
	case "array":
		s.Max = p.MaxItems
	case "object":
		s.Max = p.MaxProperties
	default:
		s.Max = p.MaxLength
	}
	for name := range p.Properties {
		if s.Members == nil {
			s.Members = map[string]*Schema{}
		}
		member := p.Properties[name]
		s.Members[name] = convert(&member, formats)
	}
	if p.XEmbeddedResource {
		// Pruning keeps these three of an embedded resource, with everything in them, whether they
		// are declared or not (apiextensions-apiserver, pkg/apiserver/schema/pruning).
		if s.Members == nil {
			s.Members = map[string]*Schema{}
		}
		s.Members["apiVersion"] = &Schema{Type: "string", Open: true}
		s.Members["kind"] = &Schema{Type: "string", Open: true}
		s.Members["metadata"] = &Schema{Type: "object", Open: true}
	}
	if a := p.AdditionalProperties; a != nil {
		switch {
		case a.Schema != nil:
			s.Values = convert(a.Schema, formats)
		case a.Allows:
			s.Values = Any()
		}
	}
	if p.Items != nil && p.Items.Schema != nil {
		s.Items = convert(p.Items.Schema, formats)
		if s.Items.Type == "" && s.Items.Open {
			// The API server removes null from fields that are not nullable, but from no list
			// (apiextensions-apiserver, pkg/apiserver/schema/defaulting).
			s.Items.Nullable = true
		}
	}
	if p.Default != nil && len(p.Default.Raw) > 0 {
		s.Default = Canonical(nil, p.Default.Raw, s)
		s.Whole = Complete(nil, s.Default, s)
	}
	for _, name := range s.Names() {
		if s.Members[name].Default != nil {
			s.Defaulted = append(s.Defaulted, name)
		}
	}
	s.Completes = len(s.Defaulted) > 0 || slices.ContainsFunc(s.inside(), func(of *Schema) bool { return of.Completes })
	for _, v := range p.Enum {
		raw := v.Raw
		if len(raw) == 0 {
			raw = []byte("null") // apiextensionsv1.JSON is empty for null
		}
		s.Enum = append(s.Enum, Canonical(nil, raw, nil))
	}
	return s
}

// IsObject reports whether an object is valid.
func (s *Schema) IsObject() bool {
	return s.Type == "object" || s.Type == "" && !s.IntOrString
}

// IsAny reports whether the schema specifies nothing.
func (s *Schema) IsAny() bool {
	return s.Type == "" && !s.IntOrString && s.Members == nil && s.Items == nil && s.Values == nil
}

// Drop marks the field, with everything in it, as dropped by some table.
func (s *Schema) Drop() {
	s.Dropped = true
	s.fade()
}

func (s *Schema) fade() {
	s.Fades = true
	for _, m := range s.inside() {
		m.fade()
	}
}

// FadesInside reports whether a trip through a third version may lose the field, or a part of it.
func (s *Schema) FadesInside() bool {
	return s.Fades || slices.ContainsFunc(s.inside(), (*Schema).FadesInside)
}

// SetDefaultFades sets DefaultFades and DefaultFadesInside here and inside, after it is known what every table
// drops. It reports what FadesInside does.
func (s *Schema) SetDefaultFades() (fades bool) {
	fades, s.DefaultFadesInside = s.Fades, false
	for _, m := range s.inside() {
		fades = m.SetDefaultFades() || fades
		s.DefaultFadesInside = s.DefaultFadesInside || m.DefaultFadesInside
	}
	isMore := s.ImpliesMore() || len(s.Default) > 2 && s.Default[0] == '['
	s.DefaultFades = isMore && !s.Fades && fades
	s.DefaultFadesInside = s.DefaultFadesInside || s.DefaultFades
	return fades
}

// Refills reports whether the field gets its default when a table drops it.
func (s *Schema) Refills() bool { return s.Dropped && s.Default != nil }

// inside returns the schemas of members, values and elements.
func (s *Schema) inside() []*Schema {
	all := slices.Collect(maps.Values(s.Members))
	for _, of := range [...]*Schema{s.Values, s.Items} {
		if of != nil {
			all = append(all, of)
		}
	}
	return all
}

// Names returns the names of the declared members, in order.
func (s *Schema) Names() []string { return slices.Sorted(maps.Keys(s.Members)) }

// Member returns the schema of a member, or nil if pruning would remove it.
func (s *Schema) Member(name string) *Schema {
	m := s.Inner([]byte(name))
	if m == anything {
		return Any()
	}
	return m
}

// Declare returns the schema of a field of an object that exists. A field without a schema gets one
// that allows anything.
func (s *Schema) Declare(names []string) *Schema {
	for _, name := range names {
		m := s.Inner([]byte(name))
		if m == anything {
			if m = Any(); s.Members == nil {
				s.Members = map[string]*Schema{}
			}
			s.Members[name] = m
		}
		s = m
	}
	return s
}

// anything is Any for callers that only read it.
var anything = Any()

// Inner is Member for callers that only read it: it returns the same schema for all fields without
// a schema.
func (s *Schema) Inner(name []byte) *Schema {
	if m := s.Members[string(name)]; m != nil {
		return m
	}
	if s.Values != nil {
		return s.Values
	}
	if s.Open && s.IsObject() {
		return anything
	}
	return nil
}

// At returns the schema at a path of names, or nil.
func (s *Schema) At(names []string) *Schema {
	for _, name := range names {
		if s.Type == "array" {
			return nil
		}
		if s = s.Member(name); s == nil {
			return nil
		}
	}
	return s
}

// KeepsUnknown reports whether members that are not declared are kept.
func (s *Schema) KeepsUnknown() bool { return s.Open || s.Values != nil }

// Requires reports whether a member is required.
func (s *Schema) Requires(name string) bool { return slices.Contains(s.Required, name) }

// Describe names the type as an author would.
func (s *Schema) Describe() string {
	switch {
	case s.IntOrString:
		return "int-or-string"
	case s.Type == "":
		return "any"
	case s.Type == "array":
		return "list"
	case s.Type == "object" && s.Values != nil:
		return "map"
	}
	return s.Type
}
