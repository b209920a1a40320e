package cluster

import (
	"context"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// Only the metadata of Crosswalks and CRDs is watched, because a cluster may have thousands of
// CRDs with large schemas. The rest of an object is read when it changes.

// CrosswalkHead returns a Crosswalk's metadata, for watches.
func CrosswalkHead() *metav1.PartialObjectMetadata {
	return head(v1alpha1.GroupVersion().WithKind(v1alpha1.KindCrosswalk))
}

// CRDHead returns a CustomResourceDefinition's metadata, for watches.
func CRDHead() *metav1.PartialObjectMetadata {
	return head(apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition"))
}

func head(kind schema.GroupVersionKind) *metav1.PartialObjectMetadata {
	h := new(metav1.PartialObjectMetadata)
	h.SetGroupVersionKind(kind)
	return h
}

// CrosswalkOf returns a request for the Crosswalk of a CRD, if there is one. The reader is a
// cache. A Crosswalk that is created later has its own event.
func CrosswalkOf(ctx context.Context, cached client.Reader, crd string) []reconcile.Request {
	key := client.ObjectKey{Name: crd}
	if err := cached.Get(ctx, key, CrosswalkHead()); err != nil {
		return nil
	}
	return []reconcile.Request{{NamespacedName: key}}
}
