package reference

import (
	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// convertValue converts a value by a row. It returns false if the row can't map the value.
func (s side) convertValue(r v1alpha1.Row, value *tree.Value, from, to *schema) (*tree.Value, bool) {
	switch {
	case r.Values != nil:
		return s.values(r, value, from, to)
	case r.Scalar != nil:
		return s.scalar(r.Scalar, value, from, to)
	case r.Boolean != nil:
		return s.boolean(r.Boolean, value, from)
	case r.Text != "":
		return s.text(r.Text, value, from, to)
	case r.Join != nil:
		return s.join(r.Join, value, from, to)
	}
	return value, true
}

func (s side) values(r v1alpha1.Row, value *tree.Value, from, to *schema) (*tree.Value, bool) {
	if value.Kind == tree.Null {
		// Null is not a key of a table of values. The language does not define whether it is
		// copied.
		s.c.unclear = true
	}
	if s.toHub {
		for key, hub := range r.Values {
			if tree.Equal(keyOf(key, from), value) {
				return literal(&hub), true
			}
		}
		return value, !r.Closed
	}
	for key, spoke := range r.Inverse {
		if tree.Equal(keyOf(key, from), value) {
			return literal(&spoke), true
		}
	}
	for key, hub := range r.Values {
		if tree.Equal(literal(&hub), value) {
			return keyOf(key, to), true
		}
	}
	return value, !r.Closed
}

// keyOf returns the value for a key of a table of values, which is a text in YAML.
func keyOf(key string, s *schema) *tree.Value {
	if s.Type == "boolean" || s.Type == "integer" || s.Type == "number" {
		if v, err := tree.Parse([]byte(key)); err == nil {
			return v
		}
	}
	return tree.NewString(key)
}
