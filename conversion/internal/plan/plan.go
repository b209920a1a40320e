// Package plan holds what the rows between a version, the spoke, and the hub say, in the form
// in which conversions use it: for every field of either version, what to do with it.
// Package compile makes plans.
//
// A plan is a tree of scopes. A scope pairs an object of the spoke with an object of the hub:
// the whole resource, or an element of a list. For each side, it has a tree of the fields that
// conversions have to look at. All other fields are the same in both versions, and are copied as bytes.
package plan

// Side is one of the two versions of a plan.
type Side int

// The sides of a plan.
const (
	Spoke Side = 0
	Hub   Side = 1
)

// Other returns the other side.
func (s Side) Other() Side { return 1 - s }

// String returns the name that the side has in a row.
func (s Side) String() string { return [...]string{"spoke", "hub"}[s] }

// Plan says how to convert between a spoke and the hub. It does not change once it is made, and several
// conversions may use it at a time.
type Plan struct {
	// Versions are the names of the two versions, for example v1beta1 and v1.
	Versions [2]string
	// Root is the scope of the whole object.
	Root *Scope
	// Mark is a hash of the rows and the schemas.
	Mark string
	// HubDrops says that a row of some version drops a field of the hub.
	HubDrops bool
}
