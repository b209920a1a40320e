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

// Follow asks for a pass at once, whenever there is a new CA bundle, and whenever serve stops or
// starts to answer, until ctx ends.
func (p Passes) Follow(ctx context.Context, serve *Serve) error {
	for {
		bundle, pulse := serve.Certs.Changed(), serve.Changed()
		p.Ask()
		select {
		case <-bundle:
		case <-pulse:
		case <-ctx.Done():
			return nil
		}
	}
}
