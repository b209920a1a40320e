package arming

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// atOnce is how many CRDs are handled concurrently: a CRD whose replicas do not answer must not
// delay all others.
const atOnce = 4

// Setup adds arming to a manager, for its leader. The manager's cache must hold the
// EndpointSlices of the Service's namespace and no others.
func Setup(mgr manager.Manager, o Options) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	r := &reconciler{
		Options: o, live: mgr.GetAPIReader(), cached: mgr.GetClient(), writer: mgr.GetClient(),
		written: map[string][]time.Time{}, left: map[string]conversionSpec{}, waited: map[string]time.Duration{},
		lost: map[string][]*appsv1.ControllerRevision{},
	}
	passes := reach.NewPasses()
	err := builder.ControllerManagedBy(mgr).Named("arming").
		// Our own status changes do not concern us.
		WatchesMetadata(cluster.CrosswalkHead(), &handler.EnqueueRequestForObject{}, builder.WithPredicates(cluster.SpecChanged())).
		WatchesMetadata(cluster.CRDHead(), handler.EnqueueRequestsFromMapFunc(r.crosswalkOf)).
		Watches(&appsv1.ControllerRevision{}, handler.Funcs{DeleteFunc: r.lostRevision}).
		Watches(&discoveryv1.EndpointSlice{}, handler.EnqueueRequestsFromMapFunc(r.everyCrosswalk)).
		WatchesRawSource(source.Channel(passes, handler.EnqueueRequestsFromMapFunc(r.everyCrosswalk))).
		WithOptions(controller.Options{RateLimiter: cluster.Retries(), MaxConcurrentReconciles: atOnce}).
		Complete(r)
	if err != nil {
		return err
	}
	on := []reach.Changing{r.Serve.Certs, r.Serve, r.Rights}
	if r.Authority != nil {
		on = append(on, r.Authority)
	}
	return mgr.Add(manager.RunnableFunc(func(ctx context.Context) error { return passes.Follow(ctx, on...) }))
}

// crosswalkOf returns a request for the Crosswalk of a CRD, if there is one.
func (r *reconciler) crosswalkOf(ctx context.Context, crd client.Object) []reconcile.Request {
	return cluster.CrosswalkOf(ctx, r.cached, crd.GetName())
}

func (r *reconciler) everyCrosswalk(ctx context.Context, _ client.Object) []reconcile.Request {
	heads := &metav1.PartialObjectMetadataList{}
	heads.SetGroupVersionKind(cluster.CrosswalkHead().GroupVersionKind())
	if err := r.cached.List(ctx, heads); err != nil {
		r.Logger.Error("the Crosswalks cannot be listed", "error", err)
		return nil
	}
	// The canary's Crosswalk may not exist. It is created then.
	requests := []reconcile.Request{{NamespacedName: client.ObjectKey{Name: cluster.CanaryCRD}}}
	for _, head := range heads.Items {
		requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKey{Name: head.Name}})
	}
	return requests
}
