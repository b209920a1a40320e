package plan

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// finish sets what follows from the nodes: fills, indexes and keys.
func (b *builder) finish() {
	b.problems.deferred = append(b.problems.deferred, b.out.setFollows)
	b.checkPrivate()
	b.problems.last = append(b.problems.last, b.out.setFades)
	var keys [2][]keyNodes
	for _, side := range [...]Side{Spoke, Hub} {
		for _, key := range b.keys {
			at, there := b.find(side, key[side]), b.find(side.Other(), key[side.Other()])
			if len(key[side]) > 0 && at != None { // else what is wrong with it has been reported
				keys[side] = append(keys[side], keyNodes{at, there})
			}
		}
	}
	b.out.finish(keys)
}

// finish sets what follows from the nodes: fills, indexes and keys, which are those that rows name, beside those
// in names.
func (s *Scope) finish(keys [2][]keyNodes) {
	for _, side := range [...]Side{Spoke, Hub} {
		nodes := s.Nodes[side]
		for id := range nodes {
			n := &nodes[id]
			switch {
			case n.fillsDefault(s.Nodes[side.Other()]):
				n.Fill, n.FillIsDefault = n.Schema.Default, true
			case s.requiredForConstant(side, int32(id)):
				n.Fill, n.ForConstant = []byte("{}"), true
			default:
				s.keepsAround(side, int32(id))
			}
			if n.Kind == Name {
				s.Named[side] = append(s.Named[side], int32(id))
			}
			if n.Kind == Container && n.Parent != None && n.Schema.Default != nil && n.Schema.Default[0] == '{' {
				s.setImplied(side, int32(id))
			}
			n.Completes = n.Kind == Operand && n.Row != None && s.Rows[n.Row].makes() && n.Schema.DefaultsInside()
			if n.Kind == Fixed {
				s.Fixed = append(s.Fixed, int32(id))
				continue
			}
			if n.Fill != nil {
				s.Fills[side] = append(s.Fills[side], int32(id))
				n.Filled = schema.Complete(nil, n.Fill, n.Schema)
			}
			if n.Fill == nil && n.Kind == Container && n.Schema.Default != nil {
				s.Fills[side] = append(s.Fills[side], int32(id))
				n.Filled, n.FillsValue = schema.Complete(nil, n.Schema.Default, n.Schema), true
			}
			if n.ForConstant {
				n.Filled = n.Fill // what is inside is filled in by itself, or kept away
			}
			if len(n.Children) > many {
				n.index = make(map[string]int32, len(n.Children))
				for _, c := range n.Children {
					n.index[nodes[c].Name] = c
				}
			}
		}
		var all []keyNodes
		for _, id := range s.Named[side] {
			all = append(all, keyNodes{at: id, there: None})
		}
		if all = append(all, keys[side]...); len(all) > 0 {
			s.setKeys(side, all)
			s.Keys[side].Partial = s.Named[side] != nil
		}
	}
}

// setImplied notes a container whose default, or that of its twin, says more than the
// defaults of its members, or where absence stands for an object in one version alone.
func (s *Scope) setImplied(side Side, id int32) {
	n := &s.Nodes[side][id]
	more := n.Schema.ImpliesMore()
	if more && n.Twin == None {
		s.Wholes[side] = append(s.Wholes[side], id)
	}
	twin := func() *schema.Schema { return s.Nodes[side.Other()][n.Twin].Schema }
	if more || n.Twin != None && (twin().ImpliesMore() || !twin().ImpliesObject()) {
		p := &s.Nodes[side][n.Parent]
		p.Implied = append(p.Implied, id)
	}
}

// setFollows finds the containers that may come and go with what rows make in them.
// What absence stands for in them may be said by the table of any version.
func (s *Scope) setFollows() {
	first := int32(1)
	if len(s.Nodes[Spoke]) > 1 && s.Nodes[Spoke][first].Kind == APIVersion {
		first = Annotations + 1 // metadata is there for more than rows
	}
	for id := first; id < int32(len(s.Nodes[Spoke])); id++ {
		n := &s.Nodes[Spoke][id]
		if n.Kind != Container || n.Twin == None || first > Metadata && n.Parent == Metadata {
			continue
		}
		twin := &s.Nodes[Hub][n.Twin]
		follows := !s.speaks(Spoke, id) && !s.speaks(Hub, n.Twin)
		n.Follows = follows && !s.isRequired(Spoke, id)
		twin.Follows = follows && !s.isRequired(Hub, n.Twin)
	}
}

// speaks reports whether the presence of a container says more than that it is there.
func (s *Scope) speaks(side Side, id int32) bool {
	return s.Nodes[side][id].Schema.Speaks() || s.fills(side, id)
}

// isRequired reports whether a version requires a container in what is around it. The
// other may have nothing to show for it all the same.
func (s *Scope) isRequired(side Side, id int32) bool {
	n := &s.Nodes[side][id]
	return s.Nodes[side][n.Parent].Schema.Requires(n.Name)
}

// fills reports whether a constant is filled in within a container.
func (s *Scope) fills(side Side, id int32) bool {
	n := &s.Nodes[side][id]
	return n.Fill != nil || slices.ContainsFunc(n.Children, func(child int32) bool { return s.fills(side, child) })
}

// requiredForConstant reports whether a container that only one version has must be made
// for a constant in it: the schema requires it in what is around it.
func (s *Scope) requiredForConstant(side Side, id int32) bool {
	nodes := s.Nodes[side]
	n := &nodes[id]
	if n.Kind != Container || n.Twin != None || n.Parent == None || !nodes[n.Parent].Schema.Requires(n.Name) {
		return false
	}
	return slices.ContainsFunc(n.Children, func(child int32) bool {
		c := &nodes[child]
		return c.Kind == Keep && c.Fill != nil && !c.FillIsDefault || s.requiredForConstant(side, child)
	})
}

// makes reports whether a row makes values rather than moving them.
func (r *Row) makes() bool { return r.Kind == Map || r.Kind == Compute }

// fillsDefault reports whether conversion itself writes the default of a place.
// Where twins have the same default, absence on both sides is as good: see FillsValue.
func (n *Node) fillsDefault(twins []Node) bool {
	if n.Schema.Default == nil {
		return false
	}
	switch n.Kind {
	case Operand:
		return true
	case Container:
		return n.Twin == None || !bytes.Equal(n.Schema.Default, twins[n.Twin].Schema.Default)
	}
	return false
}
