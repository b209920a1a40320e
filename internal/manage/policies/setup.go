package policies

import (
	"context"
	"errors"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/cluster/schemas"
)

// Setup adds the registration of policies to a manager, for its leader. The manager's cache
// must hold the EndpointSlices of the Service's namespace and no others. Policies have their
// own cache, so that arming never waits for it.
func Setup(mgr manager.Manager, o Options) error {
	own, err := cluster.OwnCache(mgr, nil)
	if err != nil {
		return err
	}
	published, err := schemas.New(mgr.GetConfig(), func(ctx context.Context, crd string) (string, error) {
		return cluster.HubOf(ctx, mgr.GetAPIReader(), crd)
	})
	if err != nil {
		return err
	}
	r := newReconciler(o, mgr.GetAPIReader(), own, mgr.GetClient(), published)
	always := handler.EnqueueRequestsFromMapFunc(func(context.Context, client.Object) []reconcile.Request {
		return []reconcile.Request{everything()}
	})
	named := builder.WithPredicates(predicate.NewPredicateFuncs(func(o client.Object) bool { return o.GetName() == Name }))
	b := builder.ControllerManagedBy(mgr).Named("policies")
	// Changes of status do not concern us. Of a Crosswalk only its existence matters.
	for _, kind := range []client.Object{new(v1alpha1.ValidationPolicy), new(v1alpha1.MutationPolicy), cluster.CrosswalkHead()} {
		b = b.WatchesRawSource(source.Kind(own, kind, always, cluster.SpecChanged()))
	}
	err = b.
		WatchesMetadata(new(admissionregistrationv1.MutatingWebhookConfiguration), always, named).
		WatchesMetadata(new(admissionregistrationv1.ValidatingWebhookConfiguration), always, named).
		WatchesRawSource(source.Channel(r.passes, always)).
		WithOptions(controller.Options{RateLimiter: cluster.Retries(), MaxConcurrentReconciles: 1}).
		Complete(r)
	if err != nil {
		return err
	}
	services, err := cluster.OwnCache(mgr, nil)
	if err != nil {
		return err
	}
	return errors.Join(
		mgr.Add(manager.RunnableFunc(r.fits.run)),
		mgr.Add(manager.RunnableFunc(func(ctx context.Context) error { return r.followPassage(ctx, services) })),
		mgr.Add(manager.RunnableFunc(func(ctx context.Context) error { return r.passes.Follow(ctx, r.Serve.Certs, r.Serve, r.Rights) })),
	)
}
