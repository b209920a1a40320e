package reach

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"
)

// Passes asks a reconciler to handle everything. It is for source.Channel, with a handler that
// maps every event to the same request.
type Passes chan event.GenericEvent

// NewPasses has room for one request, because a pending one is enough.
func NewPasses() Passes { return make(Passes, 1) }

// Ask asks for a pass, and does not wait.
func (p Passes) Ask() {
	select {
	case p <- event.GenericEvent{Object: new(metav1.PartialObjectMetadata)}:
	default:
	}
}

// Changing is something that passes depend on. Changed returns a channel that is closed when it
// changes.
type Changing interface{ Changed() <-chan struct{} }

// Rights are the rights of this process in the cluster. Obstacle returns what keeps it from
// reading what it needs to know whether a status is true, or nil.
type Rights interface {
	Changing
	Obstacle() *Obstacle
}

// Follow asks for a pass at once, and whenever the CA bundle, whether serve answers, or the
// rights of this process have changed, until ctx ends.
func (p Passes) Follow(ctx context.Context, serve *Serve, rights Changing) error {
	for {
		bundle, pulse, rights := serve.Certs.Changed(), serve.Changed(), rights.Changed()
		p.Ask()
		select {
		case <-bundle:
		case <-pulse:
		case <-rights:
		case <-ctx.Done():
			return nil
		}
	}
}
