package compile

import (
	"fmt"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// collection is how a row maps elements.
type collection struct {
	forms [2]plan.Form
	lists []rowList
	title string
	// table is the named table among the lists, or "".
	table string
	// elements are the schemas of an element, at the paths of the collections.
	elements [2]*schema.Schema
	at       [2]path.Path
	// local are the same paths relative to the scope around the row.
	local [2]path.Path
	// keys are the keys that identify elements of lists.
	keys *listKeys
	// naming maps fields of a list's element to its name in the map of the other side, or is nil.
	naming *plan.Naming
	// part is the name of a part of a list, or "", and tests are its conditions.
	part  string
	tests []plan.Test
	w     *writtenRow
}

// collect sets what a row for elements needs.
func (b *builder) collect(r *plan.Row, c *collection) {
	r.Kind, r.Exact, r.Forms, c.local = plan.Elements, false, c.forms, c.at
	for side := range c.at {
		c.at[side] = b.fullPath(plan.Side(side), c.at[side])
	}
	r.Elements = b.scope(c.lists, c.elements, c.at, false, c)
	if r.Elements.Loose && (holdsSensitive(c.elements[plan.Spoke]) || holdsSensitive(c.elements[plan.Hub])) {
		b.problem(c.w, "map the lists with each, or drop the field with a reason",
			"an element that the other version can't represent is kept whole, but a field in it is sensitive")
	}
}

func holdsSensitive(s *schema.Schema) bool {
	if s == nil {
		return false
	}
	for _, m := range s.Members {
		if holdsSensitive(m) {
			return true
		}
	}
	return s.Sensitive || holdsSensitive(s.Values) || holdsSensitive(s.Items)
}

// claimNames claims the fields that make the name of an element.
func (b *builder) claimNames(c *collection, claims [2]*claim) {
	side := plan.Spoke
	if c.forms[plan.Hub] == plan.List {
		side = plan.Hub
	}
	w := &writtenRow{title: c.title + "key", isName: true, index: plan.None}
	for _, name := range c.naming.Members {
		if own := claims[side].member(name); own.claimed() {
			if own.row.implied {
				b.problem(c.w, "name another field", "keyed: %s is part of the key in the map, but value also names it", name)
				continue
			}
			remedy := "remove the row"
			if there := own.row.paths[side.Other()]; len(there) == 1 && own.row.mapping == nil {
				remedy = fmt.Sprintf("if the values of the map also have it, replace the row with {%s: %s, cel: {%s: self.%s}}", side.Other(), diagnose.Path(there[0]), direction(side.Other()), name)
			}
			b.problem(own.row, remedy, "keyed: %s is part of the key in the map, but this row maps it to another field", name)
			continue
		}
		b.insert(claims[side], w, side, 0, path.Path{name})
	}
}

// rootRow finds the row that maps whole elements, on either side.
func rootRow(claims [2]*claim) *writtenRow {
	for _, c := range claims {
		if c.row != nil {
			return c.row
		}
	}
	return nil
}

// pairWhole pairs two elements of which at least one is mapped whole.
func (b *builder) pairWhole(w *writtenRow, claims [2]*claim, schemas [2]*schema.Schema) {
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		if claims[side].row != nil {
			id := b.node(side, plan.None, "", plan.Operand, schemas[side])
			b.out.Nodes[side][id].Named = w.named()
			if w.index != plan.None {
				b.operand(side, id, w.index, claims[side].operand)
			}
			continue
		}
		id := b.node(side, plan.None, "", plan.Container, schemas[side])
		b.out.Nodes[side][id].KeepUnknown = true
		b.keepInside(side, id, claims[side])
	}
	b.out.Root = w.index
}

// withoutDefault returns the schema of a field without its default, which its elements don't have.
func withoutDefault(s *schema.Schema) *schema.Schema {
	if s.Default == nil {
		return s
	}
	element := *s
	element.Default = nil
	return &element
}

// namesItself reports whether some row names a whole element.
func namesItself(lists []rowList) bool {
	return slices.ContainsFunc(lists, func(l rowList) bool {
		return slices.ContainsFunc(l.rows, func(r v1alpha1.Row) bool {
			return r.Spoke != nil && r.Spoke.Path == "." || r.Hub != nil && r.Hub.Path == "."
		})
	})
}

// wholePlace returns the path of the element in its rows.
func wholePlace() *v1alpha1.Place { return &v1alpha1.Place{Path: "."} }

// rowOfWhole returns a row between an element on one side and a member of it on the other.
func rowOfWhole(whole plan.Side, member string) v1alpha1.Row {
	inside := &v1alpha1.Place{Path: path.Path{member}.String()}
	if whole == plan.Spoke {
		return v1alpha1.Row{Spoke: wholePlace(), Hub: inside}
	}
	return v1alpha1.Row{Spoke: inside, Hub: wholePlace()}
}

// partOfWhole returns an example of a row for a part of an element that is whole on one side, and
// inside an object on the other.
func (w *writtenRow) partOfWhole(side plan.Side) string {
	of := w.pair()
	names := slices.Sorted(maps.Keys(of[side].Members))
	if len(names) == 0 || len(of[side.Other()].Members) == 0 {
		return ""
	}
	whole, inside := names[0], slices.Sorted(maps.Keys(of[side.Other()].Members))[0]
	if i := slices.IndexFunc(names, func(name string) bool { return of[side.Other()].Members[name] != nil }); i >= 0 {
		whole, inside = names[i], names[i]
	}
	at := w.firstPaths()
	at[side], at[side.Other()] = path.Path{whole}, at[side.Other()].Child(inside)
	return ", for example {spoke: " + diagnose.Path(at[plan.Spoke]) + ", hub: " + diagnose.Path(at[plan.Hub]) + "}"
}

// checkWhole reports rows for whole elements that map nothing.
func (b *builder) checkWhole(w *writtenRow) {
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		if !slices.ContainsFunc(w.paths[side], func(p path.Path) bool { return len(p) == 0 }) {
			continue
		}
		other := side.Other()
		switch {
		case len(w.paths[other]) == 0:
			b.problem(w, "remove the row", "the path . is the element itself, which the row of the list or map handles")
		case w.mapping == nil && len(w.paths[other][0]) == 0 && w.Table != "":
			b.problem(w, b.tableOfWhole(w), "the elements of the two sides correspond without this row; the table belongs to the row of the list or map")
		case w.mapping == nil && len(w.paths[other][0]) == 0:
			b.problem(w, "remove the row", "the elements of the two sides correspond without this row")
		case w.mapping == nil && b.looksInto([2]*claim{}, w.pair()):
			b.problem(w, "map their fields with rows of their own"+w.partOfWhole(side), "the element itself and %s are objects with different fields", w.paths[other][0])
		}
		return
	}
}

// tableOfWhole returns a remedy: how elements get the rows of a table if a row names the whole
// element.
func (b *builder) tableOfWhole(w *writtenRow) string {
	around := b.rowAround()
	switch of := around.w; {
	case around.table != "":
		return oneTable
	case of.hasMapping("where"):
		return "move the table to the part: {place: " + around.part + ", table: " + w.Table + "}, and remove the row"
	case of.hasMapping("variant") && !of.hasCommonRows(around.part):
		return "move the table to the alternative: {name: " + around.part + ", table: " + w.Table + "}, and remove the row"
	default:
		return "move the table: " + of.mapping.name + ": {table: " + w.Table + "}, and remove the row"
	}
}
