package engine

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/graft"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// earlierSpot is a spot, or the way on from one that the plan looks no further
// into.
type earlierSpot struct {
	spot
	rest []stash.Step
	// in is where that leads, nil where it is not looked for.
	in *graft.Tree
	// filled says that an order alone made the list that stands there, of whole elements.
	filled bool
	// items are where those lead that an order names, nil as in.
	items []*graft.Tree
}

// locateEarlier is locate for an entry that another table wrote.
func (c *conversion) locateEarlier(g int32, at []stash.Step) earlierSpot {
	nowhere := earlierSpot{spot: spot{frame: none}}
	node := int32(0)
	for i, s := range at {
		for len(s.Name) > 0 && c.standsAlone(g, node) {
			g, node = c.peek(g, node).first, 0 // it was no element, and the step is in it
		}
		fr := c.frames[g]
		n := &fr.scope.Nodes[fr.side][node]
		switch {
		case graft.AloneAsList(at, i, n.Schema) && c.form(g, n) == plan.List:
			// It was a list as one alternative of a value, or the only one of several.
		case n.Kind == plan.Parted && n.Parts.Choice != nil:
			switch e, part := c.chosen(g, node); {
			case s.Part != nil && i == len(at)-1 && fr.scope.Child(fr.side, node, s.Part) != none:
				return earlierSpot{spot: spot{frame: g, node: fr.scope.Child(fr.side, node, s.Part)}}
			case e == none && s.Part == nil:
				return earlierSpot{spot: spot{g, node, nil}, rest: at[i:]}
			case e == none:
				return earlierSpot{spot: spot{g, node, nil}, rest: at[i+1:]}
			case s.Part == nil:
				return nowhere
			case string(n.Parts.All[part].Name) != string(s.Part):
				return nowhere
			default:
				g, node = e, 0
			}
		case s.Part != nil && n.Kind != plan.Parted && n.Schema.Type != "array" && (i == len(at)-1 || len(at[i+1].Name) > 0):
			// It was one alternative of a value, and is the value by now.
		case s.Part != nil:
			// The parts may be other ones by now, or one list again.
			if i == len(at)-1 && n.Kind == plan.Parted && fr.scope.Child(fr.side, node, s.Part) != none {
				return earlierSpot{spot: spot{frame: g, node: fr.scope.Child(fr.side, node, s.Part)}}
			}
			if i == len(at)-1 || at[i+1].Name != nil && (n.Kind != plan.Parted || fr.scope.Child(fr.side, node, s.Part) == none) {
				return nowhere
			}
			if child := fr.scope.Child(fr.side, node, s.Part); n.Kind == plan.Parted && child != none && (at[i+1].Name != nil || c.earlierElement(g, child, at[:i+1], at[i+1]) != none) {
				node = child
			}
		case n.Kind == plan.Parted:
			e := c.earlierInParts(g, node, at[:i], s)
			if e == none {
				return nowhere
			}
			g, node = e, 0
		case n.Kind == plan.Operand && c.peek(g, node).state == list:
			e := c.earlierElement(g, node, at[:i], s)
			switch isMap := s.Name != nil && c.form(g, n) == plan.Dict; {
			case e == none && isMap && i == len(at)-1:
				return earlierSpot{spot: spot{g, node, s.Name}}
			case e == none && isMap:
				// A value of which the rows of today show nothing else is still one.
				return earlierSpot{spot: spot{g, node, nil}, rest: at[i:]}
			case e == none:
				return nowhere
			}
			g, node = e, 0
		case n.Kind == plan.Container && s.Name != nil:
			child := fr.scope.Child(fr.side, node, s.Name)
			switch {
			case child != none && n.Schema.Member(string(s.Name)) == nil:
				// The API server would prune it: it has no place here any more.
				return earlierSpot{spot: spot{g, node, nil}, rest: at[i:]}
			case child != none:
				node = child
			case graft.Alone(s, i == len(at)-1, n.Schema):
				// It is what stood alone.
			case i == len(at)-1 && n.KeepUnknown:
				return earlierSpot{spot: spot{g, node, s.Name}}
			default:
				return earlierSpot{spot: spot{g, node, nil}, rest: at[i:]}
			}
		case n.Kind == plan.Operand || n.Kind == plan.Keep:
			return earlierSpot{spot: spot{g, node, nil}, rest: at[i:]}
		default:
			return nowhere
		}
	}
	return earlierSpot{spot: spot{frame: g, node: node}}
}

// standsAlone reports whether a place is itself what on the other side is an element.
func (c *conversion) standsAlone(g, node int32) bool {
	return c.peek(g, node).state == list && c.form(g, &c.nodes(g)[node]) == plan.One
}

// earlierInParts finds an element of a list with parts, whichever it is in.
func (c *conversion) earlierInParts(g, node int32, list []stash.Step, s stash.Step) int32 {
	if s.Name != nil {
		return none // it stood alone, and nothing says in which part
	}
	for _, part := range c.nodes(g)[node].Children {
		if e := c.earlierElement(g, part, list, s); e != none {
			return e
		}
	}
	return none
}

// earlierElement finds an element by what another table told elements apart by.
func (c *conversion) earlierElement(g, node int32, list []stash.Step, s stash.Step) int32 {
	first := c.peek(g, node).first
	e := c.element(g, node, list, s)
	switch {
	case e != none || first == none || c.frames[first].name != nil:
		return e
	case s.Name != nil && len(s.Name) == 0:
		return first // it stood alone
	case s.Key != nil && !c.hasKeysLike(first, s.Key):
		return c.elementWith(first, s)
	}
	return none
}

// hasKeysLike reports whether what tells the elements of a list apart is at the places of a
// key.
func (c *conversion) hasKeysLike(first int32, key []byte) bool {
	fr := c.frames[first]
	keys := &fr.scope.Keys[fr.side]
	var text []byte
	for i := range keys.Nodes {
		text = append(append(text, keys.Around[i]...), '0')
	}
	if text == nil {
		return false
	}
	text = append(text, keys.Around[len(keys.Nodes)]...)
	return slices.EqualFunc(graft.KeyNames(schema.Canonical(nil, text, nil)), graft.KeyNames(key), slices.Equal)
}

// elementWith finds the only element that has the members of a key which is none by the
// rows of today; or the only one of which the other version has those that it had there.
func (c *conversion) elementWith(first int32, s stash.Step) int32 {
	index := c.indexes[first]
	if index == nil {
		return none
	}
	of := c.nodes(first)[0].Schema
	key, there := graft.KnownKey(s.Key, of), graft.KnownKey(s.KeyThere(), of)
	names := graft.KeyNames(key)
	prefix := "members"
	for _, name := range names {
		for _, step := range name {
			prefix += string(jsontext.Quote([]byte{'.'}, []byte(step)))
		}
	}
	if _, done := index[prefix]; !done {
		index[prefix] = none
		add := func(at string, e int32) {
			if _, twice := index[at]; twice {
				e = none
			}
			index[at] = e
		}
		for e := first; e != none; e = c.frames[e].next {
			if has := graft.KeyIn(c.emit(nil, e, 0), names, of); has != nil {
				add(prefix+string(has), e)
			}
			if mate := c.frames[e].mate; mate != none {
				if has := graft.KeyIn(c.emit(nil, mate, 0), names, c.nodes(mate)[0].Schema); has != nil {
					add(prefix+thereIndex+string(has), e)
				}
			}
		}
	}
	for _, at := range [...]string{prefix + string(key), prefix + thereIndex + string(there)} {
		if e, ok := index[at]; ok && e != none {
			return e
		}
	}
	return none
}
