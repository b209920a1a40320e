package policies

import (
	"context"
	"log/slog"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crosswalk-dev/crosswalk/internal/cluster/schemas"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// Options configure the registration.
type Options struct {
	// Serve is the server to register.
	Serve *reach.Serve
	// Rights are those of this process.
	Rights reach.Health
	// Events receives what other clients have changed.
	Events events.EventRecorder
	// Logger receives every change that is made.
	Logger *slog.Logger
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

// reconciler handles all policies together whenever anything has changed. It works on one
// request at a time, and there is only one request.
type reconciler struct {
	Options
	live   client.Reader // asks the API server
	cached client.Reader // policies, and heads of Crosswalks
	writer client.Client
	keeper *webhooks.Keeper

	passes   reach.Passes
	compiled map[types.UID]*compiled
	fits     *fits
}

func newReconciler(o Options, live, cached client.Reader, writer client.Client, source *schemas.Source) *reconciler {
	if o.Now == nil {
		o.Now = time.Now
	}
	passes := reach.NewPasses()
	return &reconciler{
		Options: o, live: live, cached: cached, writer: writer,
		keeper: &webhooks.Keeper{Serve: o.Serve, Writer: writer, Events: o.Events, Logger: o.Logger, Now: o.Now},
		passes: passes, compiled: map[types.UID]*compiled{}, fits: newFits(source, passes),
	}
}

// everything is the only request.
func everything() reconcile.Request {
	return reconcile.Request{NamespacedName: client.ObjectKey{Name: Name}}
}

// Reconcile implements reconcile.Reconciler.
func (r *reconciler) Reconcile(ctx context.Context, _ reconcile.Request) (reconcile.Result, error) {
	after, err := r.pass(ctx)
	if apierrors.IsConflict(err) {
		return reconcile.Result{RequeueAfter: webhooks.Immediately}, nil
	}
	if err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{RequeueAfter: after}, nil
}
