package plan

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
)

// claim is a place that a row names, or that leads to one.
type claim struct {
	members map[string]*claim
	// watched says that a row looks at the place without tying it.
	watched bool
	row     *written // nil where rows only reach further in
	operand int
}

func (c *claim) member(name string) *claim {
	if c == nil {
		return nil
	}
	return c.members[name]
}

func (c *claim) leads() bool { return c != nil && len(c.members) > 0 }

func (c *claim) isWatched() bool { return c != nil && c.watched }

func (c *claim) claimed() bool { return c != nil && c.row != nil }

// names appends the names of the members to those in names that it lacks.
func (c *claim) names(names []string) []string {
	if c == nil {
		return names
	}
	for name := range c.members {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// insert notes that the row claims p.
func (b *builder) insert(c *claim, w *written, side Side, operand int, p path.Path) {
	watches := w.watches(side)
	for _, name := range p {
		next := c.members[name]
		if next == nil {
			if c.members == nil {
				c.members = map[string]*claim{}
			}
			next = &claim{}
			c.members[name] = next
		}
		c = next
	}
	if watches {
		c.watched = true
		return
	}
	if c.row != nil {
		b.problem(w, b.oneRow(w, c.row), "%s path %s is claimed by %s too", side, p, c.row.title)
		return
	}
	c.row, c.operand = w, operand
	w.allClaims[side] = append(w.allClaims[side], c)
	if operand == 0 {
		w.claims[side] = c
	}
}

// oneRow is the remedy for a place that two rows claim.
func (b *builder) oneRow(w, other *written) string {
	switch {
	case w.Table != "" && other.Table != "":
		return "every place belongs to one row: put the rows of both tables into one, or write those of one without a table"
	case w.mapping == nil && w.Drop == "" && w.Constant == nil:
		return "every place belongs to one row: remove one of the two, or compute all places that have to do with it in one row, by cel"
	}
	return "every place belongs to one row: remove one of the two"
}
