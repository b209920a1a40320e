package lookup

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// Live reads from the API server every time. It implements [policy.Objects].
type Live struct {
	kinds   *kinds
	client  dynamic.Interface
	observe Observe
}

var _ policy.Objects = Live{}

// Namespaced implements [policy.Objects].
func (l Live) Namespaced(ctx context.Context, kind schema.GroupVersionKind) (bool, error) {
	return l.kinds.namespaced(ctx, kind)
}

// Get implements [policy.Objects].
func (l Live) Get(ctx context.Context, kind schema.GroupVersionKind, namespace, name string) (*unstructured.Unstructured, error) {
	resource, err := l.resource(ctx, kind, namespace)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	object, err := resource.Get(ctx, name, metav1.GetOptions{})
	l.observe.tell(Lookup, start, client.IgnoreNotFound(err))
	return object, l.explain(kind, err)
}

// List implements [policy.Objects].
func (l Live) List(ctx context.Context, kind schema.GroupVersionKind, namespace string, selector labels.Selector) ([]*unstructured.Unstructured, error) {
	resource, err := l.resource(ctx, kind, namespace)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	list, err := resource.List(ctx, metav1.ListOptions{LabelSelector: selector.String()})
	l.observe.tell(Lookup, start, err)
	if err != nil {
		return nil, l.explain(kind, err)
	}
	objects := make([]*unstructured.Unstructured, len(list.Items))
	for i := range list.Items {
		objects[i] = &list.Items[i]
	}
	return objects, nil
}

func (l Live) resource(ctx context.Context, kind schema.GroupVersionKind, namespace string) (dynamic.ResourceInterface, error) {
	mapping, err := l.kinds.resource(ctx, kind)
	if err != nil {
		return nil, err
	}
	if namespace == "" {
		return l.client.Resource(mapping.Resource), nil
	}
	return l.client.Resource(mapping.Resource).Namespace(namespace), nil
}

// explain distinguishes a missing object and a kind that is no longer served.
func (l Live) explain(kind schema.GroupVersionKind, err error) error {
	if !isNotServed(err) {
		return err
	}
	l.kinds.forget(kind)
	return fmt.Errorf("%w: %w", unserved(kind), err)
}
