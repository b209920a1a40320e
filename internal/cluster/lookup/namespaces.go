package lookup

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// Namespaces holds all namespaces, by watching them. It implements
// [policy.Namespaces].
type Namespaces struct {
	watched
	observe Observe
}

var _ policy.Namespaces = (*Namespaces)(nil)

// Namespace implements [policy.Namespaces]. One that is not there may just have
// been made, in the same second as what is in it: of that the API server is asked,
// as it asks its own storage (k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/namespace).
func (n *Namespaces) Namespace(ctx context.Context, name string) (*corev1.Namespace, error) {
	store, err := n.store()
	if err != nil {
		return nil, err
	}
	object, found, err := store.GetByKey(name)
	if err != nil {
		return nil, err
	}
	if found {
		return object.(*corev1.Namespace), nil
	}
	start := time.Now()
	live, err := n.client.Resource(corev1.SchemeGroupVersion.WithResource("namespaces")).Get(ctx, name, metav1.GetOptions{})
	n.observe.tell(Namespace, start, client.IgnoreNotFound(err))
	if err != nil {
		return nil, err
	}
	typed, err := asNamespace(live)
	if err != nil {
		return nil, err
	}
	return typed.(*corev1.Namespace), nil
}

// asNamespace makes a typed object of one that is not, as an informer's transform.
func asNamespace(object any) (any, error) {
	from, ok := object.(*unstructured.Unstructured)
	if !ok {
		return object, nil // a tombstone
	}
	from.SetManagedFields(nil)
	namespace := new(corev1.Namespace)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(from.Object, namespace); err != nil {
		return nil, fmt.Errorf("namespace %s: %w", from.GetName(), err)
	}
	return namespace, nil
}
