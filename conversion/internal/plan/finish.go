package plan

import (
	"bytes"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// finish sets what follows from the nodes: fills, indexes and keys.
func (b *builder) finish() {
	s := b.out
	for _, side := range [...]Side{Spoke, Hub} {
		nodes := s.Nodes[side]
		for id := range nodes {
			n := &nodes[id]
			if n.fillsDefault(s.Nodes[side.Other()]) {
				n.Fill, n.FillIsDefault = n.Schema.Default, true
			}
			if n.Kind == Name {
				s.Name[side] = int32(id)
				s.Keys[side] = []int32{int32(id)}
			}
			if n.Kind == Fixed {
				s.Fixed = append(s.Fixed, int32(id))
				continue
			}
			if n.Fill != nil {
				s.Fills[side] = append(s.Fills[side], int32(id))
				n.Filled = schema.Complete(nil, n.Fill, n.Schema)
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
