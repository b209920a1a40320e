package compile

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// claim is a place that a row names, or that leads to one.
type claim struct {
	members map[string]*claim
	// watched says that something looks at the place without tying it: a row, or who
	// tells elements apart.
	watched bool
	row     *written // nil if rows only reach further in
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

// at returns the claim of a place, which is made if there is none.
func (c *claim) at(p path.Path) *claim {
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
	return c
}

// innermost finds the row that claims a place, or else the next place around it, and
// how many names lead to what it claims.
func (c *claim) innermost(p path.Path) (w *written, depth int) {
	for i := 0; c != nil; i++ {
		if c.row != nil {
			w, depth = c.row, i
		}
		if i == len(p) {
			break
		}
		c = c.members[p[i]]
	}
	return w, depth
}

// insert notes that the row claims p.
func (b *builder) insert(c *claim, w *written, side plan.Side, operand int, p path.Path) {
	c = c.at(p)
	if w.watches(side, operand) {
		c.watched = true
		return
	}
	if c.row != nil {
		b.problem(w, oneRow(w, c, side, operand), "%s path %s is also in %s", side, p, c.row.title)
		w.broken = true
		return
	}
	c.row, c.operand = w, operand
	w.allClaims[side] = append(w.allClaims[side], c)
	if operand == 0 {
		w.claims[side] = c
	}
}
