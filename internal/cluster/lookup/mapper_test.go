package lookup

import (
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// mapper counts how often it is asked.
type mapper struct {
	*meta.DefaultRESTMapper
	mu    sync.Mutex
	asked int
}

func (m *mapper) RESTMapping(kind schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked++
	return m.DefaultRESTMapper.RESTMapping(kind, versions...)
}

// remembering is a mapper that repeats its first answer, as that of
// controller-runtime does.
type remembering struct {
	*mapper
	answer sync.Map
}

func (r *remembering) RESTMapping(kind schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	if answer, ok := r.answer.Load(kind); ok {
		return answer.(*meta.RESTMapping), nil
	}
	mapping, err := r.mapper.RESTMapping(kind, versions...)
	if err == nil {
		r.answer.Store(kind, mapping)
	}
	return mapping, err
}

// move has a kind come back as another resource.
func (m *mapper) move(kind schema.GroupVersionKind, plural string, scope meta.RESTScope) {
	m.mu.Lock()
	defer m.mu.Unlock()
	version := kind.GroupVersion()
	m.AddSpecific(kind, version.WithResource(plural), version.WithResource(plural), scope)
}

// serve begins to serve a kind.
func (m *mapper) serve(kind schema.GroupVersionKind) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Add(kind, meta.RESTScopeRoot)
}

func (m *mapper) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asked
}
