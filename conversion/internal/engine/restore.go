package engine

import (
	"bytes"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// spot is where an entry belongs.
type spot struct {
	frame, node int32
	// member is the name of a member that is not among the nodes, or of a map's
	// value that is not there.
	member []byte
}

// restore writes the entries of the target's stash that still hold. All are
// located before the first is written, since elements are told apart by what
// the rows alone produced.
func (c *conversion) restore(g int32) {
	spots := make([]spot, len(c.incoming))
	for i := range c.incoming {
		spots[i] = c.locate(g, c.incoming[i].At)
	}
	var taken, choices []int // last, as rows have to make them again of what else is restored
	for i := range c.incoming {
		switch {
		case spots[i].frame == none:
		case c.takesAway(spots[i], &c.incoming[i]):
			taken = append(taken, i)
		case c.ofChoice(spots[i]):
			choices = append(choices, i)
		default:
			c.restoreEntry(spots[i], &c.incoming[i])
		}
	}
	if len(choices) > 0 {
		c.restoreChoices(choices, taken, spots)
	}
	for _, i := range taken {
		c.restoreEntry(spots[i], &c.incoming[i])
	}
}

// takesAway reports whether an entry says of a container that both versions have that it
// was not there, or that something else stood in its place.
func (c *conversion) takesAway(at spot, e *stash.Entry) bool {
	n := &c.nodes(at.frame)[at.node]
	return at.member == nil && n.Kind == plan.Container && n.Parent != none && n.Twin != none && (e.Value == nil || e.Value[0] != '{') && e.Guard != nil
}

// locate follows the path of an entry. A path that leads nowhere belongs to an
// element that is gone, or was made up.
func (c *conversion) locate(g int32, at []stash.Step) spot {
	nowhere := spot{frame: none}
	node := int32(0)
	for i, s := range at {
		g, node = c.intoChosen(g, node)
		fr := c.frames[g]
		n := &fr.scope.Nodes[fr.side][node]
		switch {
		case n.Kind == plan.Parted:
			if node = fr.scope.Child(fr.side, node, s.Part); s.Part == nil || node == none {
				return nowhere
			}
		case n.Kind == plan.Operand && c.peek(g, node).state == list:
			e := c.element(g, node, at[:i], s)
			if e == none && i == len(at)-1 && s.Name != nil && c.form(g, n) == plan.Dict {
				return spot{g, node, s.Name}
			}
			if e == none {
				return nowhere
			}
			g, node = e, 0
		case n.Kind == plan.Container && s.Name != nil:
			child := fr.scope.Child(fr.side, node, s.Name)
			if child == none {
				if i == len(at)-1 && n.KeepUnknown {
					return spot{g, node, s.Name}
				}
				return nowhere
			}
			node = child
		default:
			return nowhere
		}
	}
	return spot{frame: g, node: node}
}

// restoreEntry writes one entry, if it may.
func (c *conversion) restoreEntry(at spot, e *stash.Entry) {
	at = c.about(at, e)
	n := &c.nodes(at.frame)[at.node]
	s := c.at(at.frame, at.node)
	if at.member == nil {
		// One entry for one place: to try many guards against one large value
		// would be work without end.
		if s.tried || n.Schema.Text && e.Value != nil && !n.Schema.Holds(e.Value) {
			return
		}
		s.tried = true
	}
	switch {
	case n.Parent != none && c.nodes(at.frame)[n.Parent].Kind == plan.Parted && (e.Value != nil || e.Order != nil):
		// A part holds elements, or nothing.
	case n.Kind == plan.Parted:
		c.restoreParted(at, n, e)
	case e.Order != nil:
		if at.member == nil && c.form(at.frame, n) == plan.List && s.state == list {
			if r := &c.frames[at.frame].scope.Rows[n.Row]; r.Elements.Loose {
				c.restoreOrder(at.frame, at.node, r, e)
			}
		}
	case n.Parent == none && n.Kind == plan.Container && n.Twin == none:
		// An element, which its list or map decides on.
	case at.member != nil && n.Kind == plan.Operand:
		c.restoreValue(at, n, e)
	case at.member != nil:
		if e.Value != nil && e.Guard == nil && c.parentStands(at.frame, at.node) && c.firstOf(at) {
			quoted := jsontext.Quote(nil, at.member)
			c.unknowns = append(c.unknowns, unknown{name: quoted, value: e.Value, next: s.kept})
			s.kept = int32(len(c.unknowns) - 1)
			if s.state != object {
				s.state, s.restored, s.text, s.first, s.last = object, true, nil, none, none
			}
		}
	case n.Kind == plan.Keep:
		if s.state == absent && e.Guard == nil && (e.Value == nil || c.parentStands(at.frame, n.Parent)) {
			c.set(s, e.Value)
		}
	case n.Kind == plan.Operand && n.Row != none:
		c.restoreOperand(at, n, e)
	case n.Kind == plan.Container && n.Twin == none:
		if (s.state == absent || s.made || s.stood) && e.Guard == nil && c.parentStands(at.frame, n.Parent) {
			c.setContainer(s, e.Value)
		}
	case n.Kind == plan.Container && n.Parent != none:
		c.restoreTwin(at, n, e)
	}
}

// parentStands reports whether a container that both versions have is there. A
// container that only the target's version has comes into being with what is
// in it, but one that both have is never made by an entry: somebody removed it.
func (c *conversion) parentStands(g, id int32) bool {
	nodes := c.nodes(g)
	for nodes[id].Twin == none {
		if s := c.peek(g, id); s.state == raw {
			return false
		}
		if nodes[id].Parent == none {
			return true // an element that is there
		}
		id = nodes[id].Parent
	}
	return c.peek(g, id).state == object
}

// restoreValue gives a map a value back that the other version cannot hold.
func (c *conversion) restoreValue(at spot, n *plan.Node, e *stash.Entry) {
	if e.Value == nil || e.Guard != nil || c.element(at.frame, at.node, nil, stash.Step{Name: at.member}) != none {
		return
	}
	fr := c.frames[at.frame]
	if r := &fr.scope.Rows[n.Row]; r.Elements.Loose {
		if !c.earlier && c.wouldPlace(&placing{r: r, to: fr.side.Other(), taken: map[string]bool{}}, fr.side, jsontext.Quote(nil, at.member), e.Value) {
			return
		}
	} else if nodes := r.Elements.Nodes; canStand(e.Value, nodes[fr.side][0].Schema, nodes[fr.side.Other()][0].Schema) {
		// The other version would show it: somebody has made it up, or the table was
		// another one. What has parts was never kept as a whole by that either.
		if !c.earlier || e.Value[0] == '{' || e.Value[0] == '[' {
			return
		}
	}
	c.addValue(at.frame, at.node, at.member, e.Value)
}

// place is a member that is not among the nodes.
type place struct {
	frame, node int32
	member      string
}

// firstOf reports whether no entry for this member came before.
func (c *conversion) firstOf(at spot) bool {
	p := place{at.frame, at.node, string(at.member)}
	if _, seen := c.restored[p]; seen {
		return false
	}
	if c.restored == nil {
		c.restored = map[place]struct{}{}
	}
	c.restored[p] = struct{}{}
	return true
}

// set makes a slot hold a value, or nothing. What the rows wrote there is kept
// for revive.
func (c *conversion) set(s *slot, value []byte) {
	if value == nil {
		if s.state != raw {
			s.text = nil
		}
		s.state = gone
		return
	}
	s.state, s.text, s.restored = raw, value, true
}

// setContainer is set for a container, of which a stash holds no more than the
// fact that it is there, or a value of another type.
func (c *conversion) setContainer(s *slot, value []byte) {
	switch {
	case value == nil:
		if s.away = true; s.state == absent || s.stood {
			s.state = gone
		}
	case value[0] != '{':
		// What rows put into the container wins, so far as it stays.
		s.text, s.textRestored = value, true
		if !s.made {
			s.state, s.restored = raw, true
		}
	case string(value) == "{}":
		s.state, s.text, s.made, s.restored = object, nil, false, true
	}
}

// restoreOperand gives a row's place back what it was, if what the row reads
// on the other side is what it was, too.
func (c *conversion) restoreOperand(at spot, n *plan.Node, e *stash.Entry) {
	fr := c.frames[at.frame]
	r := &fr.scope.Rows[n.Row]
	if r.Exact || e.Guard == nil || string(e.Row) != r.Mark {
		return
	}
	if e.Value != nil && n.Parent != none && fr.scope.Nodes[fr.side][n.Parent].Kind == plan.Parted {
		return // a part has elements, or it is absent
	}
	if n.Parent == none {
		if !fr.scope.Loose || e.Value == nil {
			return
		}
	} else if e.Value != nil && !c.parentStands(at.frame, n.Parent) {
		return
	}
	if r.Kind == plan.Elements && !r.Elements.Loose && e.Value != nil && e.Value[0] == opening(c.form(at.frame, n)) {
		return // elements are never kept as a whole
	}
	if !bytes.Equal(c.guardOf(at.frame, r), e.Guard) {
		c.recall(at, n, e)
		return
	}
	c.set(c.at(at.frame, at.node), e.Value)
}

// recall puts what the other version cannot show of a value into the one that a row has
// made instead of it, since somebody has edited what it can.
func (c *conversion) recall(at spot, n *plan.Node, e *stash.Entry) {
	s, fr := c.peek(at.frame, at.node), c.frames[at.frame]
	m, ok := fr.scope.Rows[n.Row].Mapping.(plan.Recaller)
	if !ok || e.Value == nil || s.state != raw || s.text[0] == 'n' {
		return
	}
	var text []byte
	if c.scratch, text, ok = m.Recall(c.scratch, fr.side, e.Value, s.text); ok && survives(text, n.Schema) {
		s.text = text
	}
}

// opening is the first character of what holds elements.
func opening(form plan.Form) byte {
	if form == plan.List {
		return '['
	}
	return '{'
}

// isRead reports whether a value is read into elements.
func isRead(text []byte, form plan.Form) bool {
	if form == plan.One {
		return text[0] != 'n'
	}
	return text[0] == opening(form)
}

// revive puts back what rows wrote at a place with a default, if a stash says
// that nothing stood there but the container around it stands: when that was
// written the container was absent, and now absence would mean the default.
func (c *conversion) revive(g int32) {
	nodes := c.nodes(g)
	for id := range nodes {
		n, s := &nodes[id], c.peek(g, int32(id))
		if s.state == gone && s.text != nil && n.Schema.Default != nil && n.Parent != none && c.peek(g, n.Parent).state == object {
			s.state = raw
		}
	}
	c.eachElement(g, c.revive)
}
