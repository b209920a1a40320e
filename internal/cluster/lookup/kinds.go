package lookup

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// unknownFor is for how long a kind that is not served is not asked about again.
const unknownFor = 5 * time.Second

// kinds knows which resource a kind is, and remembers for a while which are none.
type kinds struct {
	// newMapper makes one that knows nothing yet: of what they know they are certain
	// for ever, and a CRD may come back with another name or scope.
	newMapper func() (meta.RESTMapper, error)
	now       func() time.Time

	asking  singleflight.Group
	mu      sync.Mutex
	mapper  meta.RESTMapper // nil before somebody asks, and after a kind was forgotten
	known   map[schema.GroupVersionKind]*meta.RESTMapping
	unknown map[schema.GroupVersionKind]time.Time
}

func newKinds(newMapper func() (meta.RESTMapper, error), now func() time.Time) *kinds {
	return &kinds{
		newMapper: newMapper, now: now,
		known: map[schema.GroupVersionKind]*meta.RESTMapping{}, unknown: map[schema.GroupVersionKind]time.Time{},
	}
}

// resource gives the resource of a kind. The error wraps policy.ErrUnknownKind
// where there is none.
func (k *kinds) resource(ctx context.Context, kind schema.GroupVersionKind) (*meta.RESTMapping, error) {
	k.mu.Lock()
	mapping, since := k.known[kind], k.unknown[kind]
	k.mu.Unlock()
	if mapping != nil {
		return mapping, nil
	}
	if k.now().Sub(since) < unknownFor {
		return nil, unserved(kind)
	}
	// A mapper takes as long as it takes. All who wait share what it finds, which does
	// not end with one of them.
	asked := k.asking.DoChan(kind.String(), func() (any, error) { return k.learn(kind) })
	select {
	case result := <-asked:
		mapping, _ := result.Val.(*meta.RESTMapping)
		return mapping, result.Err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// learn asks which resource a kind is, and remembers it.
func (k *kinds) learn(kind schema.GroupVersionKind) (*meta.RESTMapping, error) {
	mapping, err := k.ask(kind)
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case meta.IsNoMatchError(err):
		k.unknown[kind] = k.now()
		return nil, unserved(kind)
	case err != nil:
		return nil, fmt.Errorf("which resource the kind %s of %s is cannot be told: %w", kind.Kind, kind.GroupVersion(), err)
	}
	delete(k.unknown, kind)
	k.known[kind] = mapping
	return mapping, nil
}

// ask asks the API server, and so not under the lock.
func (k *kinds) ask(kind schema.GroupVersionKind) (*meta.RESTMapping, error) {
	k.mu.Lock()
	if k.mapper == nil {
		mapper, err := k.newMapper()
		if err != nil {
			k.mu.Unlock()
			return nil, err
		}
		k.mapper = mapper
	}
	mapper := k.mapper
	k.mu.Unlock()
	return mapper.RESTMapping(kind.GroupKind(), kind.Version)
}

// forget has a kind asked about again: its CRD may be gone, or another.
func (k *kinds) forget(kind schema.GroupVersionKind) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.known, kind)
	k.mapper = nil
}

// outdated reports whether a kind is another resource by now, and forgets it then. Where
// nobody answers it is what it was.
func (k *kinds) outdated(kind schema.GroupVersionKind, mapping *meta.RESTMapping) bool {
	mapper, err := k.newMapper()
	if err != nil {
		return false
	}
	is, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil || is.Resource == mapping.Resource && is.Scope.Name() == mapping.Scope.Name() {
		return false
	}
	k.forget(kind)
	return true
}

func (k *kinds) namespaced(ctx context.Context, kind schema.GroupVersionKind) (bool, error) {
	mapping, err := k.resource(ctx, kind)
	if err != nil {
		return false, err
	}
	return mapping.Scope.Name() == meta.RESTScopeNameNamespace, nil
}

func unserved(kind schema.GroupVersionKind) error {
	return fmt.Errorf("%s of %s: %w", kind.Kind, kind.GroupVersion(), policy.ErrUnknownKind)
}
