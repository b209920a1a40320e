package verify

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// change is a way in which a table becomes another one. It changes the CRD and the
// table that it is given, or reports that it cannot.
type change struct {
	class string
	// way is the only way in which it is done: it makes the later table, or the
	// earlier one.
	way  way
	make func(*generator, *apiextensionsv1.CustomResourceDefinition, *v1alpha1.Crosswalk) bool
}

type way int

const (
	either way = iota
	forwards
	backwards
)

// rareChanges is how many of the changes need something that few tables have: they come
// first.
const rareChanges = 5

func changes() []change {
	return []change{
		{class: "an expression", make: (*generator).otherExpression},
		{class: "a parameter's value", make: (*generator).otherParameter},
		{class: "a function", make: (*generator).otherFunction},
		{class: "values", make: (*generator).otherValues},
		{class: "places swapped", make: (*generator).swapPlaces},
		{class: "rows", make: (*generator).takeRows},
		{class: "parameters", make: (*generator).otherParameters},
		{class: "hub turned", make: (*generator).turnHub},
		{class: "a field of the schema", make: (*generator).takeField},
		{class: "version added", way: forwards, make: (*generator).addVersion},
		{class: "version removed", way: backwards, make: (*generator).addVersion},
		{class: "hub moved on", way: forwards, make: (*generator).moveHub},
		{class: "hub replaced", way: forwards, make: (*generator).replaceHub},
	}
}

// evolution makes of a table another one that was there before, or came after, and
// returns the later with the earlier attached; nil where neither way compiles.
func (g *generator) evolution(s *Subject, compile CompileFunc) *Subject {
	all := changes()
	for range 12 {
		crd, table := s.CRD.DeepCopy(), s.Table.DeepCopy()
		kind := all[g.Rand.IntN(len(all))]
		if rare := all[g.Rand.IntN(rareChanges)]; g.Chance(60) {
			kind = rare
		}
		if !kind.make(g, crd, table) {
			continue
		}
		class, several := kind.class, false
		// Beside a hub that is gone everything else stays: what it had kept is for nobody
		// unless the new one is like it.
		for kind.class != "hub replaced" && g.Chance(20) {
			// What changes in both ways may change in either.
			if more := all[g.Rand.IntN(len(all))]; more.way == either && more.make(g, crd, table) {
				several = true
			}
		}
		other, err := NewSubject(crd, table, compile)
		if err != nil {
			continue
		}
		earlier, later := s, other
		switch {
		case kind.way == backwards: // then it comes first
			earlier, later = other, s
		case kind.way == either && g.Chance(50):
			earlier, later, class = other, s, class+", undone"
		}
		if several {
			class = "several"
		}
		g.Seen.Count("change/" + class)
		out := *later
		out.After(earlier)
		return &out
	}
	return nil
}

// eachList calls f for every list of rows, nested ones and tables too.
func eachList(table *v1alpha1.Crosswalk, f func(rows *[]v1alpha1.Row)) {
	var walk func(rows *[]v1alpha1.Row)
	walk = func(rows *[]v1alpha1.Row) {
		f(rows)
		for i := range *rows {
			for _, inner := range (*rows)[i].Inner() {
				walk(inner.Rows)
			}
		}
	}
	for i := range table.Spec.Versions {
		v := &table.Spec.Versions[i]
		walk(&v.Rows)
		for _, name := range slices.Sorted(maps.Keys(v.Tables)) {
			rows := v.Tables[name]
			walk(&rows)
			v.Tables[name] = rows
		}
	}
}

// takeRows takes one or two rows away.
func (g *generator) takeRows(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	n := countRows(table)
	for range 1 + g.Rand.IntN(2) {
		if n == 0 {
			return false
		}
		removeRow(table, g.Rand.IntN(n))
		n = countRows(table)
	}
	return true
}

// swapPlaces ties two places of a spoke to each other's places of the hub.
func (g *generator) swapPlaces(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	type pair struct{ a, b *v1alpha1.Row }
	var pairs []pair
	eachList(table, func(rows *[]v1alpha1.Row) {
		for i := range *rows {
			for j := range i {
				a, b := &(*rows)[i], &(*rows)[j]
				if a.Spoke != nil && a.Hub != nil && b.Spoke != nil && b.Hub != nil && a.Hub.Path != "" && b.Hub.Path != "" {
					pairs = append(pairs, pair{a, b})
				}
			}
		}
	})
	if len(pairs) == 0 {
		return false
	}
	p := pairs[g.Rand.IntN(len(pairs))]
	p.a.Hub, p.b.Hub = p.b.Hub, p.a.Hub
	return true
}
