package registration

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// reconciler handles one Crosswalk after another, and updates both configurations whenever
// something has changed. It works on one request at a time.
type reconciler struct {
	Options
	live   client.Reader // asks the API server
	cached client.Reader // heads
	writer client.Client

	passes   reach.Passes
	known    map[string]*known // by CRD
	caughtUp bool              // whether known was ever complete
	keeper   *webhooks.Keeper
}

func newReconciler(o Options, live, cached client.Reader, writer client.Client) *reconciler {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &reconciler{
		Options: o, live: live, cached: cached, writer: writer,
		passes: reach.NewPasses(), known: map[string]*known{},
		keeper: &webhooks.Keeper{Serve: o.Serve, Writer: writer, Events: o.Events, Logger: o.Logger, Now: o.Now},
	}
}

func (r *reconciler) now() time.Time { return r.Now() }

// everything is the request for a pass. Crosswalks have no namespace.
func (r *reconciler) everything() reconcile.Request {
	return reconcile.Request{NamespacedName: client.ObjectKey{Namespace: r.Serve.Service.Namespace, Name: MutatingName}}
}

// Reconcile implements reconcile.Reconciler. The request names a Crosswalk, or is
// the one for a pass.
func (r *reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	if request != r.everything() {
		if err := r.look(ctx, request.Name); err != nil {
			return reconcile.Result{}, err
		}
		r.passes.Ask()
		return reconcile.Result{}, nil
	}
	after, err := r.pass(ctx)
	if apierrors.IsConflict(err) {
		return reconcile.Result{RequeueAfter: webhooks.Immediately}, nil
	}
	if err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{RequeueAfter: after}, nil
}
