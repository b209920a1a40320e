package lookup

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// unknownFor is for how long a kind that is not served is not asked about again.
const unknownFor = 5 * time.Second

// kinds knows which resource a kind is, and remembers for a while which are none.
type kinds struct {
	mapper meta.RESTMapper
	now    func() time.Time

	mu      sync.Mutex
	known   map[schema.GroupVersionKind]*meta.RESTMapping
	unknown map[schema.GroupVersionKind]time.Time
}

func newKinds(mapper meta.RESTMapper, now func() time.Time) *kinds {
	return &kinds{
		mapper: mapper, now: now,
		known: map[schema.GroupVersionKind]*meta.RESTMapping{}, unknown: map[schema.GroupVersionKind]time.Time{},
	}
}

// resource gives the resource of a kind. The error wraps policy.ErrUnknownKind
// where there is none.
func (k *kinds) resource(_ context.Context, kind schema.GroupVersionKind) (*meta.RESTMapping, error) {
	k.mu.Lock()
	mapping, since := k.known[kind], k.unknown[kind]
	k.mu.Unlock()
	if mapping != nil {
		return mapping, nil
	}
	if k.now().Sub(since) < unknownFor {
		return nil, unserved(kind)
	}
	// Not under the lock: it asks the API server.
	mapping, err := k.mapper.RESTMapping(kind.GroupKind(), kind.Version)
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

// forget has a kind asked about again: its CRD may be gone, or another.
func (k *kinds) forget(kind schema.GroupVersionKind) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.known, kind)
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
