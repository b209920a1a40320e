package compile

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// partRow is how a row maps one part of a list.
type partRow struct {
	name string
	// operand is the number of the part's field on the other side.
	operand int
	tests   []plan.Test
	lists   []rowList
	table   string
	keys    *listKeys
}

// partRows makes a row for each part of a list.
func (b *builder) partRows(w *writtenRow, list *schema.Schema, parts []partRow) bool {
	before, other := b.found.Reported, w.merged.Other()
	w.parts = &plan.Parts{Side: w.merged, All: make([]plan.Part, len(parts))}
	for i, p := range parts {
		place, at := w.schemas[other][p.operand], w.paths[other][p.operand]
		c := &collection{lists: p.lists, table: p.table, part: p.name, tests: p.tests, w: w}
		c.forms[w.merged], c.elements[w.merged], c.at[w.merged] = plan.List, list.Items, w.paths[w.merged][0]
		c.forms[other], c.elements[other], c.at[other] = plan.One, place, at
		if place.Type == "array" {
			c.forms[other], c.elements[other] = plan.List, place.Items
			if place.Items == nil {
				c.elements[other] = schema.Any()
			}
			if c.keys = p.keys; c.keys != nil {
				c.keys.lists[w.merged], c.keys.lists[other] = list, place
			}
		}
		if !schema.Fit(c.elements[plan.Spoke], c.elements[plan.Hub]) && !namesItself(c.lists) {
			b.problem(w, "add rows that convert one into the other, for example "+inRows(c.elements),
				"%s %s: %s is of type %s, but the elements of %s are of type %s", w.mapping.name, p.name, at, c.elements[other].Describe(), w.paths[w.merged][0], list.Items.Describe())
			continue
		}
		r := plan.Row{Parts: w.parts, Part: i}
		b.collect(&r, c)
		r.NeedsElement = "an element that meets the conditions of " + p.name
		r.Needs = [2]string{"values that the rows for its elements can map", "values that the rows for its elements can map"}
		w.parts.All[i] = plan.Part{Name: p.name, Tests: c.tests, Row: b.row(r)}
	}
	if b.found.Reported > before {
		w.parts = nil
		return false
	}
	for i := range w.parts.All {
		w.parts.All[i].Sure = w.parts.Sure(i)
	}
	return true
}

// placeParts makes the nodes of a row with parts.
func (b *builder) placeParts(side plan.Side, parent int32, name string, c *claim, s *schema.Schema) {
	w := c.row
	if side != w.merged {
		id := b.node(side, parent, name, plan.Operand, s)
		for i := range w.parts.All {
			if w.parts.All[i].Name == w.names[side][c.operand] {
				b.operand(side, id, w.parts.All[i].Row, 0)
			}
		}
		return
	}
	if choice := w.parts.Choice; choice != nil && w.names[side][c.operand] == typeName {
		choice.Discriminator = b.node(side, parent, name, plan.Operand, s)
		b.operand(side, choice.Discriminator, choice.Row, 0)
		return
	}
	list := b.node(side, parent, name, plan.Parted, s)
	b.out.Nodes[side][list].Parts = w.parts
	if choice := w.parts.Choice; choice != nil {
		choice.Value = list
		b.out.Choices = append(b.out.Choices, w.parts)
	}
	for i := range w.parts.All {
		p := &w.parts.All[i]
		p.Node = b.node(side, list, p.Name, plan.Operand, s)
		b.operand(side, p.Node, p.Row, 0)
		b.out.Nodes[side][p.Node].Named = w.named()
	}
}

// claimFixed claims the fields whose value the conditions of a part fix, if the other side has no
// such field.
func (b *builder) claimFixed(c *collection, claims [2]*claim, schemas [2]*schema.Schema) {
	for i := range c.tests {
		t := &c.tests[i]
		if len(t.Values) != 1 || hasField(t.At, claims[c.w.merged], claims[c.w.merged.Other()], schemas[c.w.merged.Other()]) {
			continue
		}
		t.Fixed = true
		w := &writtenRow{title: c.w.title + ", " + c.w.mapping.name + " " + c.part, fixed: t.Values[0], index: plan.None}
		b.insert(claims[c.w.merged], w, c.w.merged, 0, t.At)
	}
}

// hasField reports whether the other side has a field of an element, or a row that writes it.
func hasField(at path.Path, mine, theirs *claim, other *schema.Schema) bool {
	for _, name := range at {
		if mine, theirs = mine.member(name), theirs.member(name); mine.claimed() {
			return true
		}
		if theirs.claimed() {
			return false
		}
	}
	return other.At(at) != nil && !other.IsAny()
}
