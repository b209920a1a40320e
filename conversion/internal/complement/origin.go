package complement

import (
	"cmp"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// find returns the element at an offset that belongs to the list, the map or the value at a place.
// One value may be an element, and an element inside that element.
func find(elements []way.Element, at int32, in place) (way.Element, bool) {
	i, _ := slices.BinarySearchFunc(elements, int(at), func(e way.Element, at int) int { return cmp.Compare(e.At, at) })
	for ; i < len(elements) && elements[i].At == int(at); i++ {
		if in.pairs(elements[i].Scope) {
			return elements[i], true
		}
	}
	return way.Element{From: -1}, false
}

// origins find the element of the source that an element was made of, through both conversions of a
// step: from what converting back makes to the view, and from there to the source.
type origins struct {
	// source, view and back are the three objects.
	source, view, back *tree
	// there are the elements of the view, as the conversion made it, and again are those of back.
	there, again []way.Element
	// pieces map offsets in the text that was converted back to offsets in the view.
	pieces []piece
	// starts has the nodes of the view in the order of their offsets.
	starts []int32
}

// origin is where an element comes from.
type origin struct {
	// scope is nil if no rows have made the element.
	scope *plan.Scope
	// view and source are nodes, or none.
	view, source int32
}

// of returns the origin of an element of back. p is the place of its list.
func (o *origins) of(p place, id int32) origin {
	o.back.caller.Work(1)
	e, found := find(o.again, o.back.nodes[id].text.Start, p)
	from := origin{scope: e.Scope, view: none, source: none}
	if !found || e.From < 0 {
		return from
	}
	at, found := o.inView(int32(e.From))
	if !found {
		return from
	}
	from.view = o.nodeOfView(at)
	if made, found := find(o.there, at, p); found && made.From >= 0 {
		from.source = o.source.nodeAt(int32(made.From))
	}
	return from
}

// inView returns the offset in the view for an offset in the text that was converted back.
func (o *origins) inView(at int32) (int32, bool) {
	i, found := slices.BinarySearchFunc(o.pieces, at, func(p piece, at int32) int { return cmp.Compare(p.out, at) })
	if !found {
		i--
	}
	if i < 0 || at >= o.pieces[i].out+o.pieces[i].length {
		return 0, false
	}
	return o.pieces[i].from + at - o.pieces[i].out, true
}

// nodeOfView returns the node of the view at an offset. If a value was replaced, both the old one
// and the new one are at the same offset.
func (o *origins) nodeOfView(at int32) int32 {
	if !o.view.moved {
		return o.view.nodeAt(at)
	}
	if len(o.starts) != len(o.view.nodes) {
		o.starts = o.starts[:0]
		for id := range o.view.nodes {
			o.starts = append(o.starts, int32(id))
		}
		slices.SortStableFunc(o.starts, func(a, b int32) int { return cmp.Compare(o.view.nodes[a].text.Start, o.view.nodes[b].text.Start) })
	}
	i, found := slices.BinarySearchFunc(o.starts, at, func(id, at int32) int { return cmp.Compare(o.view.nodes[id].text.Start, at) })
	if !found {
		return none
	}
	return o.starts[i]
}

// nodeAt returns the first node at an offset, or none. The nodes of the tree must be in the order
// of their texts.
func (t *tree) nodeAt(at int32) int32 {
	i, found := slices.BinarySearchFunc(t.nodes, at, func(n node, at int32) int { return cmp.Compare(n.text.Start, at) })
	if !found {
		return none
	}
	return int32(i)
}
