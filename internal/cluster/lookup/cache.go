package lookup

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// Cache watches the objects of some kinds. It implements [policy.Objects]. Its objects have no
// managedFields.
type Cache struct {
	kinds  *kinds
	client dynamic.Interface
	log    *slog.Logger

	mu   sync.RWMutex
	ctx  context.Context // of run; nil before
	kept map[schema.GroupVersionKind]*watched
	wait sync.WaitGroup
}

var _ policy.Objects = (*Cache)(nil)

func newCache(kinds *kinds, client dynamic.Interface, log *slog.Logger) *Cache {
	return &Cache{kinds: kinds, client: client, log: log, kept: map[schema.GroupVersionKind]*watched{}}
}

// run watches until ctx is done.
func (c *Cache) run(ctx context.Context) {
	c.mu.Lock()
	c.ctx = ctx
	for _, w := range c.kept {
		c.start(w)
	}
	c.mu.Unlock()
	<-ctx.Done()
	c.wait.Wait()
}

// start must be called with the lock held.
func (c *Cache) start(w *watched) {
	var ctx context.Context
	ctx, w.stop = context.WithCancel(c.ctx)
	c.wait.Go(func() { w.run(ctx) })
}

// Keep watches these kinds, and no others.
func (c *Cache) Keep(kinds []schema.GroupVersionKind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := make(map[schema.GroupVersionKind]*watched, len(kinds))
	for _, kind := range kinds {
		if next[kind] != nil {
			continue
		}
		w := c.kept[kind]
		if w == nil {
			w = &watched{kind: kind, kinds: c.kinds, client: c.client, transform: withoutManagedFields, log: c.log}
			if c.ctx != nil && c.ctx.Err() == nil {
				c.start(w)
			}
		}
		next[kind] = w
	}
	for kind, w := range c.kept {
		if next[kind] == nil && w.stop != nil {
			w.stop()
		}
	}
	c.kept = next
}

// Settled reports whether waiting is of no use: the objects of a kind have been read, or it is
// known why they cannot be.
func (c *Cache) Settled(kind schema.GroupVersionKind) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	w := c.kept[kind]
	return w != nil && w.settled()
}

func (c *Cache) store(kind schema.GroupVersionKind) (toolscache.Indexer, error) {
	c.mu.RLock()
	w := c.kept[kind]
	c.mu.RUnlock()
	if w == nil {
		return nil, fmt.Errorf("%s of %s: %w", kind.Kind, kind.GroupVersion(), policy.ErrNotSynced)
	}
	return w.store()
}

// Namespaced implements [policy.Objects].
func (c *Cache) Namespaced(ctx context.Context, kind schema.GroupVersionKind) (bool, error) {
	return c.kinds.namespaced(ctx, kind)
}

// Get implements [policy.Objects].
func (c *Cache) Get(_ context.Context, kind schema.GroupVersionKind, namespace, name string) (*unstructured.Unstructured, error) {
	store, err := c.store(kind)
	if err != nil {
		return nil, err
	}
	key := name
	if namespace != "" {
		key = namespace + "/" + name
	}
	object, found, err := store.GetByKey(key)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, apierrors.NewNotFound(schema.GroupResource{Group: kind.Group, Resource: kind.Kind}, name)
	}
	return object.(*unstructured.Unstructured), nil
}

// List implements [policy.Objects]. The order is undefined.
func (c *Cache) List(_ context.Context, kind schema.GroupVersionKind, namespace string, selector labels.Selector) ([]*unstructured.Unstructured, error) {
	store, err := c.store(kind)
	if err != nil {
		return nil, err
	}
	var objects []*unstructured.Unstructured
	take := func(object any) { objects = append(objects, object.(*unstructured.Unstructured)) }
	if namespace == "" {
		err = toolscache.ListAll(store, selector, take)
	} else {
		err = toolscache.ListAllByNamespace(store, namespace, selector, take)
	}
	return objects, err
}

// withoutManagedFields makes many objects half as large. No policy reads managedFields.
func withoutManagedFields(object any) (any, error) {
	if accessor, err := meta.Accessor(object); err == nil {
		accessor.SetManagedFields(nil)
	}
	return object, nil
}

func isUnknown(err error) bool { return errors.Is(err, policy.ErrUnknownKind) }
