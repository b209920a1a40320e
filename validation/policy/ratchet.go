package policy

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// spares reports that a rule need not be evaluated: the policy ratchets, this is an update, the
// policy matched the old object, and nothing that the rule reads of the object has changed. So
// the result of the rule would be the same as before. A rule that reads the writer, or the old
// object, is about the request and is always evaluated.
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

// appliedBefore reports that the policy would also have matched the old object. Conditions may
// read the writer, but the object does not record who wrote it before.
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

// same reports whether both values are equal in what is read of them. If a place is missing in
// both, it must be missing for the same reason: has(spec.host) is false without the host, and
// fails without the spec.
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
