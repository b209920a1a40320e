package engine

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// Unmapped is a value that a row cannot map: the target does not show it.
type Unmapped struct {
	// At leads to the place as an entry of a stash does, and Value is the canonical
	// text of what stands there: together they report whether two objects hold the same.
	At    []stash.Step
	Value []byte
	// Path is the place for people, with the positions of elements, and Others are
	// the row's places in the target, relative to the innermost element.
	Path   string
	Others []string
	// Needs says what could be mapped.
	Needs string
	// Partial says that other places of the row are absent: it may be that only
	// they are missing. Of an element it says that the other side has no place for
	// it beside the others.
	Partial bool
}

// FindUnmapped converts src and returns what rows cannot map instead of the result.
func FindUnmapped(src []byte, job Job) (unmapped []Unmapped, err error) {
	c := begin(src, job)
	defer c.end(&err)
	c.strict = true
	_, err = c.convert(nil)
	return c.unmapped, err
}

// note notes the operands of a row that it cannot map.
func (c *conversion) note(f int32, r *plan.Row) {
	side := c.frames[f].side
	if len(r.At[side]) == 0 || r.Watches[side] || r.Kind == plan.Elements && c.peek(f, r.At[side][0]).state == list || c.holdsPlace(f, &c.nodes(f)[r.At[side][0]]) {
		return
	}
	needs, ok := c.needs(f, r)
	if ok {
		return
	}
	partial := slices.ContainsFunc(r.At[side], func(id int32) bool { return c.peek(f, id).state == absent })
	for _, id := range r.At[side] {
		s := c.peek(f, id)
		if s.state != raw {
			continue
		}
		u := c.unmappedAt(f, id, r)
		u.Value, u.Needs, u.Partial = bytes.Clone(c.stashed(s)), needs, partial // scratch is used again
		c.unmapped = append(c.unmapped, u)
	}
}

// needs reports whether a row can map what there is in f; if not, what it could map, and
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

// noteElements notes the elements of a list or map that the other side has no place
// for. A list with parts has elements of its own on purpose.
func (c *conversion) noteElements(f int32, r *plan.Row) {
	side := c.frames[f].side
	id := r.At[side][0]
	if ofParted(r, side) {
		return
	}
	for e := c.peek(f, id).first; e != none; e = c.frames[e].next {
		if c.frames[e].mate != none {
			continue
		}
		u := c.unmappedAt(f, id, r)
		u.Path += c.position(step{frame: f, node: id, element: e})
		u.Value, u.Needs, u.Partial = bytes.Clone(c.canonical(c.peek(e, 0).text, nil)), r.NeedsElement, true
		if needs, ok := c.needsElement(e); !ok {
			u.Needs, u.Partial = needs, false
		}
		c.unmapped = append(c.unmapped, u)
	}
}

// needsElement is needs for a whole element without a counterpart. An expression has to
// compute it again from what it makes of it.
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

// unmappedAt is the place of an operand of a row that cannot map it.
func (c *conversion) unmappedAt(f, id int32, r *plan.Row) Unmapped {
	var u Unmapped
	for _, p := range c.path {
		u.Path += path.Path(texts(c.names(nil, p.frame, p.node))).String() + c.position(p)
		u.At = c.addressed(c.names(u.At, p.frame, p.node), p)
	}
	own := c.names(nil, f, id)
	u.Path += path.Path(texts(own)).String()
	u.At = append(u.At, own...)
	for _, other := range r.At[c.frames[f].side.Other()] {
		u.Others = append(u.Others, path.Path(texts(c.names(nil, c.frames[f].mate, other))).String())
	}
	return u
}

// position is where an element is in its list or map.
func (c *conversion) position(p step) string {
	if c.form(p.frame, &c.nodes(p.frame)[p.node]) == plan.One {
		return ""
	}
	if nodes := c.nodes(p.frame); nodes[nodes[p.node].Parent].Kind == plan.Parted {
		return "[" + strconv.Itoa(int(c.frames[p.element].position)) + "]"
	}
	if name := c.frames[p.element].name; name != nil {
		return path.Path{string(unquote(name[1 : len(name)-1]))}.String()
	}
	n := 0
	for e := c.peek(p.frame, p.node).first; e != p.element; e = c.frames[e].next {
		n++
	}
	return "[" + strconv.Itoa(n) + "]"
}

func texts(at []stash.Step) []string {
	var names []string
	for _, s := range at {
		if s.Part == nil {
			names = append(names, string(s.Name))
		}
	}
	return names
}
