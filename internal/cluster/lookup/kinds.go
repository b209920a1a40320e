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

// unknownFor is for how long an unknown kind is not looked up again.
const unknownFor = 5 * time.Second

// kinds maps kinds to resources, and remembers unknown kinds for a while.
type kinds struct {
	// newMapper makes an empty mapper. A mapper never forgets what it has found, and a CRD may
	// be created again with another name or scope.
	newMapper func() (meta.RESTMapper, error)
	now       func() time.Time

	asking  singleflight.Group
	mu      sync.Mutex
	mapper  meta.RESTMapper // nil before the first use, and after a kind was forgotten
	known   map[schema.GroupVersionKind]*meta.RESTMapping
	unknown map[schema.GroupVersionKind]time.Time
}

func newKinds(newMapper func() (meta.RESTMapper, error), now func() time.Time) *kinds {
	return &kinds{
		newMapper: newMapper, now: now,
		known: map[schema.GroupVersionKind]*meta.RESTMapping{}, unknown: map[schema.GroupVersionKind]time.Time{},
	}
}

// resource returns the resource of a kind. The error wraps policy.ErrUnknownKind if there is
// none.
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
	// A mapper may take long. All callers that wait share one result, which does not end with
	// one of them.
	asked := k.asking.DoChan(kind.String(), func() (any, error) { return k.learn(kind) })
	select {
	case result := <-asked:
		mapping, _ := result.Val.(*meta.RESTMapping)
		return mapping, result.Err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// learn finds the resource of a kind, and remembers it.
func (k *kinds) learn(kind schema.GroupVersionKind) (*meta.RESTMapping, error) {
	mapping, err := k.ask(kind)
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case meta.IsNoMatchError(err):
		k.unknown[kind] = k.now()
		return nil, unserved(kind)
	case err != nil:
		return nil, fmt.Errorf("finding the resource of the kind %s of %s: %w", kind.Kind, kind.GroupVersion(), err)
	}
	delete(k.unknown, kind)
	k.known[kind] = mapping
	return mapping, nil
}

// ask asks the API server. It must not be called with the lock held.
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

// forget lets a kind be looked up again: its CRD may have been deleted, or replaced.
func (k *kinds) forget(kind schema.GroupVersionKind) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.known, kind)
	k.mapper = nil
}

// outdated reports whether a kind has another resource now, and forgets the old one. If the API
// server does not answer, nothing changes.
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
