package engine

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// keepParts takes back what a stash has put into elements of a list's parts by which they
// would belong to another part: no conversion has kept that, and the other version would
// show them elsewhere. It reports whether there was any.
func (c *conversion) keepParts(g int32) (taken bool) {
	scope, side := c.frames[g].scope, c.frames[g].side
	for i := range scope.Rows {
		r := &scope.Rows[i]
		if r.Kind != plan.Elements || !ofParted(r, side) || r.Parts.Choice != nil || c.peek(g, r.At[side][0]).state != list {
			continue
		}
		for e := c.peek(g, r.At[side][0]).first; e != none; e = c.frames[e].next {
			if c.hasRestored(e) && r.Parts.Find(c.emit(nil, e, 0)) != r.Part {
				for _, p := range r.Parts.All {
					for _, test := range p.Tests {
						taken = c.takeBack(e, test.At) || taken
					}
				}
			}
		}
	}
	c.eachElement(g, func(e int32) { taken = c.keepParts(e) || taken })
	return taken
}

// hasRestored reports whether a stash has put something into an element.
func (c *conversion) hasRestored(e int32) bool {
	found := false
	c.frames[e].pieces(func(_ int, slots []slot) {
		found = found || slices.ContainsFunc(slots, func(s slot) bool { return s.restored || s.kept != none })
	})
	return found
}

// takeBack takes away what only a stash has put at a place, or around it.
func (c *conversion) takeBack(e int32, at path.Path) bool {
	fr := c.frames[e]
	id := int32(0)
	for _, name := range at {
		child := fr.scope.Child(fr.side, id, []byte(name))
		if child == none {
			return c.takeUnknown(e, id, name)
		}
		if n, s := &fr.scope.Nodes[fr.side][child], c.peek(e, child); s.restored && (n.Kind == plan.Keep || n.Kind == plan.Container && n.Twin == none) {
			c.empty(e, child)
			return true
		}
		id = child
	}
	return false
}

// takeUnknown takes a member away that a stash has put into an object and no schema names.
func (c *conversion) takeUnknown(e, id int32, name string) bool {
	for at := &c.peek(e, id).kept; *at != none; at = &c.unknowns[*at].next {
		if quoted := c.unknowns[*at].name; string(unquote(quoted[1:len(quoted)-1])) == name {
			*at = c.unknowns[*at].next
			return true
		}
	}
	return false
}
