package engine

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// step is a step of the path to the frame that is being checked.
type step struct {
	// frame and node are the list or map.
	frame, node int32
	// element is the frame of an element, whose address is found when an entry
	// needs it.
	element int32
}

// conclude settles what the target shows of the source, before anything is kept beside
// it: elements are told apart by that.
func (c *conversion) conclude(f int32) {
	c.findDefaults(f)
	c.showAgain(f)
	c.unchoose(f)
	scope, side := c.frames[f].scope, c.frames[f].side
	for i := range scope.Rows {
		r := &scope.Rows[i]
		if r.Kind != plan.Elements || c.peek(f, r.At[side][0]).state != list {
			continue
		}
		for e := c.peek(f, r.At[side][0]).first; e != none; e = c.frames[e].next {
			c.caller.Work(c.workOf(e))
			if c.frames[e].mate != none {
				c.conclude(e)
			}
		}
	}
}

// check compares the source with what converting the finished target back
// would give, and writes entries for the difference.
func (c *conversion) check(f int32) {
	scope, side := c.frames[f].scope, c.frames[f].side
	for i := range scope.Rows {
		r := &scope.Rows[i]
		if r.Exact {
			continue
		}
		if r.Kind == plan.Elements && r.Elements.Loose && c.peek(f, r.At[side][0]).state == list && !ofParted(r, side) && !c.shows(c.frames[f].mate, r.At[side.Other()][0]) {
			// Not even the first element is shown: the value is one that the row
			// cannot map.
			c.at(f, r.At[side][0]).state = raw
		}
		if r.Kind == plan.Elements && c.peek(f, r.At[side][0]).state == list {
			if r.Elements.Loose {
				c.checkLoose(f, r.At[side][0], r)
			} else {
				c.checkElements(f, r.At[side][0])
			}
			continue
		}
		c.checkRow(f, r)
	}
	c.checkNode(f, 0)
}

func (c *conversion) checkElements(f, id int32) {
	for e := c.peek(f, id).first; e != none; e = c.frames[e].next {
		c.caller.Work(c.workOf(e))
		c.path = append(c.path, step{frame: f, node: id, element: e})
		c.check(e)
		c.path = c.path[:len(c.path)-1]
	}
}

// showAgain gives the target elements back that an entry has taken away, as if they were
// no more than the default of what they are in, if that is not what comes back: elements
// that have a counterpart are not kept as a whole, and neither is that there are none.
// What is around them may stand again with them, and its defaults.
func (c *conversion) showAgain(f int32) {
	scope, side, g := c.frames[f].scope, c.frames[f].side, c.frames[f].mate
	shown := false
	for i := range scope.Rows {
		r := &scope.Rows[i]
		if r.Kind != plan.Elements || r.Elements.Loose && !ofParted(r, side) {
			continue
		}
		s, t := c.peek(f, r.At[side][0]), c.peek(g, r.At[side.Other()][0])
		if s.state != list || t.state != gone || s.byDefault {
			continue
		}
		// A part without elements is absent, and an empty list may be what absence stands for.
		// Or an entry took what it was in away with all elements.
		if t.first == none && (s.first != none || r.Elements.Loose || isEmpty(c.implied(f, r.At[side][0]))) {
			continue
		}
		t.state, shown = list, true
	}
	if shown {
		c.settle(g)
		c.fill(g)
	}
}

// isEmpty reports whether canonical text is that of a list or a map without elements.
func isEmpty(text []byte) bool { return string(text) == "[]" || string(text) == "{}" }

// checkRow makes the inverse check of one row.
func (c *conversion) checkRow(f int32, r *plan.Row) {
	side, g := c.frames[f].side, c.frames[f].mate
	nodes := c.nodes(f)
	if len(r.At[side]) == 0 || r.Watches[side] || c.holdsPlace(f, &nodes[r.At[side][0]]) {
		return
	}
	// Only a default makes a list in the target where the source has none.
	looksInto := r.Kind == plan.Elements && (c.shows(g, r.At[side.Other()][0]) || c.showsFilled(g, r))
	if looksInto && ofParted(r, side) {
		// A part without elements is absent, and so is a value that may be several things.
		of := r.Parts.Choice
		looksInto = c.peek(g, r.At[side.Other()][0]).first != none && (of == nil || c.alternatives(g, of) == 1)
	}
	mark := len(c.outs)
	outs, ok := c.eval(g, r)
	var guard []byte
	for i, id := range r.At[side] {
		var back []byte
		if ok {
			back = outs[i]
		}
		s := c.peek(f, id)
		if s.byDefault {
			continue // nothing comes back, and it is there
		}
		if s.state == absent && back == nil && !looksInto || back != nil && s.state == raw && bytes.Equal(s.text, back) {
			continue
		}
		// A default that is written out also keeps the container it is in, if
		// that is only there for what it holds.
		holds := back == nil && c.holdsContainer(f, id)
		if !looksInto && !holds && bytes.Equal(c.norm(f, id), c.normText(back, nodes[id].Schema, c.implied(f, id))) {
			if back != nil {
				c.at(f, id).back = true
			}
			continue
		}
		if nodes[id].Parent == none && !c.frames[f].scope.Loose {
			c.entry(f, id, nil, stash.Entry{Value: c.stashed(s)})
			continue
		}
		if guard == nil {
			guard = c.guardOf(f, r)
		}
		value := c.stashed(s)
		if s.state == absent {
			value = c.implied(f, id) // nothing, where absence is no default
		}
		c.entry(f, id, nil, stash.Entry{Value: value, Guard: guard, Row: []byte(r.Mark)})
	}
	clear(c.outs[mark:])
	c.outs = c.outs[:mark]
}

