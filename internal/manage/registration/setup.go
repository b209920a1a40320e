package registration

import (
	"context"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// Setup adds registration to a manager, for its leader. The manager's cache must
// hold the EndpointSlices of the Service's namespace and no others.
func Setup(mgr manager.Manager, o Options) error {
	r := newReconciler(o, mgr.GetAPIReader(), mgr.GetClient(), mgr.GetClient())
	ours := handler.EnqueueRequestsFromMapFunc(func(_ context.Context, object client.Object) []reconcile.Request {
		if name := object.GetName(); name != MutatingName && name != ValidatingName {
			return nil
		}
		return []reconcile.Request{r.everything()}
	})
	always := handler.EnqueueRequestsFromMapFunc(func(context.Context, client.Object) []reconcile.Request {
		return []reconcile.Request{r.everything()}
	})
	err := builder.ControllerManagedBy(mgr).Named("registration").
		// Changes of status do not concern us.
		WatchesMetadata(cluster.CrosswalkHead(), &handler.EnqueueRequestForObject{}, builder.WithPredicates(cluster.SpecChanged())).
		WatchesMetadata(cluster.CRDHead(), handler.EnqueueRequestsFromMapFunc(r.crosswalkOf)).
		WatchesMetadata(new(admissionregistrationv1.MutatingWebhookConfiguration), ours).
		WatchesMetadata(new(admissionregistrationv1.ValidatingWebhookConfiguration), ours).
		WatchesRawSource(source.Channel(r.passes, always)).
		WithOptions(controller.Options{RateLimiter: cluster.Retries(), MaxConcurrentReconciles: 1}).
		Complete(r)
	if err != nil {
		return err
	}
	return mgr.Add(manager.RunnableFunc(func(ctx context.Context) error { return r.passes.Follow(ctx, r.Serve.Certs, r.Serve, r.Rights) }))
}

// crosswalkOf returns a request for the Crosswalk of a CRD, if there is one.
func (r *reconciler) crosswalkOf(ctx context.Context, crd client.Object) []reconcile.Request {
	return cluster.CrosswalkOf(ctx, r.cached, crd.GetName())
}
