package schema

import (
	"bytes"
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Same reports whether two fields have the same values, treat nulls and unknown members the same,
// and give absence the same meaning, with everything inside. Then a value can be copied from one to
// the other without reading it.
func Same(a, b *Schema) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Type == b.Type &&
		a.IntOrString == b.IntOrString &&
		a.Nullable == b.Nullable &&
		a.Int32 == b.Int32 &&
		a.Text == b.Text &&
		a.Label == b.Label &&
		a.Open == b.Open &&
		bytes.Equal(a.Default, b.Default) &&
		Same(a.Items, b.Items) &&
		Same(a.Values, b.Values) &&
		maps.EqualFunc(a.Members, b.Members, Same)
}

// Fit reports whether some value is valid in both fields.
func Fit(a, b *Schema) bool {
	if a.IsAny() || b.IsAny() {
		return true
	}
	for _, t := range [...]string{"object", "array", "string", "integer", "boolean"} {
		if a.Allows(t) && b.Allows(t) {
			return true
		}
	}
	return a.Type == "number" && b.Type == "number"
}

// Allows reports whether a value of a type is valid.
func (s *Schema) Allows(t string) bool {
	switch {
	case s.IntOrString:
		return t == "integer" || t == "string"
	case s.Type == "":
		return true
	case s.Type == "number":
		return t == "number" || t == "integer"
	}
	return s.Type == t
}

// Includes reports whether every value of b's type is valid by s.
func (s *Schema) Includes(b *Schema) bool {
	switch {
	case s.Type == "" && !s.IntOrString:
		return true
	case b.IntOrString:
		return s.IntOrString
	case b.Type == "":
		return false
	}
	return s.Allows(b.Type)
}

// Holds reports whether a value is of the right type, so that the API server returns it unchanged.
// value must be valid JSON.
func (s *Schema) Holds(value []byte) bool {
	switch value[0] {
	case 'n':
		return s.Nullable
	case '{':
		return s.Allows("object")
	case '[':
		return s.Allows("array")
	case '"':
		return s.Allows("string") && (!s.Label || isLabel(value))
	case 't', 'f':
		return s.Allows("boolean")
	}
	if s.Allows("number") {
		return true
	}
	return s.Allows("integer") && isInteger(value, s.bits())
}

// bits returns the size of an integer in bits.
func (s *Schema) bits() int {
	if s.Int32 {
		return 32
	}
	return 64
}

// isLabel reports whether a JSON string is valid as the value of a label.
func isLabel(text []byte) bool {
	return len(content.IsLabelValue(string(jsontext.Unquote(nil, text[1:len(text)-1])))) == 0
}

// IsMetadata reports whether the API server accepts a label or an annotation with a name and a JSON
// string as its value (k8s.io/apimachinery/pkg/api/validation, ValidateAnnotations, and
// k8s.io/apimachinery/pkg/apis/meta/v1/validation, ValidateLabels). in is labels or annotations.
func IsMetadata(in, name string, value []byte) bool {
	switch in {
	case "labels":
		return len(content.IsLabelKey(name)) == 0 && isLabel(value)
	case "annotations":
		return len(content.IsLabelKey(strings.ToLower(name))) == 0
	}
	return false
}

// Inside returns the schema without what it specifies about the field itself: whether it is
// nullable, and its default.
func (s *Schema) Inside() *Schema {
	if !s.Nullable && s.Default == nil {
		return s
	}
	inside := *s
	inside.Nullable, inside.Default = false, nil
	return &inside
}
