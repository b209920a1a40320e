package lookup

import (
	"context"
	"time"

	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// Observe is told of every read from the API server that a write has waited for: what
// it was for, how long it took, and how it ended. That something is not there is no
// error.
type Observe func(read Read, took time.Duration, err error)

// Read is what a read is for.
type Read string

// The reads.
const (
	Lookup        Read = "lookup"    // a lookup that is live
	Namespace     Read = "namespace" // one that no watch has told of yet
	Authorization Read = "authorization"
	Definition    Read = "definition" // of a custom resource
)

// Reads are all of them.
func Reads() []Read { return []Read{Lookup, Namespace, Authorization, Definition} }

// tell tells of a read that has just ended.
func (o Observe) tell(read Read, start time.Time, err error) {
	if o != nil {
		o(read, time.Since(start), err)
	}
}

// observed is an authorizer that is told of.
type observed struct {
	authorizer.Authorizer
	observe Observe
}

func (o observed) Authorize(ctx context.Context, what authorizer.Attributes) (authorizer.Decision, string, error) {
	start := time.Now()
	decision, reason, err := o.Authorizer.Authorize(ctx, what)
	o.observe.tell(Authorization, start, err)
	return decision, reason, err
}
