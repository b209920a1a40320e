package policy

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Given is a cluster that has only the given objects. Use it to evaluate requests offline. It
// implements [Namespaces] and [Objects].
type Given struct{ objects []*unstructured.Unstructured }

// NewGiven takes over the objects, which must not be changed any more.
func NewGiven(objects ...*unstructured.Unstructured) *Given { return &Given{objects: objects} }

// Namespace implements [Namespaces].
func (g *Given) Namespace(ctx context.Context, name string) (*corev1.Namespace, error) {
	object, err := g.Get(ctx, corev1.SchemeGroupVersion.WithKind("Namespace"), "", name)
	if err != nil {
		return nil, err
	}
	namespace := new(corev1.Namespace)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, namespace); err != nil {
		return nil, fmt.Errorf("Namespace %s: %w", name, err)
	}
	return namespace, nil
}

// Namespaced implements [Objects]. A kind is cluster-scoped if there are objects of it and none
// has a namespace.
func (g *Given) Namespaced(_ context.Context, kind schema.GroupVersionKind) (bool, error) {
	known := false
	for _, o := range g.objects {
		if o.GroupVersionKind() == kind {
			if o.GetNamespace() != "" {
				return true, nil
			}
			known = true
		}
	}
	return !known, nil
}

// Get implements [Objects].
func (g *Given) Get(_ context.Context, kind schema.GroupVersionKind, namespace, name string) (*unstructured.Unstructured, error) {
	for _, o := range g.objects {
		if o.GroupVersionKind() == kind && o.GetNamespace() == namespace && o.GetName() == name {
			return o, nil
		}
	}
	return nil, apierrors.NewNotFound(schema.GroupResource{Group: kind.Group, Resource: kind.Kind}, name)
}

// List implements [Objects].
func (g *Given) List(_ context.Context, kind schema.GroupVersionKind, namespace string, selector labels.Selector) ([]*unstructured.Unstructured, error) {
	var found []*unstructured.Unstructured
	for _, o := range g.objects {
		if o.GroupVersionKind() == kind && (namespace == "" || o.GetNamespace() == namespace) && selector.Matches(labels.Set(o.GetLabels())) {
			found = append(found, o)
		}
	}
	return found, nil
}
