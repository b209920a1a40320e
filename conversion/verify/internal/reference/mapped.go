package reference

import (
	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// mapped is what a row makes of a value. It reports false where the value
// cannot be mapped.
func (s side) mapped(r v1alpha1.Row, value *tree.Value, from, to *schema) (*tree.Value, bool) {
	switch {
	case r.Values != nil:
		return s.values(r, value)
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

func (s side) values(r v1alpha1.Row, value *tree.Value) (*tree.Value, bool) {
	if value.Kind == tree.Null {
		// Null is no key of a value table; whether it passes the language leaves open.
		s.c.unclear = true
	}
	if s.toHub && value.Kind != tree.String {
		return value, !r.Closed
	}
	if s.toHub {
		if to, ok := r.Values[value.Text]; ok {
			return literal(&to), true
		}
	} else {
		if to, ok := r.Inverse[value.Text]; ok {
			return literal(&to), true
		}
		for spoke, hub := range r.Values {
			if tree.Equal(literal(&hub), value) {
				return tree.NewString(spoke), true
			}
		}
	}
	return value, !r.Closed
}
