package webhooks

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/crosswalk-dev/crosswalk/certs"
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

// FollowBundle asks for a pass at once, and at every new CA bundle until ctx ends.
func (p Passes) FollowBundle(ctx context.Context, source certs.Source) {
	for {
		changed := source.Changed()
		p.Ask()
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
