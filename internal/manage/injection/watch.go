package injection

import (
	"context"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/certs/inject"
)

// target identifies an object of one of the kinds. All of them are cluster-scoped.
type target struct {
	schema.GroupVersionKind
	Name string
}

func (t target) String() string { return t.Kind + " " + t.Name }

// retryList is how long to wait when the cache cannot be read.
const retryList = time.Second

func (i *Injector) watch(c controller.TypedController[target], from cache.Cache) error {
	for _, kind := range inject.Kinds() {
		object := &metav1.PartialObjectMetadata{}
		object.SetGroupVersionKind(kind)
		err := c.Watch(source.TypedKind(from, object, handler.TypedEnqueueRequestsFromMapFunc(
			func(_ context.Context, object *metav1.PartialObjectMetadata) []target {
				if !concerns(object) {
					return nil
				}
				return []target{{kind, object.Name}}
			})))
		if err != nil {
			return err
		}
	}
	return c.Watch(source.TypedFunc[target](
		func(ctx context.Context, queue workqueue.TypedRateLimitingInterface[target]) error {
			i.secrets.start(ctx, queue.Add)
			go i.watchBundle(ctx, func(ctx context.Context) { i.enqueueAll(ctx, queue) })
			return nil
		}))
}

// concerns reports whether an object asks for a bundle, or did when it was last written.
func concerns(object client.Object) bool {
	annotations := object.GetAnnotations()
	_, own := annotations[v1alpha1.AnnotationInjectCA]
	_, from := annotations[v1alpha1.AnnotationInjectCAFrom]
	return own || from || ownership(object.GetManagedFields()) >= 0
}

// ownership returns the index of our entry in managedFields, or -1.
func ownership(entries []metav1.ManagedFieldsEntry) int {
	return slices.IndexFunc(entries, func(e metav1.ManagedFieldsEntry) bool {
		return e.Manager == FieldManager && e.Operation == metav1.ManagedFieldsOperationApply
	})
}

// enqueueAll asks for a look at every object that concerns us.
func (i *Injector) enqueueAll(ctx context.Context, queue interface{ Add(target) }) {
	for _, kind := range inject.Kinds() {
		list := metadataList(kind)
		for err := i.cache.List(ctx, list); err != nil; err = i.cache.List(ctx, list) {
			i.log.Error("cannot list the objects to inject into", "kind", kind.Kind, "error", err)
			select {
			case <-ctx.Done():
				return
			case <-time.After(retryList):
			}
		}
		for _, object := range list.Items {
			if concerns(&object) {
				queue.Add(target{kind, object.Name})
			}
		}
	}
}

func metadataList(kind schema.GroupVersionKind) *metav1.PartialObjectMetadataList {
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
	return list
}
