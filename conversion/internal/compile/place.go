package compile

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

func (b *builder) checkConstant(w *writtenRow) {
	side, _ := w.onlySide()
	for _, c := range w.allClaims[side] {
		if c.leads() {
			b.problem(w, "put every field into only one row", "%s names a field inside of a field that this row handles", c.within())
		}
	}
	if w.Constant == nil {
		return
	}
	s := w.schemas[side][0]
	if len(w.Constant.JSON) == 0 || !s.Holds(w.Constant.JSON) {
		b.problem(w, diagnose.InQuotes(w.Constant.JSON, s, "use a value of that type"), "constant %s is not of type %s", w.Constant.JSON, s.Describe())
		return
	}
	if err := diagnose.InEnum(schema.Canonical(nil, w.Constant.JSON, nil), s); err != nil {
		b.problem(w, "", "constant %s %v", w.Constant.JSON, err)
		return
	}
	b.warnLacking(w, side, "constant:", w.Constant.JSON)
	b.warnOneKey(w, side)
}

// warnOneKey warns of a constant that is the only key of all elements of a list.
func (b *builder) warnOneKey(w *writtenRow, side plan.Side) {
	if len(b.around) == 0 || len(w.paths[side][0]) != 1 {
		return
	}
	c, key := b.around[len(b.around)-1].c, w.paths[side][0][0]
	if c.part == "" && c.keys != nil && c.forms == [2]plan.Form{plan.List, plan.List} && slices.Equal(c.keys.lists[side].Keys, []string{key}) {
		b.warning(w, "map it to a field that is different in each element",
			"%s identifies the elements of the %s list, but every element from %s would have the same value: the API server rejects a list with two such elements", key, b.versions[side], b.versions[side.Other()])
	}
}

// placeNode makes the node of a field that a row names.
func (b *builder) placeNode(side plan.Side, parent int32, name string, c *claim, s *schema.Schema) {
	next := len(b.out.Nodes[side])
	b.nodeOf(side, parent, name, c, s)
	b.out.Nodes[side][next].Named, b.out.Nodes[side][next].Marked = c.row.named(), c.row.Sensitive
}

func (w *writtenRow) named() *plan.RowName { return &plan.RowName{Row: w.title, Drop: w.Drop} }

// nodeOf makes the node for a place of the row of a claim.
func (b *builder) nodeOf(side plan.Side, parent int32, name string, c *claim, s *schema.Schema) {
	w := c.row
	switch {
	case w.isName:
		b.node(side, parent, name, plan.Name, s)
		return
	case w.fixed != nil:
		b.out.Nodes[side][b.node(side, parent, name, plan.Fixed, s)].Fill = w.fixed
		return
	case w.parts != nil:
		b.placeParts(side, parent, name, c, s)
		return
	}
	if _, single := w.onlySide(); single {
		if w.Drop != "" {
			b.node(side, parent, name, plan.Drop, s)
			return
		}
		id := b.node(side, parent, name, plan.Keep, s)
		n := &b.out.Nodes[side][id]
		switch {
		case w.Constant != nil:
			n.Fill = schema.Canonical(nil, w.Constant.JSON, s)
			n.FillIsDefault = slices.Equal(n.Fill, s.Default)
		case s.Default != nil:
			n.Fill, n.FillIsDefault = s.Default, true
		default:
			b.checkRequired(side, parent, id, w)
		}
		return
	}
	if w.deep {
		w.pairedNodes[side] = b.node(side, parent, name, plan.Container, s)
		if other := side.Other(); w.pairedNodes[other] != 0 {
			b.moved = append(b.moved, movedObject{ids: w.pairedNodes, claims: w.claims})
		}
		return
	}
	id := b.node(side, parent, name, plan.Operand, s)
	if w.index != plan.None {
		b.operand(side, id, w.index, c.operand)
	}
}

func (b *builder) checkRequired(side plan.Side, parent, id int32, w *writtenRow) {
	if b.out.Nodes[side][parent].Schema.Requires(b.out.Nodes[side][id].Name) {
		b.problem(w, "add a constant to the row", "the %s schema requires %s, but objects of %s have no value for it", b.versions[side], b.pathOf(side, id), b.versions[side.Other()])
	}
}

// within returns the title of a row that claims a field inside. Of several, it returns the first by
// the names of the fields.
func (c *claim) within() string {
	for _, name := range slices.Sorted(maps.Keys(c.members)) {
		if m := c.members[name]; m.row != nil {
			return m.row.title
		} else if title := m.within(); title != "" {
			return title
		}
	}
	return "another row"
}
