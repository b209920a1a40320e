package arming

import (
	"context"
	"log/slog"
	"time"

	"k8s.io/client-go/tools/events"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// FieldManager owns what this package writes into CRDs.
const FieldManager = "crosswalk-arming"

// Options configure how CRDs are armed.
type Options struct {
	// Serve is the server that armed CRDs name.
	Serve *reach.Serve
	// Rights are those of this process.
	Rights reach.Health
	// Authority is whether the serving certificate can be renewed. It is nil if another issuer
	// renews it.
	Authority *reach.State
	// HubPolicies returns the policies that are written for the hub version of a CRD.
	HubPolicies func(ctx context.Context, crd string) ([]string, error)
	// Compiler compiles the tables. It must be the same as in the replicas.
	Compiler cluster.Compiler
	// Events receives what an operator should know.
	Events events.EventRecorder
	// Logger receives every change that is made.
	Logger *slog.Logger
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

const (
	// immediately is when to look again after another client was faster, or after the first of
	// two steps.
	immediately = 20 * time.Millisecond
	// A CRD waits for events in other processes, of which nobody is notified. It is looked at
	// again after firstWait, and then after twice as long each time, up to longestWait.
	firstWait   = 100 * time.Millisecond
	longestWait = 2 * time.Second
	// later is when a CRD that is ready is looked at again, so that its condition changes when
	// replicas stop answering.
	later = 30 * time.Second
	// settling is how long API servers get to see a change, before the Crosswalk is reported
	// ready.
	settling = time.Second
)
