package plan

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// finish sets what follows from the nodes: fills, indexes and keys.
func (b *builder) finish() {
	s := b.out
	for _, side := range [...]Side{Spoke, Hub} {
		nodes := s.Nodes[side]
		for id := range nodes {
			n := &nodes[id]
			switch {
			case n.fillsDefault(s.Nodes[side.Other()]):
				n.Fill, n.FillIsDefault = n.Schema.Default, true
			case s.requiredForConstant(side, int32(id)):
				n.Fill, n.ForConstant = []byte("{}"), true
			}
			if n.Kind == Name {
				s.Name[side] = int32(id)
				s.Keys[side] = []int32{int32(id)}
			}
			if n.Kind == Container && n.Parent != None && n.Schema.ImpliesMore() {
				p := &nodes[n.Parent]
				p.Implied = append(p.Implied, int32(id))
				if n.Twin == None {
					s.Wholes[side] = append(s.Wholes[side], int32(id))
				}
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
		for _, key := range b.keys[side] {
			if id := s.Child(side, 0, []byte(key)); id != None {
				s.Keys[side] = append(s.Keys[side], id)
			}
		}
	}
}

// requiredForConstant says whether a container that only one version has must be made
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

// makes says whether a row makes values rather than moving them.
func (r *Row) makes() bool { return r.Kind == Map || r.Kind == Compute }

// fillsDefault says whether conversion itself writes the default of a place.
// Where twins have the same default, absence on both sides is as good.
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
