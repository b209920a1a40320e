package plan

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// Keys are the places whose values tell elements of a list apart, on one side.
type Keys struct {
	Nodes []int32
	// Around is the text of an element with nothing but its keys: what stands before
	// each of their values, and behind the last.
	Around [][]byte
	// There are the nodes of the other side that have the values, be they other ones.
	There []int32
	// Translated says that rows make another value of some of them.
	Translated bool
	// Partial says that some may be missing: they are fields of the element that make a
	// name in a map.
	Partial bool
}

// keyNodes are the nodes of a key on one side and the other.
type keyNodes struct{ at, there int32 }

// setKeys sets the keys of one side. What several of them are in is one object in the
// text, so that they go by their places.
func (s *Scope) setKeys(side Side, of []keyNodes) {
	nodes, keys := s.Nodes[side], Keys{}
	ways := make([][]int32, len(of)) // the nodes that lead to each
	for i, key := range of {
		for id := key.at; nodes[id].Parent != None; id = nodes[id].Parent {
			ways[i] = append(ways[i], id)
		}
		slices.Reverse(ways[i])
		row := nodes[key.at].Row
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
		there := of[slices.IndexFunc(of, func(key keyNodes) bool { return key.at == at })].there
		keys.Nodes, keys.There, keys.Around = append(keys.Nodes, at), append(keys.There, there), append(keys.Around, text)
		before = way
	}
	keys.Around = append(keys.Around, bytes.Repeat([]byte{'}'}, len(before)))
	s.Keys[side] = keys
}

// reachKeys lets rows that move an object as a whole look into it where it holds a key
// that the author names: its elements are told apart by a place of its own.
func (b *builder) reachKeys(list *listKeys, claims [2]*claim, schemas [2]*schema.Schema) {
	for _, text := range list.all() {
		key, err := keyPath(text)
		if err != nil || len(key) < 2 || schemas[Spoke].At(key) == nil {
			continue // findKeys says so
		}
		w, depth := claims[Spoke].innermost(key)
		if w == nil || depth == 0 || depth == len(key) || w.mapping != nil || w.Default != nil || w.Sensitive || len(w.paths[Hub]) != 1 || len(w.paths[Hub][0]) == 0 {
			continue
		}
		there := slices.Concat(w.paths[Hub][0], key[depth:])
		if schemas[Hub].At(there) != nil {
			watchKeys([2][]path.Path{{key}, {there}}, claims)
		}
	}
}

// watchKeys makes places of their own of keys.
func watchKeys(keys [2][]path.Path, claims [2]*claim) {
	for side := range keys {
		for _, key := range keys[side] {
			claims[side].at(key).watched = true
		}
	}
}
