package policy

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// findReads finds what each rule reads, variables included.
func (p *Policy) findReads() {
	known := map[string]*reads{}
	of := func(name string) *reads { return known[name] }
	for _, l := range p.lookups {
		all := new(reads)
		for _, x := range l.expressions() {
			if x.broken == nil {
				all.add(readsOf(x.checked, of))
			}
		}
		known[lookupsVarName+"."+l.name] = all
	}
	for _, v := range p.variables {
		if v.broken == nil {
			known[variableSize+v.name] = readsOf(v.checked, of)
		}
	}
	for _, c := range p.conditions {
		if c.broken == nil {
			c.reads = readsOf(c.checked, of)
		}
	}
	for _, r := range p.rules {
		if r.broken == nil {
			r.reads = readsOf(r.checked, of)
		}
	}
}

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
	for _, path := range r.object {
		if !samePlace(path, object, old) {
			return false
		}
	}
	return true
}

func samePlace(path fieldPath, object, old ref.Val) bool {
	is, found := path.in(object)
	was, before := path.in(old)
	if !found || !before {
		return found == before
	}
	return types.Equal(is, was) == types.True
}
