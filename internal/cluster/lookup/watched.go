package lookup

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// again is when a kind that is not served, or that may not be read, is tried again: soon enough
// for a user who has just created the missing role.
const again = 2 * time.Second

// watched holds the objects of one kind, and watches them while it runs.
type watched struct {
	kind      schema.GroupVersionKind
	kinds     *kinds
	client    dynamic.Interface
	transform toolscache.TransformFunc
	log       *slog.Logger
	stop      context.CancelFunc

	mu       sync.Mutex
	informer toolscache.SharedIndexInformer
	// problem is the error of the last list or watch, or nil.
	problem error
}

// run watches until ctx is done. It follows a kind whose CRD is deleted and created again.
func (w *watched) run(ctx context.Context) {
	for ctx.Err() == nil {
		if mapping, err := w.kinds.resource(ctx, w.kind); err != nil {
			w.note(err)
		} else {
			w.watch(ctx, mapping)
		}
		select {
		case <-ctx.Done():
		case <-time.After(again):
		}
	}
}

// watch watches the objects of a resource until the resource is no longer served or may not be
// read. A reflector would then wait longer and longer.
func (w *watched) watch(ctx context.Context, mapping *meta.RESTMapping) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	resource := w.client.Resource(mapping.Resource)
	var watched atomic.Bool
	heard := func(err error) error {
		if ctx.Err() != nil {
			return err // the watch was stopped
		}
		w.note(err)
		if isNotServed(err) {
			w.kinds.forget(w.kind)
			stop()
		}
		if apierrors.IsForbidden(err) {
			stop()
		}
		return err
	}
	informer := toolscache.NewSharedIndexInformer(
		toolscache.ToListWatcherWithWatchListSemantics(&toolscache.ListWatch{
			ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
				list, err := resource.List(ctx, options)
				return list, heard(err)
			},
			WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
				// The API server ends the watch when the CRD is deleted. A new CRD with the
				// same name may have another resource.
				if watched.Swap(true) && w.kinds.outdated(w.kind, mapping) {
					stop()
				}
				stream, err := resource.Watch(ctx, options)
				return stream, heard(err)
			},
		}, w.client),
		new(unstructured.Unstructured), 0, toolscache.Indexers{toolscache.NamespaceIndex: toolscache.MetaNamespaceIndexFunc},
	)
	// Neither can fail before the informer runs.
	_ = informer.SetTransform(w.transform)
	_ = informer.SetWatchErrorHandlerWithContext(func(context.Context, *toolscache.Reflector, error) {}) // note has logged it
	w.mu.Lock()
	w.informer = informer
	w.mu.Unlock()
	informer.RunWithContext(ctx)
	w.mu.Lock()
	w.informer = nil
	w.mu.Unlock()
}

// isNotServed reports whether an error means that the resource does not exist, as opposed to
// the object.
func isNotServed(err error) bool {
	return apierrors.IsNotFound(err) && apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}

// note remembers the error of the last attempt to read, and logs a new one.
func (w *watched) note(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil && (w.problem == nil || w.problem.Error() != err.Error()) {
		w.log.Warn("objects that policies read cannot be read", "kind", w.kind.String(), "error", err)
	}
	w.problem = err
}

// store returns the objects. If they are not available, the error wraps policy.ErrUnknownKind
// or policy.ErrNotSynced, or is apierrors.IsForbidden. Objects that were read once stay
// available while the API server is unreachable, but not once it forbids to read them.
func (w *watched) store() (toolscache.Indexer, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if apierrors.IsForbidden(w.problem) {
		return nil, w.problem
	}
	if w.informer == nil || !w.informer.HasSynced() {
		switch {
		case w.problem == nil:
			return nil, fmt.Errorf("%s of %s: %w", w.kind.Kind, w.kind.GroupVersion(), policy.ErrNotSynced)
		case isUnknown(w.problem):
			return nil, w.problem
		}
		return nil, fmt.Errorf("%w: %w", policy.ErrNotSynced, w.problem)
	}
	return w.informer.GetIndexer(), nil
}

// settled reports whether waiting is of no use: the objects have been read, or it is known why
// they cannot be.
func (w *watched) settled() bool {
	_, err := w.store()
	return err == nil || apierrors.IsForbidden(err) || isUnknown(err)
}
