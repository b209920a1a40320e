package cluster

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// ManagerOptions returns the common options of both roles: the kinds, a cache that holds only
// what is needed, and no listeners.
func ManagerOptions(namespace string, log *slog.Logger) (manager.Options, error) {
	scheme, err := Scheme()
	if err != nil {
		return manager.Options{}, err
	}
	isRevision, err := labels.NewRequirement(LabelFingerprint, selection.Exists, nil)
	if err != nil {
		return manager.Options{}, err
	}
	return manager.Options{
		Scheme:                 scheme,
		MapperProvider:         func(*rest.Config, *http.Client) (meta.RESTMapper, error) { return Mapper(), nil },
		Logger:                 logr.FromSlogHandler(log.Handler()),
		Metrics:                server.Options{BindAddress: "0"},
		HealthProbeBindAddress: "0",
		Cache: cache.Options{
			DefaultTransform: cache.TransformStripManagedFields(),
			ByObject: map[client.Object]cache.ByObject{
				&appsv1.ControllerRevision{}: {
					Namespaces: map[string]cache.Config{namespace: {}},
					Label:      labels.NewSelector().Add(*isRevision),
				},
			},
		},
		Controller: config.Controller{
			// The manager waits for a kind whose CRD is not installed yet, however long that
			// takes.
			CacheSyncTimeout: 365 * 24 * time.Hour,
			// A process may have more than one manager.
			SkipNameValidation: new(true),
		},
	}, nil
}

// Retries returns how long to wait after each failure: always short enough that an operator who
// has fixed the cause need not wait.
func Retries() workqueue.TypedRateLimiter[reconcile.Request] {
	return workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](50*time.Millisecond, 10*time.Second)
}

// NewFollower adds a follower to a manager.
func NewFollower(mgr manager.Manager, o FollowerOptions) (*Follower, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	f := &Follower{
		FollowerOptions: o, live: mgr.GetAPIReader(), cached: mgr.GetClient(), started: o.Now(),
		tables: map[string]*followed{}, revisions: map[client.ObjectKey]Converter{}, seen: map[client.ObjectKey]bool{},
		broken: map[string]error{},
	}
	err := builder.ControllerManagedBy(mgr).Named("tables").
		// manage's changes to the status of a Crosswalk do not concern the follower.
		WatchesMetadata(CrosswalkHead(), &handler.EnqueueRequestForObject{}, builder.WithPredicates(SpecChanged())).
		WatchesMetadata(CRDHead(), handler.EnqueueRequestsFromMapFunc(f.crosswalkOf)).
		WithOptions(controller.Options{NeedLeaderElection: new(false), RateLimiter: Retries()}).
		Complete(reconcile.Func(f.reconcileTable))
	if err != nil {
		return nil, err
	}
	err = builder.ControllerManagedBy(mgr).Named("revisions").
		For(&appsv1.ControllerRevision{}).
		WithOptions(controller.Options{NeedLeaderElection: new(false), RateLimiter: Retries()}).
		Complete(reconcile.Func(f.reconcileRevision))
	if err != nil {
		return nil, err
	}
	return f, mgr.Add(manager.RunnableFunc(f.run))
}
