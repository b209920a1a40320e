package policies

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// NewFollower adds a follower to a manager. It has its own cache, so that conversions never
// wait for policies.
func NewFollower(mgr manager.Manager, o Options) (*Follower, error) {
	own, err := cluster.OwnCache(mgr, nil)
	if err != nil {
		return nil, err
	}
	f := newFollower(own, o)
	if err := follow(mgr, own, "validationpolicies", new(v1alpha1.ValidationPolicy), f.reconcileValidation); err != nil {
		return nil, err
	}
	if err := follow(mgr, own, "mutationpolicies", new(v1alpha1.MutationPolicy), f.reconcileMutation); err != nil {
		return nil, err
	}
	return f, mgr.Add(manager.RunnableFunc(f.run))
}

func follow(mgr manager.Manager, own cache.Cache, name string, kind client.Object, do reconcile.Func) error {
	return builder.ControllerManagedBy(mgr).Named(name).
		// Changes of status do not concern the follower.
		WatchesRawSource(source.Kind(own, kind, handler.EnqueueRequestsFromMapFunc(sameName), cluster.SpecChanged())).
		WithOptions(controller.Options{NeedLeaderElection: new(false), RateLimiter: cluster.Retries()}).
		Complete(do)
}

// sameName returns a request with the name of an object.
func sameName(_ context.Context, object client.Object) []reconcile.Request {
	return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(object)}}
}

func newFollower(cached client.Reader, o Options) *Follower {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Follower{Options: o, cached: cached, started: o.Now(), policies: map[key]*followed{}}
}

// Check is a readiness check: it fails until the policies and the objects that they look up
// have been read. It passes after a while in any case, because conversions need no policies.
func (f *Follower) Check() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.Now().Sub(f.started) > patience:
		return nil
	case !f.synced:
		return errors.New("the policies of the cluster have not been read yet")
	case f.pending():
		return errors.New("the objects that policies look up have not been read yet")
	}
	return nil
}

// run waits until every policy that existed at the start has been read. From then on it puts
// changes into force that have waited for their lookups. It is a runnable of the manager.
func (f *Follower) run(ctx context.Context) error {
	last := ""
	for {
		if err := f.step(ctx); err != nil && ctx.Err() == nil && err.Error() != last {
			last = err.Error()
			f.Logger.Error("the policies of the cluster cannot be read", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (f *Follower) step(ctx context.Context) error {
	if !f.hasSynced() {
		return f.begin(ctx)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pending() {
		return f.publish()
	}
	return nil
}

func (f *Follower) hasSynced() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.synced
}

// begin publishes the policies for the first time, once everything in the cache has been read.
func (f *Follower) begin(ctx context.Context) error {
	there, err := f.there(ctx) // not under the lock, because it waits for the cache
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range there {
		if f.policies[id] == nil {
			return nil
		}
	}
	f.Logger.Info("read the policies of the cluster")
	f.synced = true
	return f.publish()
}

// there lists the policies in the cache.
func (f *Follower) there(ctx context.Context) ([]key, error) {
	var all []key
	for kind, list := range map[string]client.ObjectList{
		v1alpha1.KindValidationPolicy: new(v1alpha1.ValidationPolicyList), v1alpha1.KindMutationPolicy: new(v1alpha1.MutationPolicyList),
	} {
		if err := f.cached.List(ctx, list, client.UnsafeDisableDeepCopy); err != nil {
			return nil, err
		}
		names, err := namesOf(list)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			all = append(all, key{kind, name})
		}
	}
	return all, nil
}

func namesOf(list client.ObjectList) ([]string, error) {
	var names []string
	err := meta.EachListItem(list, func(object runtime.Object) error {
		accessor, err := meta.Accessor(object)
		if err == nil {
			names = append(names, accessor.GetName())
		}
		return err
	})
	return names, err
}
