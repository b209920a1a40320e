package plan

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// Finish sets what follows from the nodes and the rows: fills, indexes and keys. The keys are those that rows
// name. Nodes of kind Name are keys, too.
func (s *Scope) Finish(keys [2][]KeyNodes) {
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
				s.fillFromAround(side, int32(id))
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
				n.Filled = n.Fill // the nodes inside have fills of their own
			}
			if len(n.Children) > many {
				n.index = make(map[string]int32, len(n.Children))
				for _, c := range n.Children {
					n.index[nodes[c].Name] = c
				}
			}
		}
		var all []KeyNodes
		for _, id := range s.Named[side] {
			all = append(all, KeyNodes{At: id, There: None})
		}
		if all = append(all, keys[side]...); len(all) > 0 {
			s.setKeys(side, all)
			s.Keys[side].Partial = s.Named[side] != nil
		}
	}
}

// setImplied sets Wholes and Implied for a container that a default makes, if its twin may not be what
// the other version's default makes: because the default of either is more than the defaults of its
// members, because only one of the two has a default, or because a row's default gives a value to an
// absent field inside.
func (s *Scope) setImplied(side Side, id int32) {
	n := &s.Nodes[side][id]
	more := n.Schema.ImpliesMore()
	if more && n.Twin == None {
		s.Wholes[side] = append(s.Wholes[side], id)
	}
	twin := func() *schema.Schema { return s.Nodes[side.Other()][n.Twin].Schema }
	if more || n.Twin != None && (twin().ImpliesMore() || !twin().ImpliesObject() || n.Schema.HasRowDefaultInside() || twin().HasRowDefaultInside()) {
		p := &s.Nodes[side][n.Parent]
		p.Implied = append(p.Implied, id)
	}
}

// SetFollows sets Follows of the containers. It must be called once the tables of all versions have been
// compiled, because the table of any version may say what absence means in a container.
func (s *Scope) SetFollows() {
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

// speaks reports whether an object is not the same as none for what the schema or a constant has inside.
func (s *Scope) speaks(side Side, id int32) bool {
	return s.Nodes[side][id].Schema.Speaks() || s.fills(side, id)
}

// isRequired reports whether the object around a container requires it.
func (s *Scope) isRequired(side Side, id int32) bool {
	n := &s.Nodes[side][id]
	return s.Nodes[side][n.Parent].Schema.Requires(n.Name)
}

// fills reports whether a container has a Fill, or something inside of it has.
func (s *Scope) fills(side Side, id int32) bool {
	n := &s.Nodes[side][id]
	return n.Fill != nil || slices.ContainsFunc(n.Children, func(child int32) bool { return s.fills(side, child) })
}

// requiredForConstant reports whether a container that only one version has must be made
// for a constant in it, because the object around it requires it.
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

// makes reports whether a row computes values instead of moving them.
func (r *Row) makes() bool { return r.Kind == Map || r.Kind == Compute }

// fillsDefault reports whether a conversion writes the default of a field itself. If twins have the same
// default, both may stay absent: see FillsValue.
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
