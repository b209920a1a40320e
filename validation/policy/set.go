package policy

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
	admissionv1 "k8s.io/api/admission/v1"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// Set holds the policies of one phase that are in force, by name. A request uses the same ones
// from beginning to end. It is safe for concurrent use, and a [validation.Collection].
type Set struct {
	cluster Cluster
	ask     func(policies ...*Policy) validation.Reviewer
	current atomic.Pointer[map[string]*Policy]
}

var _ validation.Collection = (*Set)(nil)

// NewValidationSet returns an empty set of validation policies. Before the first Replace, every
// review fails. observe receives the opinion of every policy for every request that it matches;
// it may be nil.
func NewValidationSet(cluster Cluster, observe Observe) *Set {
	cluster.turns = semaphore.NewWeighted(mostLive)
	return &Set{cluster: cluster, ask: func(policies ...*Policy) validation.Reviewer { return validations(cluster, observe, policies) }}
}

// NewMutationSet is the same for mutations.
func NewMutationSet(cluster Cluster, observe Observe) *Set {
	cluster.turns = semaphore.NewWeighted(mostLive)
	return &Set{cluster: cluster, ask: func(policies ...*Policy) validation.Reviewer { return mutations(cluster, observe, policies) }}
}

// Replace puts these policies into force, and no others. If two have the same name, it fails
// and changes nothing.
func (s *Set) Replace(policies ...*Policy) error {
	next := make(map[string]*Policy, len(policies))
	for _, p := range policies {
		if other := next[p.name]; other != nil {
			return fmt.Errorf("%v and %v have the same name: rename one of them", other, p)
		}
		next[p.name] = p
	}
	s.current.Store(&next)
	return nil
}

// Review implements [validation.Reviewer]: it evaluates all policies, in the order of their
// names.
func (s *Set) Review(ctx context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
	current := s.current.Load()
	if current == nil {
		return nil, errNotRead
	}
	return s.Only(slices.Sorted(maps.Keys(*current))).Review(ctx, request)
}

var errNotRead = fmt.Errorf("%w: the policies have not been read yet", validation.ErrNotReady)

// Only implements [validation.Collection].
func (s *Set) Only(names []string) validation.Reviewer {
	current := s.current.Load()
	if current == nil {
		return validation.ReviewerFunc(func(context.Context, *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
			return nil, errNotRead
		})
	}
	policies := make([]*Policy, 0, len(names))
	for _, name := range names {
		if p := (*current)[name]; p != nil {
			policies = append(policies, p)
		}
	}
	return s.ask(policies...)
}

// Fingerprint implements [validation.Collection].
func (s *Set) Fingerprint(name string) (fingerprint string, found bool) {
	current := s.current.Load()
	if current == nil {
		return "", false
	}
	p := (*current)[name]
	if p == nil {
		return "", false
	}
	return p.fingerprint, true
}

// Lacks implements [validation.Collection].
func (s *Set) Lacks(ctx context.Context, name string) ([]string, error) {
	current := s.current.Load()
	if current == nil || (*current)[name] == nil {
		return nil, nil
	}
	return (*current)[name].lacks(ctx, s.cluster)
}
