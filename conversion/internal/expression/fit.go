package expression

import (
	"fmt"

	"github.com/google/cel-go/common/types"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// checkType returns a mistake if no value of a type is valid in a field.
func checkType(t *types.Type, s *schema.Schema) *Mistake {
	if s == nil {
		s = schema.Any()
	}
	wrong := func(remedy string) *Mistake {
		return mistake(remedy, "it returns %s, but the field is of type %s", named(t), s.Describe())
	}
	need := func(kind, remedy string) *Mistake {
		if s.Allows(kind) {
			return nil
		}
		return wrong(remedy)
	}
	switch t.Kind() {
	case types.BoolKind:
		return need("boolean", convertRemedy(s))
	case types.IntKind, types.UintKind:
		return need("integer", convertRemedy(s))
	case types.DoubleKind:
		if s.Type == "integer" || s.IntOrString {
			return wrong("convert it with int(), which removes the fraction")
		}
		return need("number", convertRemedy(s))
	case types.StringKind, types.BytesKind, types.TimestampKind, types.DurationKind:
		return need("string", convertRemedy(s))
	case types.ListKind:
		if m := need("array", giveRemedy(s)); m != nil {
			return m
		}
		return checkType(t.Parameters()[0], s.Items)
	case types.MapKind:
		if m := need("object", giveRemedy(s)); m != nil {
			return m
		}
		if key := t.Parameters()[0]; key.Kind() != types.StringKind && key.Kind() != types.DynKind && key.Kind() != types.TypeParamKind {
			return wrong("names in JSON are strings: convert the keys with string()")
		}
		if s.Values != nil && len(s.Members) == 0 {
			return checkType(t.Parameters()[1], s.Values)
		}
	case types.StructKind:
		if hasText(t) {
			return need("string", giveRemedy(s))
		}
		return need("object", giveRemedy(s))
	case types.OpaqueKind:
		if t.TypeName() == "optional_type" {
			return checkType(t.Parameters()[0], s)
		}
		return need("string", giveRemedy(s))
	case types.TypeKind:
		return wrong(giveRemedy(s))
	}
	return nil
}

// giveRemedy returns the remedy for a result of the wrong type.
func giveRemedy(s *schema.Schema) string {
	switch what := s.Describe(); what {
	case "any":
		return "return another value"
	case "object", "integer", "int-or-string":
		return "return an " + what
	default:
		return "give a " + what
	}
}

// hasText reports whether a type is one of Kubernetes' types with a text, such as quantities.
func hasText(t *types.Type) bool {
	switch t.TypeName() {
	case "kubernetes.Quantity", "kubernetes.URL", "kubernetes.Semver":
		return true
	}
	return false
}

// convertRemedy returns how to make a value of the type of a field.
func convertRemedy(s *schema.Schema) string {
	switch s.Type {
	case "string":
		return "convert it with string()"
	case "integer":
		return "convert it with int()"
	case "number":
		return "convert it with double()"
	case "boolean":
		return "compare it with a value, for example == true"
	case "array":
		return "put it into a list: [...]"
	}
	return "return a value of that type"
}

func named(t *types.Type) string {
	switch t.Kind() {
	case types.StructKind:
		if !hasText(t) {
			return "an object"
		}
	case types.IntKind, types.UintKind:
		return "an integer"
	case types.DoubleKind:
		return "a number"
	case types.BoolKind:
		return "a boolean"
	case types.ListKind:
		return "a list"
	case types.MapKind:
		return "a map"
	case types.TypeKind:
		return "a type"
	}
	return fmt.Sprintf("a %s", t)
}
