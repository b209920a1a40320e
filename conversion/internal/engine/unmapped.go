package engine

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// Unmapped is a value that a row can't map, so the target does not have it.
type Unmapped struct {
	// At identifies the place: elements have their keys in it, or their names in a map, but no
	// positions. Value is the canonical text. Two objects with the same At and Value have the same
	// value at the place.
	At, Value string
	// Offset is where the value is in the source, or -1 if it is inside a text.
	Offset int
	// Path is the place for people, with the positions of elements. Others are the row's places in
	// the target, from the innermost element.
	Path   string
	Others []string
	// Needs is what the row could map.
	Needs string
	// Partial is true if other places of the row are absent, so that perhaps only they are missing.
	// For an element, it is true if the other version has no place for it beside the others.
	Partial bool
}

// FindUnmapped returns what rows can't map of src. Errors are those of Pure.
func FindUnmapped(src []byte, job Job) (_ []Unmapped, err error) {
	c := begin(src, job)
	defer c.end(&err)
	c.making = new(way.Made) // the stashes are not used
	c.left = expression.Budget
	source, err := c.read()
	if err != nil {
		return nil, err
	}
	c.settle(c.forward(source))
	return c.findUnmapped(source), nil
}

// findUnmapped returns what rows can't map of a frame of the source.
func (c *conversion) findUnmapped(source int32) []Unmapped {
	u := unmappedFinder{conversion: c}
	u.frame(source)
	return u.found
}

// unmappedFinder finds what rows can't map.
type unmappedFinder struct {
	*conversion
	// way has the elements around the current frame.
	way   []elementAt
	found []Unmapped
}

// elementAt is an element on the way: the frame and the node of its list or map, and its position
// there.
type elementAt struct {
	frame, node, element int32
	position             int
}

// frame checks the rows of a frame of the source, and the elements in it.
func (u *unmappedFinder) frame(f int32) {
	scope, side := u.frames[f].scope, u.frames[f].side
	u.unchoose(f)
	for i := range scope.Rows {
		r := &scope.Rows[i]
		if r.Exact || len(r.At[side]) == 0 || r.Watches[side] {
			continue
		}
		id := r.At[side][0]
		switch {
		case r.Kind != plan.Elements || u.peek(f, id).state != list:
			u.row(f, r)
		case r.Elements.Loose && !ofParted(r, side) && !u.shows(u.frames[f].mate, r.At[side.Other()][0]):
			u.at(f, id).state = raw // the other version does not have even the first element
			u.row(f, r)
		default:
			u.elements(f, r)
		}
	}
	for _, parts := range scope.Choices {
		if parts.Side == side {
			u.choice(f, parts.Choice)
		}
	}
}

// elements checks the elements of a list or map. A list with parts may have elements that belong to
// none, which is not reported.
func (u *unmappedFinder) elements(f int32, r *plan.Row) {
	id := r.At[u.frames[f].side][0]
	position := 0
	for e := u.peek(f, id).first; e != none; e = u.frames[e].next {
		u.caller.Work(u.workOf(e))
		u.way = append(u.way, elementAt{f, id, e, position})
		position++
		switch {
		case u.frames[e].mate != none:
			u.frame(e)
		case !ofParted(r, u.frames[f].side):
			needs, ok := u.needsElement(e)
			if ok {
				needs = r.NeedsElement
			}
			u.add(f, id, r, u.peek(e, 0), Unmapped{Needs: needs, Partial: ok})
		}
		u.way = u.way[:len(u.way)-1]
	}
}

// row checks the values that a row maps.
func (u *unmappedFinder) row(f int32, r *plan.Row) {
	at := r.At[u.frames[f].side]
	if u.holdsPlace(f, &u.nodes(f)[at[0]]) {
		return
	}
	needs, ok := u.needs(f, r)
	if ok {
		return
	}
	partial := slices.ContainsFunc(at, func(id int32) bool { return u.peek(f, id).state == absent })
	for _, id := range at {
		if s := u.peek(f, id); s.state == raw {
			u.add(f, id, r, s, Unmapped{Needs: needs, Partial: partial})
		}
	}
}

