package engine

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// identity is what tells an element from the others of its list.
type identity struct {
	key, content []byte
	// nth is how many elements with the same content are before it.
	nth int
	// there is key with the values that the other side has instead, where rows may make
	// others.
	there []byte
	// live is the hash of the element as the other side has it, but for what leftOut
	// names.
	live, leftOut []byte
	// ambiguous says that another element has the same key, on either side.
	ambiguous bool
	// addressed says of the first element that the keys of all elements of the list are
	// set.
	addressed bool
}

// identity returns what is known to tell an element apart, which may be nothing.
func (c *conversion) identity(e int32) identity {
	if of := c.frames[e].identity; of != nil {
		return *of
	}
	return identity{}
}

// identify returns what tells an element apart, to be written.
func (c *conversion) identify(e int32) *identity {
	fr := c.frames[e]
	if fr.identity == nil {
		fr.identity = new(identity)
	}
	return fr.identity
}

// setKeys sets the keys of all elements of a list, as far as they have any: one that
// the other side has nothing of is none.
func (c *conversion) setKeys(first int32) {
	c.identify(first).addressed = true
	seen, there := map[string]int32{}, map[string]int32{}
	for e := first; e != none; e = c.frames[e].next {
		c.caller.Work(1)
		if c.frames[e].mate == none {
			continue // it is kept as a whole
		}
		key, other := c.keyOf(e), []byte(nil)
		fr := c.frames[e]
		translated := fr.scope.Keys[fr.side].Translated
		if translated {
			other = c.keyThere(e)
			c.see(there, other, e)
		}
		c.see(seen, key, e)
		of := c.identify(e)
		if of.there = other; !translated || other != nil {
			of.key = key
		}
	}
}

// see notes that an element has a key, if it has one, and whether another one has it, too.
func (c *conversion) see(seen map[string]int32, key []byte, e int32) {
	if key == nil {
		return
	}
	if twin, ok := seen[string(key)]; ok {
		c.identify(twin).ambiguous, c.identify(e).ambiguous = true, true
		return
	}
	seen[string(key)] = e
}

// keyOf is the canonical JSON of an element's key, nil if it has none.
func (c *conversion) keyOf(e int32) []byte {
	fr := c.frames[e]
	keys := &fr.scope.Keys[fr.side]
	return c.keyAt(e, keys.Nodes, keys)
}

// keyThere is keyOf with the values that the other side has.
func (c *conversion) keyThere(e int32) []byte {
	fr := c.frames[e]
	return c.keyAt(fr.mate, fr.scope.Keys[fr.side].There, &fr.scope.Keys[fr.side])
}

// keyOfMate is what keyThere has found; where rows make no other value, it is the key.
func (c *conversion) keyOfMate(e int32) []byte {
	fr := c.frames[e]
	if fr.scope.Keys[fr.side].Translated {
		return c.identity(e).there
	}
	return c.identity(e).key
}

// keyAt is a key with the values that these nodes of e have, nil if one has none that
// must not be missing.
func (c *conversion) keyAt(e int32, nodes []int32, keys *plan.Keys) []byte {
	var text []byte
	for i, id := range nodes {
		value := c.norm(e, id)
		if value == nil || bytes.IndexByte([]byte("{[n"), value[0]) >= 0 {
			if keys.Partial {
				continue
			}
			return nil
		}
		around := keys.Around[i]
		if text == nil {
			text, around = append(text, '{'), around[1:]
		}
		text = append(append(text, around...), value...)
	}
	if text == nil {
		return nil
	}
	return c.texts().Canonical(nil, append(text, keys.Around[len(nodes)]...), nil)
}

// elementByKey finds the element of a list that has a key. Where rows make another value
// of it, what the other version has says more than what they make of that: they may be
// other rows than those of before, and may make one value of two.
func (c *conversion) elementByKey(first int32, list []stash.Step, s stash.Step) int32 {
	fr := c.frames[first]
	if fr.scope.Keys[fr.side].Translated {
		if e := c.unspoken(first, list, s, thereIndex, s.KeyThere()); e != none {
			return e
		}
	} else if s.There == nil {
		return c.unspoken(first, list, s, "", s.Key)
	} else if e := c.unspoken(first, list, s, "", s.There); e != none {
		return e
	}
	if e := c.unspoken(first, list, s, "", s.Key); e != none && !c.isKeyOf(list, e) {
		return e
	}
	return none
}

// thereIndex stands in an index before keys with the values of the other side.
const thereIndex = "there "

// unspoken is the first element of a list that has a key, in an index with this before its
// keys, and to which no address leads by content.
func (c *conversion) unspoken(first int32, list []stash.Step, s stash.Step, before string, key []byte) int32 {
	index, at := c.indexes[first], before+string(key)
	e, ok := index[at]
	if !ok {
		return none
	}
	for e != none && c.spokenFor(list, e, s) {
		e = c.nextWith(first, e, before == thereIndex)
		index[at] = e // many entries may ask for it
	}
	return e
}

// nextWith is the next element of a list with the same key as e, be it with the values of
// the other side; none if there is none. Those come first that have it themselves, and
// behind them those by a default.
func (c *conversion) nextWith(first, e int32, there bool) int32 {
	if !c.identity(e).ambiguous {
		return none
	}
	keyOf := func(e int32) []byte {
		if there {
			return c.keyOfMate(e)
		}
		return c.identity(e).key
	}
	key, has := keyOf(e), c.hasKey(e, there)
	next := func(e int32, has bool) int32 {
		for e != none && (!bytes.Equal(keyOf(e), key) || c.hasKey(e, there) != has) {
			e = c.frames[e].next
		}
		return e
	}
	if found := next(c.frames[e].next, has); found != none || !has {
		return found
	}
	return next(first, false)
}

// hasKey reports whether an element with a key, or its counterpart, has all of it itself.
func (c *conversion) hasKey(e int32, there bool) bool {
	f, side := e, c.frames[e].side
	nodes := c.frames[e].scope.Keys[side].Nodes
	if there {
		f, nodes = c.frames[e].mate, c.frames[e].scope.Keys[side].There
	}
	return !slices.ContainsFunc(nodes, func(id int32) bool { return !c.peek(f, id).present() })
}
