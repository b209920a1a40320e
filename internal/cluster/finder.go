package cluster

import (
	"context"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// Finder finds single objects of a cluster.
type Finder struct{ live, cached client.Reader }

// NewFinder returns a finder that asks the API server of a manager, or its cache.
func NewFinder(mgr manager.Manager) Finder {
	return Finder{live: mgr.GetAPIReader(), cached: mgr.GetClient()}
}

// CRD returns a CustomResourceDefinition as it is now, nil where there is none. It
// asks the API server: of CRDs only the heads are watched, and somebody may apply
// one together with its Crosswalk.
func (f Finder) CRD(ctx context.Context, name string) (*apiextensionsv1.CustomResourceDefinition, error) {
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := f.live.Get(ctx, client.ObjectKey{Name: name}, crd); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	return crd, nil
}

// Has says whether there is a Crosswalk of a name, as far as has been heard.
func (f Finder) Has(ctx context.Context, name string) (bool, error) {
	err := f.cached.Get(ctx, client.ObjectKey{Name: name}, CrosswalkHead())
	return err == nil, client.IgnoreNotFound(err)
}
