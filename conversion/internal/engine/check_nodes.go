package engine

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// checkNode checks what belongs to no row. It reports whether converting back
// will make something of the node, be it by an entry.
func (c *conversion) checkNode(f, id int32) bool {
	nodes := c.nodes(f)
	n := &nodes[id]
	s := c.peek(f, id)
	switch n.Kind {
	case plan.Keep:
		return c.checkKept(f, id, n)
	case plan.Operand:
		return s.present() || s.back
	case plan.Name, plan.Fixed:
		return s.present()
	case plan.Parted:
		c.checkParted(f, id, n)
		return s.present()
	case plan.Container:
		if s.byDefault {
			c.checkConstants(f, id)
			return false
		}
		made := false
		for _, child := range n.Children {
			made = c.checkNode(f, child) || made
		}
		for u := c.peek(f, id).kept; u != none; u = c.unknowns[u].next {
			c.entryUnknown(f, id, u)
			made = true
		}
		if n.Twin == none {
			return c.checkOwned(f, id, made)
		}
		c.checkTwin(f, id, n, made)
		return s.present()
	}
	return false
}

func (c *conversion) checkKept(f, id int32, n *plan.Node) bool {
	s := c.peek(f, id)
	if s.state == absent {
		if n.Fill != nil && !n.FillIsDefault && c.isThereByDefault(f, n.Parent) && !(n.FromAround && bytes.Equal(c.implied(f, id), n.Fill)) {
			c.entry(f, id, nil, stash.Entry{})
		}
		return false
	}
	if n.Fill != nil && bytes.Equal(c.normText(s.text, n.Schema, c.implied(f, id)), n.Fill) {
		return false // filled in on the way back
	}
	c.entry(f, id, nil, stash.Entry{Value: c.stashed(s)})
	return true
}

// checkConstants keeps the absence of constants in a container that the API server
// makes again: conversion fills them in wherever a container stands.
func (c *conversion) checkConstants(f, id int32) {
	nodes := c.nodes(f)
	for _, child := range nodes[id].Children {
		switch n, s := &nodes[child], c.peek(f, child); {
		case n.Kind == plan.Container && s.state == object:
			c.checkConstants(f, child)
		case n.Kind == plan.Keep && s.state == absent && n.Fill != nil && !n.FillIsDefault:
			c.entry(f, child, nil, stash.Entry{})
		}
	}
}

// checkOwned keeps the presence of a container that only the source's version
// has, where nothing in it will bring it back.
func (c *conversion) checkOwned(f, id int32, made bool) bool {
	s, n := c.peek(f, id), &c.nodes(f)[id]
	switch {
	case s.state == raw:
		c.entry(f, id, nil, stash.Entry{Value: c.stashed(s)})
	case s.state == absent && n.ForConstant && !made && c.peek(f, n.Parent).state == object:
		c.entry(f, id, nil, stash.Entry{})
	case s.state == object && !made && (n.ForConstant || n.FillIsDefault && c.isFilling(f, id)):
		return false
	case s.state == object:
		if c.standsAgain(f, id) {
			return true
		}
		if n.Schema.Default != nil && !c.remadeByRows(f, id) {
			made = c.entriesAround(f, id) || made
		}
		if !made {
			c.entry(f, id, nil, stash.Entry{Value: []byte("{}")})
		}
	}
	return s.present() || made
}

// standsAgain reports whether a container stands on the way back though nothing is in it,
// since absence in it is a word of the table.
func (c *conversion) standsAgain(f, id int32) bool {
	if !slices.Contains(c.frames[f].scope.Wholes[c.frames[f].side], id) {
		return false
	}
	g := c.frames[f].mate
	back := c.forward(g)
	c.frames[g].mate = f
	return c.peek(back, id).state == object
}

// remadeByRows reports whether rows make a container again on the way back.
func (c *conversion) remadeByRows(f, id int32) bool {
	nodes := c.nodes(f)
	return slices.ContainsFunc(nodes[id].Children, func(child int32) bool {
		switch nodes[child].Kind {
		case plan.Container:
			return nodes[child].Twin == none && c.remadeByRows(f, child)
		case plan.Operand:
			return c.peek(f, child).state == list || c.comesBackByRow(f, child)
		}
		return nodes[child].Kind == plan.Parted
	})
}

// entriesAround keeps what a container that rows do not make again holds of what its
// default says, though it is filled in there on the way back: another table may know of
// no such default, or of another one.
func (c *conversion) entriesAround(f, id int32) (kept bool) {
	nodes := c.nodes(f)
	for _, child := range nodes[id].Children {
		switch n, s := &nodes[child], c.peek(f, child); {
		case n.Kind == plan.Container && n.ForConstant && s.state == object:
			kept = c.entriesAround(f, child) || kept
		case n.Kind == plan.Keep && n.FromAround && s.present():
			c.entry(f, child, nil, stash.Entry{Value: c.stashed(s)})
			kept = true
		}
	}
	return kept
}

// checkTwin keeps the absence of a container, or a value that is no object,
// where rows from elsewhere made one in the target and it would not follow them, and
// the presence of an empty one that would.
func (c *conversion) checkTwin(f, id int32, n *plan.Node, made bool) {
	s, g := c.peek(f, id), c.frames[f].mate
	t := c.peek(g, n.Twin)
	if c.holdsPlace(f, n) || c.inMetadata(f, id) {
		return
	}
	if follows := n.Follows && (s.state == absent || s.state == object && s.first == none && !made); follows && c.isBeside(f, id) {
		if c.peek(f, id).state == object {
			c.entry(f, id, nil, stash.Entry{Value: []byte("{}")})
		}
		return
	}
	if s.state == object && !t.present() && c.isBare(f, id) && string(n.Schema.Default) != "{}" {
		// It was taken away there, and nothing makes it again here, or no more than a
		// default that says something else.
		c.entry(f, id, nil, stash.Entry{Value: []byte("{}"), Guard: c.wholeGuard(g, n.Twin, nil)})
		return
	}
	switch {
	case s.state == object, s.state == raw && t.state == raw, s.state == absent && !t.present():
		return
	}
	if s.state == raw && s.text[0] == 'n' && !n.Schema.Nullable && !t.present() {
		return
	}
	if implied := c.implied(f, id); s.state == absent && implied != nil {
		back := c.forward(g)
		c.settle(back)
		if bytes.Equal(c.normText(c.emit(nil, back, id), n.Schema, nil), implied) {
			return
		}
	}
	if n.Parent == none {
		// The value of a map, which has no counterpart to guard it.
		c.entry(f, id, nil, stash.Entry{Value: c.stashed(s)})
		return
	}
	var text []byte
	if t.present() {
		text = c.emit(nil, g, n.Twin)
	}
	c.entry(f, id, nil, stash.Entry{Value: c.stashed(s), Guard: c.wholeGuard(g, n.Twin, text)})
}

func (c *conversion) entryUnknown(f, id, u int32) {
	name := c.unknowns[u].name
	c.entry(f, id, name[1:len(name)-1], stash.Entry{Value: c.canonical(c.unknowns[u].value, nil)})
}
