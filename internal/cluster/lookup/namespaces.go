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

// Namespaces watches all namespaces. It implements [policy.Namespaces].
type Namespaces struct {
	watched
	observe Observe
}

var _ policy.Namespaces = (*Namespaces)(nil)

// Namespace implements [policy.Namespaces]. A missing namespace may just have been created, in
// the same second as the objects in it. So Namespace then asks the API server, which likewise
// asks its own storage (k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/namespace).
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

// asNamespace converts an untyped object to a typed one. It is the transform of an informer.
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
