package lookup

import (
	"context"
	"time"

	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// Observe is called for every read from the API server that a write has waited for, with its
// purpose, its duration and its error. A missing object is not an error.
type Observe func(read Read, took time.Duration, err error)

// Read is the purpose of a read.
type Read string

// The reads.
const (
	Lookup        Read = "lookup"    // a live lookup
	Namespace     Read = "namespace" // a namespace that no watch has reported yet
	Authorization Read = "authorization"
	Definition    Read = "definition" // of a custom resource
)

// Reads returns all purposes.
func Reads() []Read { return []Read{Lookup, Namespace, Authorization, Definition} }

// tell reports a read that has just ended.
func (o Observe) tell(read Read, start time.Time, err error) {
	if o != nil {
		o(read, time.Since(start), err)
	}
}

// observed is an authorizer that reports its reads.
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
