package reference

import (
	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// boolean converts between a boolean and what represents it.
func (s side) boolean(m *v1alpha1.Boolean, value *tree.Value, from *schema) (*tree.Value, bool) {
	there := m.Presence == v1alpha1.HubSide
	switch {
	case m.Negate:
		return tree.NewBool(value.Text == "false"), value.Kind == tree.Bool
	case m.Presence != "" && there != s.toHub:
		return tree.NewBool(true), value.Kind != tree.Null
	case m.Presence != "" && value.Kind == tree.Bool:
		if value.Text == "false" {
			return nil, false
		}
		if m.True == nil {
			return tree.NewObject(), true
		}
		return literal(m.True), true
	case m.Presence != "":
		return nil, false
	case from.Type == "boolean":
		if value.Text == "true" {
			return literal(m.True), value.Kind == tree.Bool
		}
		return literal(m.False), value.Kind == tree.Bool
	case tree.Equal(value, literal(m.True)):
		return tree.NewBool(true), true
	}
	return tree.NewBool(false), tree.Equal(value, literal(m.False))
}
