package compile

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// pairWithNone decides about a field that only one version has, or that has no counterpart because a row
// of the other version claims its name.
func (b *builder) pairWithNone(side plan.Side, parent int32, name string, c *claim, s *schema.Schema) {
	if s == nil {
		// The schema lacks it, so pruning removes it. If it arrives all the same, it must not be
		// taken for the other version's field.
		b.node(side, parent, name, plan.Keep, schema.Any())
		return
	}
	if !c.leads() {
		id := b.node(side, parent, name, plan.Keep, s)
		n := &b.out.Nodes[side][id]
		n.Fill, n.FillIsDefault = s.Default, s.Default != nil
		// The parts of a list share the fields of its elements.
		at := Private{Path: b.pathOf(side, id).String(), Row: b.rowIn(b.rowFor(side, id, ""))}
		if side == plan.Spoke && !slices.ContainsFunc(b.found.private, func(o Private) bool { return o.Path == at.Path }) {
			b.found.private = append(b.found.private, at)
		}
		if p := &b.out.Nodes[side][parent]; p.Schema.Requires(name) && s.Default == nil && !b.isRefused(side, b.within(side, id)) {
			at := b.pathOf(side, id)
			b.plain("map it to the field that "+b.versions[side.Other()]+" has for it: "+b.rowIn(b.rowFor(side, id, ", "+side.Other().String()+": ..."))+b.candidates(side.Other(), s)+"; or, only if it is the same for every object of "+b.versions[side.Other()]+", use a constant: "+b.rowIn(b.rowFor(side, id, ", constant: ...")),
				"the %s schema requires %s, but objects of %s have no value for it", b.versions[side], at, b.versions[side.Other()])
		}
		return
	}
	id := b.node(side, parent, name, plan.Container, s)
	b.out.Nodes[side][id].KeepUnknown = true
	b.keepInside(side, id, c)
}

// keepInside decides about the fields in a container that only one version has.
func (b *builder) keepInside(side plan.Side, id int32, c *claim) {
	s := b.out.Nodes[side][id].Schema
	names := c.names(nil)
	for name := range s.Members {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		inner := c.member(name)
		if inner.claimed() {
			b.placeNode(side, id, name, inner, s.Member(name))
			continue
		}
		b.pairWithNone(side, id, name, inner, s.Member(name))
	}
}
