package engine

import (
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// A value may be one of several alternatives, each of which a row ties to a place of
// its own on the other side. Which it is a discriminator beside it says, so the value is
// read once all that is around it has been.

// readAlike reads a value that is made alike whichever alternative it is, so that nobody
// need know yet: a value in a value in a value would be read again and again.
func (c *conversion) readAlike(f, id int32, pos, depth int) (int, error) {
	fr := c.frames[f]
	e := c.newFrame(fr.scope.Rows[fr.scope.Nodes[fr.side][id].Parts.All[0].Row].Elements, fr.side)
	end, err := c.readElement(e, pos, depth)
	if err != nil {
		return pos, err
	}
	s := c.at(f, id)
	s.state, s.text, s.first = raw, c.src[pos:end], e
	return end, nil
}

// choose reads the values of a frame as what their discriminators say.
func (c *conversion) choose(f int32) {
	scope, side := c.frames[f].scope, c.frames[f].side
	for _, parts := range scope.Choices {
		if parts.Side != side {
			continue
		}
		s := c.peek(f, parts.Choice.Value)
		if s.state != raw || s.text[0] == 'n' {
			continue
		}
		e, text := s.first, s.text
		s.first = none
		part := parts.Chosen(c.norm(f, parts.Choice.Discriminator))
		if part < 0 {
			continue
		}
		if e == none {
			e = c.newFrame(scope.Rows[parts.All[part].Row].Elements, side)
			c.frames[e].from = c.offset(text)
			c.readText(e, 0, text)
		}
		child := parts.All[part].Node
		c.link(f, child, e)
		s = c.at(f, child)
		s.state, s.text = list, text
		c.at(f, parts.Choice.Value).state = parted
	}
}

// choice is what says which alternative the value is that a row ties on a side, nil if
// it ties none.
func choice(r *plan.Row, side plan.Side) *plan.Choice {
	if !ofParted(r, side) {
		return nil
	}
	return r.Parts.Choice
}

// isChosen reports whether a place is what a value may be read as.
func (c *conversion) isChosen(f, id int32) bool {
	return c.inParted(f, id) && c.nodes(f)[c.nodes(f)[id].Parent].Parts.Choice != nil
}

// intoChosen leads on from what a value may be read as to what it is read as.
func (c *conversion) intoChosen(f, id int32) (int32, int32) {
	if c.isChosen(f, id) && c.peek(f, id).state == list {
		return c.peek(f, id).first, 0
	}
	return f, id
}

// about is the spot of an entry: at what a value may be read as, that says what it is is
// about what it is read as.
func (c *conversion) about(at spot, e *stash.Entry) spot {
	if e.Value != nil || e.Order != nil {
		at.frame, at.node = c.intoChosen(at.frame, at.node)
	}
	return at
}

// chosen is the element that a value is read as, and its part; none if there is none.
func (c *conversion) chosen(f, id int32) (e int32, part int) {
	parts := c.nodes(f)[id].Parts
	for i := range parts.All {
		if s := c.peek(f, parts.All[i].Node); s.state == list {
			return s.first, i
		}
	}
	return none, -1
}

// alternatives counts those that are there.
func (c *conversion) alternatives(f int32, of *plan.Choice) (n int) {
	for _, id := range c.frames[f].scope.Rows[of.Row].At[c.frames[f].side] {
		if c.seen(f, id) != nil {
			n++
		}
	}
	return n
}

// choiceGuard is the guard over a value and its discriminator in g, and over which
// alternatives are there in f: one that the value does not show comes back with those
// beside which it could not be shown.
func (c *conversion) choiceGuard(f, g int32, of *plan.Choice) []byte {
	var text []byte
	for _, id := range [...]int32{of.Discriminator, of.Value} {
		n := &c.nodes(g)[id]
		var value []byte
		if c.peek(g, id).present() {
			value = c.emit(nil, g, id)
		}
		if value = c.normText(value, n.Schema, c.implied(g, id)); value == nil {
			value = []byte{'-'}
		}
		// What some table drops may be gone after a trip that changed nothing else.
		text = append(text, c.texts().WithoutDropped(nil, value, n.Schema)...)
		if c.departs(g, id) {
			text = append(text, '!')
		}
		text = append(text, 0)
	}
	for _, id := range c.frames[f].scope.Rows[of.Row].At[c.frames[f].side] {
		text = strconv.AppendBool(text, c.willStand(f, id))
	}
	return hash(text)
}

// willStand reports whether something stands at the place of an alternative once all
// entries are restored.
func (c *conversion) willStand(f, id int32) bool {
	if stands, said := c.standing[slotAt{f, id}]; said {
		return stands
	}
	return c.seen(f, id) != nil
}

// alternativesGuard is the guard over all alternatives.
func (c *conversion) alternativesGuard(f int32, of *plan.Choice) []byte {
	scope := c.frames[f].scope
	var text []byte
	for _, id := range scope.Rows[of.Row].At[c.frames[f].side] {
		if n := &c.nodes(f)[id]; n.Row != none && scope.Rows[n.Row].Parts != nil && scope.Rows[n.Row].Parts.Choice == of {
			norm := c.normElements(f, id, &scope.Rows[n.Row])
			if norm == nil {
				norm = []byte{'-'}
			}
			if text = append(text, norm...); c.departs(f, id) {
				text = append(text, '!')
			}
			text = append(text, 0)
		} else {
			text = append(append(text, c.seen(f, id)...), 0)
		}
	}
	return hash(text)
}

// unchoose makes values raw again that do not come back from what the target has by
// now: they are kept as a whole.
func (c *conversion) unchoose(f int32) {
	scope, side, g := c.frames[f].scope, c.frames[f].side, c.frames[f].mate
	for _, parts := range scope.Choices {
		id := parts.Choice.Value
		if parts.Side != side || c.peek(f, id).state != parted {
			continue
		}
		e, part := c.chosen(f, id)
		if e == none {
			continue
		}
		there := c.peek(g, scope.Rows[parts.All[part].Row].At[side.Other()][0])
		if there.state == list && c.frames[e].mate != none && there.first == c.frames[e].mate && c.alternatives(g, parts.Choice) == 1 {
			continue
		}
		c.clear(f, parts.All[part].Node)
		c.at(f, id).state = raw
	}
}

// checkChoice keeps a value that the other side does not show.
func (c *conversion) checkChoice(f, id int32, of *plan.Choice) {
	s, g := c.peek(f, id), c.frames[f].mate
	if s.state != raw {
		return
	}
	c.entry(f, id, nil, stash.Entry{Value: c.stashed(s), Guard: c.valueGuard(f, g, of), Row: []byte(of.Mark)})
}

// valueGuard is the guard over all alternatives in g for a value in f, which is kept
// together with what its discriminator says.
func (c *conversion) valueGuard(f, g int32, of *plan.Choice) []byte {
	n, s := &c.nodes(f)[of.Discriminator], c.peek(f, of.Discriminator)
	said := n.Schema.Default // be the object around it made by a default that says more
	if s.state == raw {
		said = c.normText(s.text, n.Schema, said)
	}
	return hash(slices.Concat(c.alternativesGuard(g, of), []byte{'='}, said))
}

// restoreChoices writes the entries for alternatives and for values that may be several
// things, when all others are written but those that take containers away: they come back
// together, or none does.
func (c *conversion) restoreChoices(entries, taken []int, spots []spot) {
	c.standing = map[slotAt]bool{}
	for _, i := range slices.Concat(entries, taken) {
		if e := &c.incoming[i]; e.Guard != nil && !c.isValue(spots[i]) {
			c.standing[slotAt{spots[i].frame, spots[i].node}] = e.Value != nil && e.Value[0] != 'n'
		}
	}
	// What a value is goes with what it is by then, and the value as a whole with both.
	for _, is := range [...]func(spot) bool{c.isAlternative, c.isWhich, c.isValue} {
		for _, i := range entries {
			if at := spots[i]; is(at) && c.mayBe(at, &c.incoming[i]) {
				c.restoreEntry(at, &c.incoming[i])
			}
		}
	}
	c.standing = nil
}

// isWhich reports whether a spot is what says which alternative a value is.
func (c *conversion) isWhich(at spot) bool { return c.choiceSaid(at) != nil }

// choiceSaid is the choice of which a spot is the discriminator, nil if it is none.
func (c *conversion) choiceSaid(at spot) *plan.Choice {
	n, fr := &c.nodes(at.frame)[at.node], c.frames[at.frame]
	if at.member != nil || n.Kind != plan.Operand || n.Row == none {
		return nil
	}
	if of := fr.scope.Rows[n.Row].Which; of != nil && of.Discriminator == at.node {
		return of
	}
	return nil
}

// mayBe reports whether an entry goes with a value: one that stands as some alternative,
// since what took that away is lost or made up, is not called another.
func (c *conversion) mayBe(at spot, e *stash.Entry) bool {
	of := c.choiceSaid(at)
	if of == nil {
		return true
	}
	word := e.Value
	if word == nil {
		word = c.implied(at.frame, at.node)
	}
	chosen, part := c.chosen(at.frame, of.Value)
	return chosen == none || c.nodes(at.frame)[of.Value].Parts.Chosen(word) == part
}

// ofChoice reports whether an entry is about an alternative, about a value that may be
// several things, or about what says which.
func (c *conversion) ofChoice(at spot) bool {
	return c.isAlternative(at) || c.isWhich(at) || c.isValue(at)
}

func (c *conversion) isValue(at spot) bool {
	n := &c.nodes(at.frame)[at.node]
	return n.Kind == plan.Parted && n.Parts.Choice != nil
}

func (c *conversion) isAlternative(at spot) bool {
	n, fr := &c.nodes(at.frame)[at.node], c.frames[at.frame]
	return at.member == nil && n.Kind == plan.Operand && n.Row != none && choice(&fr.scope.Rows[n.Row], fr.side.Other()) != nil
}

// restoreChoice gives back a value that the other side could not show, as long as all
// alternatives there are what they were.
func (c *conversion) restoreChoice(at spot, n *plan.Node, e *stash.Entry) {
	of := n.Parts.Choice
	if at.member != nil || e.Value == nil || string(e.Row) != of.Mark || !c.parentStands(at.frame, n.Parent) {
		return
	}
	if string(c.valueGuard(at.frame, c.frames[at.frame].mate, of)) != string(e.Guard) {
		return
	}
	c.empty(at.frame, at.node)
	c.set(c.at(at.frame, at.node), e.Value)
}
