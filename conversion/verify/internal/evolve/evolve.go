// Package evolve makes another table, and another CRD, of those of a CRD that exists, as authors
// do when an API changes: it takes rows and fields, changes what mappings mean, and adds or
// replaces versions. Law L7 compares what the two tables make of one object.
package evolve

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/rows"
)

// Order tells which of two tables came first.
type Order int

const (
	// None: no change was possible.
	None Order = iota
	// Later: the table that was made came after the one that it was made of.
	Later
	// Earlier: the table that was made came before it.
	Earlier
)

// Change changes copies of a CRD and its table, in one way or in several. It calls accept with them,
// and if that returns false, it tries another change. After twelve attempts it returns None.
func Change(g *draw.Generator, crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk, accept func(*apiextensionsv1.CustomResourceDefinition, *v1alpha1.Crosswalk) bool) Order {
	c, all := changer{g}, changes()
	for range 12 {
		crd, table := crd.DeepCopy(), table.DeepCopy()
		kind := all[g.Rand.IntN(len(all))]
		if rare := all[g.Rand.IntN(rareChanges)]; g.Chance(60) {
			kind = rare
		}
		if !kind.make(c, crd, table) {
			continue
		}
		class, several := kind.class, false
		// If the hub is replaced, everything else stays: what the old one kept belongs to no
		// version, unless the new one is like it.
		for kind.class != "hub replaced" && g.Chance(20) {
			if more := all[g.Rand.IntN(len(all))]; more.order == None && more.make(c, crd, table) {
				several = true
			}
		}
		if !accept(crd, table) {
			continue
		}
		order := kind.order
		if order == None {
			order = Later
			if g.Chance(50) {
				order, class = Earlier, class+", undone"
			}
		}
		if several {
			class = "several"
		}
		g.Seen.Count("change/" + class)
		return order
	}
	return None
}

// change is a way in which a table becomes another one.
type change struct {
	class string
	// order is that of the table that it makes, or None if it may be both.
	order Order
	// make changes the CRD and the table, or returns false if it can't.
	make func(changer, *apiextensionsv1.CustomResourceDefinition, *v1alpha1.Crosswalk) bool
}

// changer chooses among the places that a change can be made at.
type changer struct{ *draw.Generator }

// rareChanges is the number of changes that need something that few tables have. They come first.
const rareChanges = 5

func changes() []change {
	return []change{
		{class: "an expression", make: changer.otherExpression},
		{class: "a parameter's value", make: changer.otherParameter},
		{class: "a function", make: changer.otherFunction},
		{class: "values", make: changer.otherValues},
		{class: "places swapped", make: changer.swapPlaces},
		{class: "rows", make: changer.takeRows},
		{class: "parameters", make: changer.otherParameters},
		{class: "hub turned", make: changer.turnHub},
		{class: "a field of the schema", make: changer.takeField},
		{class: "version added", order: Later, make: changer.addVersion},
		{class: "version removed", order: Earlier, make: changer.addVersion},
		{class: "hub moved on", order: Later, make: changer.moveHub},
		{class: "hub replaced", order: Later, make: changer.replaceHub},
	}
}

// takeRows removes one or two rows.
func (c changer) takeRows(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	n := rows.Count(table)
	for range 1 + c.Rand.IntN(2) {
		if n == 0 {
			return false
		}
		rows.Remove(table, c.Rand.IntN(n))
		n = rows.Count(table)
	}
	return true
}

// swapPlaces exchanges the hub's places of two rows.
func (c changer) swapPlaces(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	type pair struct{ a, b *v1alpha1.Row }
	var pairs []pair
	rows.EachList(table, func(list *[]v1alpha1.Row) {
		for i := range *list {
			for j := range i {
				a, b := &(*list)[i], &(*list)[j]
				if a.Spoke != nil && a.Hub != nil && b.Spoke != nil && b.Hub != nil && a.Hub.Path != "" && b.Hub.Path != "" {
					pairs = append(pairs, pair{a, b})
				}
			}
		}
	})
	if len(pairs) == 0 {
		return false
	}
	p := pairs[c.Rand.IntN(len(pairs))]
	p.a.Hub, p.b.Hub = p.b.Hub, p.a.Hub
	return true
}
