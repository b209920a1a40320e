package complement

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// A place is what the plan knows of a value: whether the other version has the value too, has it
// elsewhere, or does not have it.
type place struct {
	scope *plan.Scope
	side  plan.Side
	// node is the node of the place, or the last one around it. depth is the number of names from
	// that to the place.
	node  int32
	depth int
}

// owner is which versions have a place.
type owner uint8

const (
	// shared is a place that both versions have.
	shared owner = iota
	// own is a place that only this version has.
	own
	// mapped is a place that a row maps to others.
	mapped
	// dropped is a place that the table drops.
	dropped
	// fixed is a place that conversions themselves write.
	fixed
	// computed is a place that Go code computes.
	computed
)

// rootOf returns the place of the value that a scope pairs.
func rootOf(scope *plan.Scope, side plan.Side) place { return place{scope: scope, side: side} }

func (p place) at() *plan.Node { return &p.scope.Nodes[p.side][p.node] }

// member returns the place of a member.
func (p place) member(name []byte) place {
	if p.depth == 0 && p.at().Kind == plan.Container {
		if child := p.scope.Child(p.side, p.node, name); child != plan.None {
			return place{scope: p.scope, side: p.side, node: child}
		}
	}
	p.depth++
	return p
}

// isHead reports whether a member of the whole object is one that conversions themselves write.
func isHead(p place, name []byte) bool {
	return p.node == 0 && p.depth == 0 && (string(name) == "apiVersion" || string(name) == "kind")
}

// owner returns which versions have the place.
func (p place) owner() owner {
	n := p.at()
	if p.scope.IsCode {
		return computed
	}
	switch n.Kind {
	case plan.Container:
		if n.Twin == plan.None || p.depth > 0 && n.KeepUnknown {
			return own
		}
		return shared
	case plan.Keep:
		return own
	case plan.Drop:
		return dropped
	case plan.APIVersion:
		return fixed
	}
	return mapped
}

// isKept reports whether no row makes the place of anything: only this version has it.
func (p place) isKept() bool { return p.scope != nil && !p.scope.IsCode && p.at().Kind == plan.Keep }

// isOpen reports whether rows may make something in an object that only this version has. Other
// objects are kept whole.
func (p place) isOpen() bool { return p.depth > 0 || p.at().Kind == plan.Container }

// around returns the place of an object around the place, some steps up. Its scope is nil if it is
// in another scope.
func (p place) around(steps int) place {
	for ; steps > 0; steps-- {
		switch {
		case p.depth > 0:
			p.depth--
		case p.node == 0:
			return place{}
		default:
			p.node = p.at().Parent
		}
	}
	return p
}

// within returns the place of an element that no scope pairs with one of the other version.
func (p place) within() place {
	p.depth++
	return p
}

// isCode reports whether Go code computes the place.
func (p place) isCode() bool { return p.scope != nil && p.scope.IsCode }

// hasElements reports whether the elements of a list at the place are compared one by one.
func (p place) hasElements() bool { return p.elements() != nil || p.parts() != nil || p.isCode() }

// row returns the row that maps the place, or the object around it, or nil.
func (p place) row() *plan.Row {
	if n := p.at(); n.Row != plan.None {
		return &p.scope.Rows[n.Row]
	}
	return nil
}

// elements returns the row that maps the elements of the list or the map at the place, or nil.
func (p place) elements() *plan.Row {
	if r := p.row(); p.depth == 0 && r != nil && r.Kind == plan.Elements {
		return r
	}
	return nil
}

// parts returns the parts of the list or of the value at the place, or nil.
func (p place) parts() *plan.Parts {
	if n := p.at(); p.depth == 0 && n.Kind == plan.Parted {
		return n.Parts
	}
	return nil
}

// alternative returns the alternative that the value at a place is, or nil. root is the value that
// the scope of the place pairs.
func (p place) alternative(t *tree, root int32) *plan.Part {
	parts := p.parts()
	if parts == nil || parts.Choice == nil || root == none {
		return nil
	}
	id := parts.Choice.Discriminator
	word := t.scalarAt(root, namesTo(p.scope, p.side, id), p.scope.Nodes[p.side][id].Schema)
	for i := range parts.All {
		if word != nil && bytes.Equal(parts.All[i].Word, word) {
			return &parts.All[i]
		}
	}
	return nil
}

// pairs reports whether a scope pairs elements of the list, the map or the value at the place.
func (p place) pairs(scope *plan.Scope) bool {
	if r := p.elements(); r != nil {
		return r.Elements == scope
	}
	return p.partOf(scope) >= 0
}

// partOf returns the number of the part that has the elements of a scope, or -1 if the list or the value
// at the place has no parts.
func (p place) partOf(scope *plan.Scope) int {
	parts := p.parts()
	if parts == nil {
		return -1
	}
	return slices.IndexFunc(parts.All, func(part plan.Part) bool { return p.scope.Rows[part.Row].Elements == scope })
}

// listThere returns the name of the list that has the elements of a scope in the other version, or nil
// if that is not one of several.
func (p place) listThere(scope *plan.Scope) []byte {
	if i := p.partOf(scope); i >= 0 {
		return []byte(p.parts().All[i].Name)
	}
	return nil
}

// namesTo returns the names from the value of a scope to a node. A part of a list has the names of
// the list.
func namesTo(scope *plan.Scope, side plan.Side, id int32) []string {
	var names []string
	nodes := scope.Nodes[side]
	for ; id > 0; id = nodes[id].Parent {
		if nodes[nodes[id].Parent].Kind != plan.Parted {
			names = append(names, nodes[id].Name)
		}
	}
	for i, j := 0, len(names)-1; i < j; i, j = i+1, j-1 {
		names[i], names[j] = names[j], names[i]
	}
	return names
}

// schema returns the schema of the place, or of the last node around it.
func (p place) schema() *schema.Schema { return p.at().Schema }
