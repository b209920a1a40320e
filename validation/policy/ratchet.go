package policy

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// spares says that a rule need not be judged: the policy ratchets, this is an
// update, the policy was about the object as it was, and nothing of the object that
// the rule reads has changed. Whatever the rule would say, it would have said before.
// A rule that reads who writes, or the old object, is about the request and is always
// judged.
func (p *Policy) spares(r *rule, s *subject) bool {
	if !p.ratchets || r.reads == nil || r.reads.change || len(r.reads.object) == 0 {
		return false
	}
	object, old := s.object.Root(), s.old.Root()
	if object == types.NullValue || old == types.NullValue {
		return false
	}
	return unchanged(r.reads, object, old) && p.appliedBefore(s, object, old)
}

// appliedBefore says that nothing in the object has brought the policy about. Who
// writes, as a condition may ask, is nothing that the object tells of before.
func (p *Policy) appliedBefore(s *subject, object, old ref.Val) bool {
	for _, c := range p.conditions {
		if c.reads == nil || !unchanged(c.reads, object, old) {
			return false
		}
	}
	return p.constraints.objects == nil || chooses(p.constraints.objects, s.old, s)
}

func unchanged(r *reads, object, old ref.Val) bool {
	for _, place := range r.object {
		if !place.same(object, old) {
			return false
		}
	}
	return true
}

// same reports whether both values are alike in what is read of them. Where a place is
// missing in both, it must be missing for the same reason: has(spec.host) is false
// without the host, and fails without the spec.
func (r read) same(object, old ref.Val) bool {
	for _, name := range r.path {
		is, ok := object.(traits.Mapper)
		was, before := old.(traits.Mapper)
		if !ok || !before {
			return ok == before
		}
		object, ok = is.Find(types.String(name))
		old, before = was.Find(types.String(name))
		if !ok || !before {
			return ok == before
		}
	}
	return r.presence || types.Equal(object, old) == types.True
}
