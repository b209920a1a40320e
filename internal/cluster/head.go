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

// Of Crosswalks and CRDs only the heads, their metadata, are watched: a cluster
// may have thousands of CRDs with large schemas. What is needed of one is asked
// for when it changes.

// CrosswalkHead is a Crosswalk's metadata, to be watched.
func CrosswalkHead() *metav1.PartialObjectMetadata {
	return head(v1alpha1.GroupVersion().WithKind(v1alpha1.KindCrosswalk))
}

// CRDHead is a CustomResourceDefinition's metadata, to be watched.
func CRDHead() *metav1.PartialObjectMetadata {
	return head(apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition"))
}

func head(kind schema.GroupVersionKind) *metav1.PartialObjectMetadata {
	h := new(metav1.PartialObjectMetadata)
	h.SetGroupVersionKind(kind)
	return h
}

// CrosswalkOf returns a request for the Crosswalk of a CRD, if there is one. The
// reader is a cache. A Crosswalk that comes later has an event of its own.
func CrosswalkOf(ctx context.Context, cached client.Reader, crd string) []reconcile.Request {
	key := client.ObjectKey{Name: crd}
	if err := cached.Get(ctx, key, CrosswalkHead()); err != nil {
		return nil
	}
	return []reconcile.Request{{NamespacedName: key}}
}
