package conversion

import (
	"encoding/json"
	"maps"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// Values are the values of a row's fields as JSON, by their names in the row. A field without a
// name has the empty one. An absent field has no value. Values that a function gets are in
// canonical form. If the field is absent and the object around it exists, they include the
// schema's default. They must not be changed.
type Values map[string]json.RawMessage

// Function computes the fields of a row in Go: func in a table. Both directions must be
// deterministic and do no I/O, and may be called concurrently. If a function returns an error
// or a value that its field can't have, or panics, the row's fields stay absent, and the
// original values are kept.
type Function struct {
	// ToHub computes the hub's fields from the spoke's, and ToSpoke the other way.
	ToHub, ToSpoke func(Values) (Values, error)
	// Revision is the revision of the code, for example v1.4.2. It is part of a table's
	// fingerprint: API servers cache converted objects until the fingerprint changes.
	Revision string
}

// Functions are Go functions by the names that tables call them by.
type Functions map[string]Function

// Option is an option of Compile.
type Option func(*compiler)

// WithFunctions registers Go functions.
func WithFunctions(functions Functions) Option {
	return func(c *compiler) {
		for name, f := range functions {
			c.revisions[name] = f.Revision
			c.functions[name] = func(from plan.Side, in map[string]json.RawMessage) (map[string]json.RawMessage, error) {
				if from == plan.Spoke {
					return f.ToHub(in)
				}
				return f.ToSpoke(in)
			}
		}
	}
}

// revised returns the functions with a revision that the table calls. A new revision may be
// able to map values that an earlier one could not.
func (c *compiler) revised() map[string]string {
	revised := c.calls()
	maps.DeleteFunc(revised, func(_, revision string) bool { return revision == "" })
	return revised
}

// calls returns the functions that the table calls, with their revisions, or nil if there are
// none.
func (c *compiler) calls() map[string]string {
	var called map[string]string
	c.anyRow(func(r *v1alpha1.Row) bool {
		if r.Func != "" {
			if called == nil {
				called = map[string]string{}
			}
			called[r.Func] = c.revisions[r.Func]
		}
		return false
	})
	return called
}
