package conversion

import (
	"encoding/json"
	"maps"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// Values are the values of a row's places by the names that the row gives them, as
// JSON; a place without a name has the empty one. What is absent is missing. Values
// that are read are in canonical form, with the schema's default where the place is
// absent and what is around it is there, and must not be changed.
type Values map[string]json.RawMessage

// Function computes the places of a row in Go: func in a table. Both directions must
// be deterministic and do no I/O, and may be called concurrently. An error, a panic
// and a value that its place cannot hold all mean that there is nothing to compute
// from: the row's places stay absent, and what the source has is kept.
type Function struct {
	// ToHub computes the hub's places from the spoke's, and ToSpoke the other way.
	ToHub, ToSpoke func(Values) (Values, error)
	// Revision is that of the code, for example v1.4.2. It is part of a table's
	// fingerprint: API servers keep what was converted until that changes.
	Revision string
}

// Functions are Go functions by the names by which tables call them.
type Functions map[string]Function

// Option is something that Compile may be given.
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

// revised are the functions that the table calls and that have a revision: what another
// one had kept, this one may be able to show.
func (c *compiler) revised() map[string]string {
	revised := c.calls()
	maps.DeleteFunc(revised, func(_, revision string) bool { return revision == "" })
	return revised
}

// calls are the functions that the table calls, with their revisions; nil without.
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
