package reference

import (
	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// mapped returns what a row makes of a value. It returns false if the value cannot be mapped.
func (s side) mapped(r v1alpha1.Row, value *tree.Value, from, to *schema) (*tree.Value, bool) {
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
		// Null is no key of a value table; whether it passes the language leaves open.
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

// keyOf returns the value that a key of a value table is, which in YAML is a text.
func keyOf(key string, s *schema) *tree.Value {
	if s.Type == "boolean" || s.Type == "integer" || s.Type == "number" {
		if v, err := tree.Parse([]byte(key)); err == nil {
			return v
		}
	}
	return tree.NewString(key)
}
