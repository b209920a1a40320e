package engine

import "github.com/crosswalk-dev/crosswalk/conversion/internal/stash"

// Elements that are equal in the stash's version are told apart by how many equal
// ones come before them. Once somebody has put one between them, or has edited one,
// that count may lead to an element that another address names by what the other
// version has of it. Both would then be given to one element.

// spokenOf is an element as an address names it: the way to its list, and what the
// other version has of it; nothing stands for any element of the list.
type spokenOf struct {
	list trail
	live string
}

// spokenFor reports whether an address of another element leads to e, an element of
// this list: by what the other version has of it, and so before one that only counts,
// and before one with a key, which e has here by a default alone.
func (c *conversion) spokenFor(list []stash.Step, e int32, s stash.Step) bool {
	live := c.identity(e).live
	if s.Live == nil && s.Key == nil || live == nil {
		return false
	}
	return c.isSpokenFor(list, string(live))
}

// spokenForAny reports whether some address leads to an element of a list by what the other
// version has of it.
func (c *conversion) spokenForAny(list []stash.Step) bool { return c.isSpokenFor(list, "") }

func (c *conversion) isSpokenFor(list []stash.Step, live string) bool {
	if c.lives == nil {
		c.lives = map[spokenOf]struct{}{}
		for i := range c.incoming {
			c.addLives(&c.incoming[i])
		}
	}
	to := trail(0)
	for _, s := range list {
		to = to.on(s)
	}
	_, spoken := c.lives[spokenOf{to, live}]
	return spoken
}

// isKeyOf reports whether an address of another element leads to e by the key that the
// other version has of it.
func (c *conversion) isKeyOf(list []stash.Step, e int32) bool {
	return c.isSpokenFor(list, thereIndex+string(c.keyOfMate(e)))
}

// addLives notes the elements that an entry names by what the other version has of them.
func (c *conversion) addLives(e *stash.Entry) {
	add := func(list trail, s stash.Step) {
		if live, _ := s.Counted(); live != nil {
			c.lives[spokenOf{list, string(live)}] = struct{}{}
			c.lives[spokenOf{list, ""}] = struct{}{}
		}
		if s.Key != nil {
			c.lives[spokenOf{list, thereIndex + string(s.KeyThere())}] = struct{}{}
		}
	}
	to := trail(0)
	for _, s := range e.At {
		add(to, s)
		to = to.on(s)
	}
	for _, item := range e.Order {
		if list := to; item.Part == nil {
			add(list, item.Step)
		} else {
			add(list.on(stash.Step{Part: item.Part}), item.Step)
		}
	}
}

// inPart is the address of a part of a list.
func inPart(list []stash.Step, part []byte) []stash.Step {
	return append(list[:len(list):len(list)], stash.Step{Part: part})
}

// trail condenses the steps of an address: a stash may have many long ones. Who makes
// two alike makes one of his own entries void.
type trail uint64

// on is the trail one step further, by FNV-1a
// (https://datatracker.ietf.org/doc/draft-eastlake-fnv/).
func (w trail) on(s stash.Step) trail {
	const prime = 1099511628211
	for _, text := range [...][]byte{s.Name, s.Key, s.Content, s.Part} {
		for _, b := range text {
			w = (w ^ trail(b)) * prime
		}
		w = (w ^ trail(len(text)+256)) * prime
	}
	return (w ^ trail(s.Nth)) * prime
}