// holdsContainer reports whether a container that only the source's version has is there
// for no more than what a place holds. One that is its default stands with what it is
// in.
func (c *conversion) holdsContainer(f, id int32) bool {
	nodes := c.nodes(f)
	for {
		parent := nodes[id].Parent
		if parent == none || nodes[parent].Twin != none || c.held(f, parent, id) {
			return false
		}
		if nodes[parent].Schema.Default == nil || !c.isDefault(f, parent) {
			return true
		}
		id = parent
	}
}

// held reports whether something else than a place, and than defaults, is in the
// container that it is in. That comes back in any case, and the container with
// it.
func (c *conversion) held(f, parent, id int32) bool {
	nodes := c.nodes(f)
	if c.peek(f, parent).kept != none || nodes[parent].ForConstant {
		return true
	}
	for _, child := range nodes[parent].Children {
		n, s := &nodes[child], c.peek(f, child)
		if child == id || n.Kind == plan.Drop || !s.present() {
			continue
		}
		if n.Kind == plan.Keep && n.Fill != nil && s.state == raw && bytes.Equal(c.norm(f, child), n.Fill) {
			continue // a constant is filled in only where the container is
		}
		if n.Schema.Default == nil && s.state != raw || n.Kind == plan.Operand && c.comesBackByRow(f, child) {
			return true
		}
		text := s.text
		if s.state != raw {
			text = c.emit(nil, f, child)
		}
		if !bytes.Equal(c.normText(text, n.Schema, nil), n.Schema.Default) {
			return true
		}
	}
	return false
}

// comesBackByRow reports whether a row makes something of the target at a place of the
// source: be it a default, it makes the container around it, too.
func (c *conversion) comesBackByRow(f, id int32) bool {
	n, g := &c.nodes(f)[id], c.frames[f].mate
	if n.Row == none {
		return false
	}
	r, side := &c.frames[f].scope.Rows[n.Row], c.frames[f].side
	if c.peek(f, id).state == list || r.Watches[side] {
		return false
	}
	mark := len(c.outs)
	defer func() { c.outs = c.outs[:mark] }()
	outs, ok := c.eval(g, r)
	return ok && outs[slices.Index(r.At[side], id)] != nil
}

// stashed is the canonical text of a slot for an entry, nil where it is absent.
func (c *conversion) stashed(s *slot) []byte {
	if s.state == absent {
		return nil
	}
	return c.canonical(s.text, nil)
}

// entry writes an entry for a node, or for an unknown member of it.
func (c *conversion) entry(f, id int32, member []byte, e stash.Entry) {
	beyond := c.outgoing[0].Size()+c.outgoing[1].Size() > maxWritten
	if len(c.unkept) == maxNamed && (beyond || !c.canAddress()) {
		c.others++
		return
	}
	e.At = c.names(c.way(), f, id)
	if member != nil {
		e.At = append(e.At, stash.Step{Name: unquote(member)})
	}
	if beyond || c.unaddressed {
		c.leave(e.At)
		return
	}
	w := &c.outgoing[0]
	if e.OfStatus() {
		w = &c.outgoing[1]
	}
	w.Add(e)
	c.counts.Residuals++
	if c.explains {
		c.noteResidual(f, id, member, e)
	}
}

// names appends the names from a frame's root to a node.
func (c *conversion) names(at []stash.Step, f, id int32) []stash.Step {
	nodes := c.nodes(f)
	start := len(at)
	for ; id != 0; id = nodes[id].Parent {
		if name := []byte(nodes[id].Name); nodes[nodes[id].Parent].Kind == plan.Parted {
			at = append(at, stash.Step{Part: name})
		} else {
			at = append(at, stash.Step{Name: name})
		}
	}
	for i, j := start, len(at)-1; i < j; i, j = i+1, j-1 {
		at[i], at[j] = at[j], at[i]
	}
	return at
}
