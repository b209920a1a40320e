package cluster

import (
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// OwnCache adds a separate cache to a manager. A watch through a cache waits for everything in
// the cache, so one kind that is not installed, or that may not be read, stops all others. Use
// a separate cache for what only a part of a process needs. The controller must watch it with
// source.Kind, and read it. transform selects what is kept of an object; nil keeps everything
// but managedFields.
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
