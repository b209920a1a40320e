package cluster

import (
	"context"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// Finder finds single objects of a cluster.
type Finder struct{ live, cached client.Reader }

// NewFinder returns a finder for the API server and the cache of a manager.
func NewFinder(mgr manager.Manager) Finder {
	return Finder{live: mgr.GetAPIReader(), cached: mgr.GetClient()}
}

// CRD returns a CustomResourceDefinition as it is now, or nil. It asks the API server, because
// the cache has only the metadata of CRDs, and a CRD may be applied together with its
// Crosswalk.
func (f Finder) CRD(ctx context.Context, name string) (*apiextensionsv1.CustomResourceDefinition, error) {
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := f.live.Get(ctx, client.ObjectKey{Name: name}, crd); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	return crd, nil
}

// Has reports whether the cache has a Crosswalk with this name.
func (f Finder) Has(ctx context.Context, name string) (bool, error) {
	err := f.cached.Get(ctx, client.ObjectKey{Name: name}, CrosswalkHead())
	return err == nil, client.IgnoreNotFound(err)
}

// Hub returns HubOf with the API server as its reader.
func (f Finder) Hub(ctx context.Context, name string) (string, error) {
	return HubOf(ctx, f.live, name)
}

// HubOf returns the hub version of a CRD's Crosswalk, or "" if there is none.
func HubOf(ctx context.Context, reader client.Reader, crd string) (string, error) {
	crosswalk := new(unstructured.Unstructured)
	crosswalk.SetGroupVersionKind(v1alpha1.GroupVersion().WithKind(v1alpha1.KindCrosswalk))
	if err := reader.Get(ctx, client.ObjectKey{Name: crd}, crosswalk); err != nil {
		return "", client.IgnoreNotFound(err)
	}
	hub, _, err := unstructured.NestedString(crosswalk.Object, "spec", "hub")
	return hub, err
}