// choice checks a value that may be one of several alternatives.
func (u *unmappedFinder) choice(f int32, of *plan.Choice) {
	if s := u.peek(f, of.Value); s.state == raw && s.text[0] != 'n' {
		u.add(f, of.Value, &u.frames[f].scope.Rows[of.Row], s, Unmapped{Needs: of.Needs, Partial: !u.peek(f, of.Discriminator).present()})
	}
}

// add adds a value that a row can't map, at a node, or the element at the end of the way.
func (u *unmappedFinder) add(f, id int32, r *plan.Row, value *slot, found Unmapped) {
	found.Value, found.Offset = string(u.canonical(value.text, nil)), int(u.offset(value.text))
	for _, p := range u.way {
		names := suffix(u.namesTo(p.frame, p.node))
		found.At += names + u.identity(p)
		found.Path += names + u.position(p)
	}
	if n := len(u.way); n == 0 || u.way[n-1].frame != f {
		own := suffix(u.namesTo(f, id))
		found.At += own
		found.Path += own
	}
	for _, other := range r.At[u.frames[f].side.Other()] {
		found.Others = append(found.Others, cmp.Or(suffix(u.namesTo(u.frames[f].mate, other)), "the element"))
	}
	u.found = append(u.found, found)
}

// identity returns the key of an element, or its name in a map. Without one, elements are not
// distinguished.
func (u *unmappedFinder) identity(p elementAt) string {
	fr := u.frames[p.element]
	if fr.name != nil {
		return "[" + string(fr.name) + "]"
	}
	var text []byte
	for _, id := range fr.scope.Keys[fr.side].Nodes {
		text = append(text, '[')
		if s := u.peek(p.element, id); s.state == raw {
			text = append(text, u.canonical(s.text, nil)...)
		}
		text = append(text, ']')
	}
	return string(text)
}

// position returns where an element is in its list or map, for people.
func (u *unmappedFinder) position(p elementAt) string {
	fr := u.frames[p.element]
	switch {
	case u.form(p.frame, &u.nodes(p.frame)[p.node]) == plan.One:
		return ""
	case u.inParted(p.frame, p.node):
		return "[" + strconv.Itoa(int(fr.position)) + "]"
	case fr.name != nil:
		return path.Path{string(unquote(fr.name[1 : len(fr.name)-1]))}.String()
	}
	return "[" + strconv.Itoa(p.position) + "]"
}

// needs reports whether a row can map what is in f. If not, it returns what the row could map, and
// why an expression has no value.
func (c *conversion) needs(f int32, r *plan.Row) (needs string, ok bool) {
	mark := len(c.outs)
	defer func() {
		clear(c.outs[mark:])
		c.outs = c.outs[:mark]
	}()
	needs = r.Needs[c.frames[f].side]
	if r.Kind != plan.Compute {
		_, ok = c.eval(f, r)
		return needs, ok
	}
	_, err := c.compute(f, r)
	if err != nil {
		needs += "; error: " + err.Error()
	}
	return needs, err == nil
}

// needsElement is needs for a whole element without a counterpart. An expression must compute the
// element again from what it makes of it.
func (c *conversion) needsElement(e int32) (needs string, ok bool) {
	scope := c.frames[e].scope
	if scope.Root == none {
		return "", true
	}
	r := &scope.Rows[scope.Root]
	if needs, ok := c.needs(e, r); !ok || r.Kind != plan.Compute {
		return needs, ok
	}
	h := c.forward(e)
	c.frames[e].mate = none
	stuck := c.leadsBack(e, h, r)
	if stuck == none {
		return "", true
	}
	needs = r.Needs[c.frames[e].side] + ", and convert back; error: "
	mark := len(c.outs)
	defer func() {
		clear(c.outs[mark:])
		c.outs = c.outs[:mark]
	}()
	if _, err := c.compute(stuck, r); err != nil {
		return needs + err.Error(), false
	}
	return needs + "the expression returns no value", false
}

// namesTo returns the names from the root of a frame to a node. A part of a list has none of its own.
func (c *conversion) namesTo(f, id int32) []string {
	var names []string
	for nodes := c.nodes(f); id != 0; id = nodes[id].Parent {
		if nodes[nodes[id].Parent].Kind != plan.Parted {
			names = append(names, nodes[id].Name)
		}
	}
	slices.Reverse(names)
	return names
}
