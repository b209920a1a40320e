package engine

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// restoreTwin takes a container away, or puts a value of another type in its
// place, if the container on the other side is as it was when this was so. That
// one must be no more than a default, or rows from elsewhere must have made it
// and make it again. What else is in it comes back with it by its own entries,
// but for what is copied.
func (c *conversion) restoreTwin(at spot, n *plan.Node, e *stash.Entry) {
	s := c.at(at.frame, at.node)
	if e.Guard == nil && string(e.Value) == "{}" {
		s.stated = true
		return
	}
	if e.Guard == nil || c.inMetadata(at.frame, at.node) || s.state == raw {
		return
	}
	if e.Value != nil && !c.parentStands(at.frame, n.Parent) {
		return
	}
	mate := c.frames[at.frame].mate
	var live []byte
	if l := c.peek(mate, n.Twin); l.state == raw || l.state == object {
		live = l.text
	}
	if !bytes.Equal(c.wholeGuard(mate, n.Twin, live), e.Guard) {
		return
	}
	bare, isDefault, around := c.isBare(mate, n.Twin), c.isDefault(mate, n.Twin), none
	if !isDefault {
		around = c.defaultAround(mate, n.Twin)
		isDefault = around != none
	}
	switch {
	case string(e.Value) == "{}":
		if s.state == absent || s.state == object {
			s.state, s.stated, s.made = object, true, false
		}
		return
	case e.Value != nil && e.Value[0] == '{', !bare && c.holdsOperand(at.frame, at.node) && !isDefault:
		return
	}
	before := c.save(at.frame)
	c.empty(at.frame, at.node)
	if !bare && !isDefault && (c.holdsCopies(mate, n.Twin, at.node) || !c.remakes(at.frame, mate, n.Twin)) {
		c.reset(at.frame, before)
		return
	}
	c.set(c.at(at.frame, at.node), e.Value)
	implied := n.Schema.Default != nil || slices.Contains(c.nodes(at.frame)[n.Parent].Implied, at.node)
	if e.Value == nil && (implied || !bare && around != none) {
		c.taken = append(c.taken, taken{at.frame, at.node, implied, around, before})
	}
}

// taken is a container that was taken away, though its absence may stand for another one,
// or though it was no more than part of a default, with the slots of its frame as they were.
type taken struct {
	frame, node int32
	implied     bool
	around      int32 // whose default it was part of on the other side, none for none
	before      saved
}

// reviveTaken is revive for containers.
func (c *conversion) reviveTaken() {
	for _, t := range c.taken {
		n := &c.nodes(t.frame)[t.node]
		if c.peek(t.frame, t.node).state != gone {
			continue
		}
		// A default does not come back by itself where anything else of it is shown.
		if t.implied && c.peek(t.frame, n.Parent).state == object || t.around != none && c.showsIn(t.frame, c.frames[t.frame].mate, t.around) {
			c.putBack(t.frame, t.node, t.before)
		}
	}
}

// showsIn reports whether anything in g shows what is in a container of f, other than what an
// entry has given back.
func (c *conversion) showsIn(g, f, id int32) bool {
	scope, side := c.frames[f].scope, c.frames[f].side
	shows := func(id int32) bool { return c.peek(g, id).present() && !c.peek(g, id).restored }
	return slices.ContainsFunc(c.nodes(f)[id].Children, func(child int32) bool {
		switch n := &c.nodes(f)[child]; n.Kind {
		case plan.Container, plan.Parted:
			return n.Twin != none && shows(n.Twin) || c.showsIn(g, f, child)
		case plan.Operand:
			return n.Row != none && c.peek(f, child).present() && slices.ContainsFunc(scope.Rows[n.Row].At[side.Other()], shows)
		}
		return false
	})
}

func (c *conversion) putBack(f, id int32, slots saved) {
	if was := slots.slot(id); was != nil {
		*c.at(f, id) = *was
	} else {
		c.clear(f, id)
	}
	for _, child := range c.nodes(f)[id].Children {
		c.putBack(f, child, slots)
	}
}

// isBare reports whether a container holds nothing, or no more than defaults. What was
// in it when an entry with its guard was written has been dropped on the way, and with
// it what would make the container again: the check keeps that it is there.
func (c *conversion) isBare(f, id int32) bool {
	s := c.peek(f, id)
	if s.state != object {
		return false
	}
	return s.first == none && s.kept == none && !c.holdsAny(f, id) ||
		s.text != nil && string(c.normText(s.text, c.nodes(f)[id].Schema, nil)) == "{}"
}

// remakes reports whether some row makes of g what it has in a container of f.
func (c *conversion) remakes(g, f, id int32) bool {
	scope, side := c.frames[f].scope, c.frames[f].side
	nodes := scope.Nodes[side]
	return slices.ContainsFunc(nodes[id].Children, func(child int32) bool {
		n, s := &nodes[child], c.peek(f, child)
		if n.Kind == plan.Container || n.Kind == plan.Parted {
			return s.state == object && n.Twin != none && c.peek(g, n.Twin).state == object || c.remakes(g, f, child)
		}
		if n.Kind != plan.Operand || !s.present() {
			return false
		}
		r := &scope.Rows[n.Row]
		operand := slices.Index(r.At[side], child)
		if s.state == list {
			return c.shows(g, r.At[side.Other()][operand])
		}
		mark := len(c.outs)
		defer func() { c.outs = c.outs[:mark] }()
		outs, ok := c.eval(g, r)
		return ok && outs[operand] != nil && bytes.Equal(c.normText(outs[operand], n.Schema, nil), c.norm(f, child))
	})
}

// holdsCopies reports whether anything in a container is copied from what is around its
// twin, other than what the API server fills in, or conversion where the other version
// does not. What a row has of an object elsewhere is copied from there again.
func (c *conversion) holdsCopies(f, id, around int32) bool {
	nodes := c.nodes(f)
	for r := c.peek(f, id).first; r != none; r = c.runs[r].next {
		members := slices.Concat([]byte{'{'}, c.runs[r].text, []byte{'}'})
		if string(c.texts().Canonical(nil, members, nodes[id].Schema)) != "{}" {
			return true
		}
	}
	return slices.ContainsFunc(nodes[id].Children, func(child int32) bool {
		n := &nodes[child]
		if n.Kind != plan.Container || n.Twin != none && !c.isIn(c.frames[f].mate, n.Twin, around) {
			return false
		}
		return !c.isDefault(f, child) && c.holdsCopies(f, child, around)
	})
}

// holdsOperand reports whether a row has made anything in a container, other than what the
// table says that absence stands for.
func (c *conversion) holdsOperand(f, id int32) bool {
	nodes := c.nodes(f)
	return slices.ContainsFunc(nodes[id].Children, func(child int32) bool {
		kind := nodes[child].Kind
		return kind == plan.Operand && c.peek(f, child).present() && !c.saysNothing(f, &nodes[child]) ||
			(kind == plan.Container || kind == plan.Parted) && c.holdsOperand(f, child)
	})
}

// empty takes away all that is in a container.
func (c *conversion) empty(g, id int32) {
	if s := c.peek(g, id); s != &c.blank {
		tried := s.tried
		*s = nothing
		s.tried = tried
	}
	for _, child := range c.nodes(g)[id].Children {
		c.empty(g, child)
	}
}
