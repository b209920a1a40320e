package compile

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// claim is a field that a row names, or an object on the way to one.
type claim struct {
	members map[string]*claim
	// watched says that something reads the field without mapping it: a row, or the address of an
	// element.
	watched bool
	row     *writtenRow // nil if rows only name fields inside
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

// names appends to names those of the members that it lacks.
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

// at returns the claim of a field. It makes one if there is none.
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

// innermost finds the innermost row that claims a field or an object around it. depth is the number
// of names in the path to its claim.
func (c *claim) innermost(p path.Path) (w *writtenRow, depth int) {
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

// insert records that a row claims a field.
func (b *builder) insert(c *claim, w *writtenRow, side plan.Side, operand int, p path.Path) {
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
