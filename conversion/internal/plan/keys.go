package plan

import (
	"bytes"
	"slices"
)

// Keys are the fields of one side that identify an element of a list.
type Keys struct {
	Nodes []int32
	// Around is the text of an element that has only its keys: what is before each of their values, and
	// after the last.
	Around [][]byte
	// There are the nodes of the other side from which the values come.
	There []int32
	// Translated says that a row maps some key to another value.
	Translated bool
	// Partial says that some may be missing, because they make the key of a map together.
	Partial bool
}

// KeyNodes are the nodes of a key on the side of the list, and on the other side.
type KeyNodes struct{ At, There int32 }

// setKeys sets the keys of one side. Keys in the same object must be together in Around, so it sorts them by
// their nodes.
func (s *Scope) setKeys(side Side, of []KeyNodes) {
	nodes, keys := s.Nodes[side], Keys{}
	ways := make([][]int32, len(of)) // the nodes that lead to each
	for i, key := range of {
		for id := key.At; nodes[id].Parent != None; id = nodes[id].Parent {
			ways[i] = append(ways[i], id)
		}
		slices.Reverse(ways[i])
		row := nodes[key.At].Row
		keys.Translated = keys.Translated || row != None && s.Rows[row].Kind == Map
	}
	slices.SortFunc(ways, slices.Compare)
	var before []int32
	for _, way := range ways {
		shared := 0
		for shared < len(before) && before[shared] == way[shared] {
			shared++
		}
		text := []byte{'{'}
		if before != nil {
			text = append(bytes.Repeat([]byte{'}'}, len(before)-1-shared), ',')
		}
		for i, id := range way[shared:] {
			if i > 0 {
				text = append(text, '{')
			}
			text = append(text, nodes[id].Quoted...)
		}
		at := way[len(way)-1]
		there := of[slices.IndexFunc(of, func(key KeyNodes) bool { return key.At == at })].There
		keys.Nodes, keys.There, keys.Around = append(keys.Nodes, at), append(keys.There, there), append(keys.Around, text)
		before = way
	}
	keys.Around = append(keys.Around, bytes.Repeat([]byte{'}'}, len(before)))
	s.Keys[side] = keys
}
