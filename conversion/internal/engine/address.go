package engine

import (
	"bytes"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// address says which element a step of the source leads to.
func (c *conversion) address(s step) stash.Step {
	if name := c.frames[s.element].name; name != nil {
		return stash.Step{Name: unquote(name[1 : len(name)-1])}
	}
	if !c.frames[s.element].addressed {
		c.addressAll(s.frame, s.node, func(e int32) []byte {
			return c.produced(c.frames[e].mate)
		})
	}
	e := &c.frames[s.element]
	if e.key != nil && !e.ambiguous {
		return stash.Step{Key: e.key}
	}
	return stash.Step{Content: e.content, Nth: e.nth}
}

// produced is an element as the rows produce it: what its counterpart f gives
// without any stash. What some version's table drops from the hub is left out,
// since a trip to that version would change the element's address otherwise.
func (c *conversion) produced(f int32) []byte {
	if fr := &c.frames[f]; fr.side == plan.Hub && c.job.Plan.HubDrops {
		scope := fr.scope
		text := schema.WithoutDropped(nil, c.emit(nil, f, 0), scope.Nodes[plan.Hub][0].Schema)
		f = c.newFrame(scope, plan.Hub)
		c.readText(f, 0, text)
	}
	g := c.forward(f)
	c.settle(g)
	return c.emit(nil, g, 0)
}

// addressAll sets the key of each element of a list, or, where one has none of
// its own, its content and how many before it are equal.
func (c *conversion) addressAll(f, node int32, produce func(e int32) []byte) {
	first := c.at(f, node).first
	keyless := false
	seen := map[string]int32{}
	for e := first; e != none; e = c.frames[e].next {
		key := c.keyOf(e)
		c.frames[e].addressed = true
		c.frames[e].key = key
		if key == nil {
			keyless = true
		} else if twin, ok := seen[string(key)]; ok {
			c.frames[twin].ambiguous, c.frames[e].ambiguous, keyless = true, true, true
		} else {
			seen[string(key)] = e
		}
	}
	if !keyless {
		return
	}
	count := map[string]int{}
	for e := first; e != none; e = c.frames[e].next {
		text := produce(e)
		fr := &c.frames[e]
		fr.content = hash(schema.Content(nil, text, fr.scope.Nodes[fr.side][0].Schema))
		fr.nth = count[string(fr.content)]
		count[string(fr.content)]++
	}
}

// keyOf is the canonical JSON of an element's key, nil if it has none.
func (c *conversion) keyOf(e int32) []byte {
	fr := &c.frames[e]
	keys, nodes := fr.scope.Keys[fr.side], fr.scope.Nodes[fr.side]
	if len(keys) == 0 {
		return nil
	}
	text := []byte{'{'}
	for _, id := range keys {
		value := c.norm(e, id)
		if value == nil || bytes.IndexByte([]byte("{[n"), value[0]) >= 0 {
			return nil
		}
		text = comma(text, 1)
		text = append(text, nodes[id].Quoted...)
		text = append(text, value...)
	}
	return schema.Canonical(nil, append(text, '}'), nil)
}

// element finds the element of a list or map in the target that a step leads
// to, among the elements as the rows produced them.
func (c *conversion) element(g, node int32, s stash.Step) int32 {
	first := c.at(g, node).first
	if first == none || (s.Name != nil) != (c.frames[first].name != nil) {
		return none
	}
	index := c.indexes[first]
	if index == nil {
		index = c.index(g, node)
		if c.indexes == nil {
			c.indexes = map[int32]map[string]int32{}
		}
		c.indexes[first] = index
	}
	if e, ok := index[indexKey(s)]; ok {
		return e
	}
	return none
}

// index maps the addresses of the elements of a list or map to their frames.
func (c *conversion) index(g, node int32) map[string]int32 {
	first := c.at(g, node).first
	isMap := c.frames[first].name != nil
	if !isMap {
		c.addressAll(g, node, func(e int32) []byte {
			if c.job.Plan.HubDrops && c.frames[e].side == plan.Spoke {
				return c.produced(c.frames[e].mate)
			}
			return c.emit(nil, e, 0)
		})
	}
	index := map[string]int32{}
	for e := first; e != none; e = c.frames[e].next {
		fr := &c.frames[e]
		switch {
		case isMap:
			index[indexKey(stash.Step{Name: unquote(fr.name[1 : len(fr.name)-1])})] = e
		default:
			// Of several with one key, the first is the one that was there.
			if _, ok := index[string(fr.key)]; fr.key != nil && !ok {
				index[indexKey(stash.Step{Key: fr.key})] = e
			}
			if fr.content != nil {
				index[indexKey(stash.Step{Content: fr.content, Nth: fr.nth})] = e
			}
		}
	}
	return index
}

func indexKey(s stash.Step) string {
	switch {
	case s.Name != nil:
		return string(s.Name)
	case s.Key != nil:
		return string(s.Key)
	}
	return string(s.Content) + "#" + strconv.Itoa(s.Nth)
}

func unquote(inside []byte) []byte {
	return jsontext.Unquote([]byte{}, inside)
}
