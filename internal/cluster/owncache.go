package cluster

import (
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// OwnCache adds a cache to a manager that is apart from its own. Whoever watches
// through a cache waits for all that is in it, so one kind that is not installed, or
// must not be read, stops everybody: what only a part of a process needs is better
// kept apart. The controller must watch it with source.Kind, and read it. transform says
// what is kept of an object; nil keeps all but who manages which field.
func OwnCache(mgr manager.Manager, transform toolscache.TransformFunc) (cache.Cache, error) {
	if transform == nil {
		transform = cache.TransformStripManagedFields()
	}
	own, err := cache.New(mgr.GetConfig(), cache.Options{
		Scheme:           mgr.GetScheme(),
		HTTPClient:       mgr.GetHTTPClient(),
		Mapper:           mgr.GetRESTMapper(),
		DefaultTransform: transform,
	})
	if err != nil {
		return nil, err
	}
	return own, mgr.Add(own)
}
