package reach

import (
	"context"
	"sync"

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

// Follow asks for a pass at once, and whenever one of these has changed, until ctx ends.
func (p Passes) Follow(ctx context.Context, all ...Changing) error {
	var following sync.WaitGroup
	for _, one := range all {
		following.Go(func() {
			for ctx.Err() == nil {
				changed := one.Changed()
				p.Ask()
				select {
				case <-changed:
				case <-ctx.Done():
				}
			}
		})
	}
	following.Wait()
	return nil
}
