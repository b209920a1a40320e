package complement

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// An entry of order says which elements of a list the other version cannot show, and behind which of
// the others each stood. If the others stood in another order than that in which they are made, it
// names them all, with the rank that each has among what is made: that order applies as long as those
// of them that are still made have the same ranks among each other.

// order returns the items of such an entry, nil if none is needed.
func (d *difference) order(p place, was, is []int32, pairs []int, steps []stash.Step) []stash.Item {
	last, ranked, leftOut := -1, false, false
	for _, j := range pairs {
		switch {
		case j < 0:
			leftOut = true
		case j < last:
			ranked = true
		default:
			last = j
		}
	}
	if !ranked && !leftOut {
		return nil
	}
	doubles := d.doubles(p, was, is, pairs)
	items := []stash.Item{}
	anchor := -1
	for i, j := range pairs {
		switch {
		case j >= 0 && ranked:
			items = append(items, stash.Item{Step: steps[j], Rank: j + 1})
		case j >= 0:
			anchor = j
		default:
			if anchor >= 0 {
				items = append(items, stash.Item{Step: steps[anchor]})
				anchor = -1
			}
			items = append(items, stash.Item{Value: schema.Canonical(nil, d.source.value(was[i]), nil), Double: doubles[i]})
		}
	}
	return items
}

// doubles reports which of the elements that are not made have the key of one that is.
func (d *difference) doubles(p place, was, is []int32, pairs []int) []bool {
	doubles := make([]bool, len(was))
	made := map[string]bool{}
	for _, y := range is {
		if key := nameIn(p, d.back, y); key != "" {
			made[key] = true
		}
	}
	for i, x := range was {
		doubles[i] = pairs[i] < 0 && made[nameIn(p, d.source, x)]
	}
	return doubles
}

// nameIn returns what an element must not share with another one of its list, empty if there is
// nothing.
func nameIn(p place, t *tree, e int32) string {
	return string(keyOf(t, e, elementScope(p, t, e), p.side))
}

// arrange puts the elements of a list that was made where they stood, and those among them that the
// other version cannot show. steps are their addresses.
func arrange(t *tree, p place, made []int32, steps []stash.Step, items []stash.Item) []int32 {
	numbers := map[string]int{}
	for j, s := range steps {
		numbers[stepText(s)] = j
	}
	names := map[string]bool{}
	for _, e := range made {
		names[nameIn(p, t, e)] = true
	}
	var known, ranks []int // the numbers of elements in the order in which they stood
	seen := map[int]bool{}
	behind := map[int][]int32{} // the left-out elements behind each, and before all
	anchor := -1
	for _, item := range items {
		if item.Value == nil {
			if j, ok := numbers[stepText(canonical(item.Step))]; ok && !seen[j] {
				anchor, seen[j] = j, true
				known, ranks = append(known, j), append(ranks, item.Rank)
			}
			continue
		}
		e := t.element(item.Value, t.itemSchema(p))
		if name := nameIn(p, t, e); name == "" || item.Double == names[name] {
			behind[anchor] = append(behind[anchor], e)
		}
	}
	out := slices.Clone(behind[-1])
	r := p.elements()
	for _, j := range sequence(len(made), known, ranks, r != nil && r.Forms[p.side.Other()] == plan.Dict) {
		out = append(append(out, made[j]), behind[j]...)
	}
	return out
}

// sequence returns the numbers of n made elements in the order of the list. Those in
// known stood in that order, when they had these ranks among what was made; without ranks nothing is
// known of their order. What is new comes behind that which it follows, or last if it has no order.
func sequence(n int, known, ranks []int, isMap bool) []int {
	live := make([]int, n)
	for j := range live {
		live[j] = j
	}
	byRank := make([]int, len(known))
	for i := range byRank {
		byRank[i] = i
	}
	slices.SortStableFunc(byRank, func(a, b int) int { return ranks[a] - ranks[b] })
	for i := range byRank {
		if ranks[byRank[i]] == 0 || i > 0 && known[byRank[i]] < known[byRank[i-1]] {
			return live
		}
	}
	isKnown := make([]bool, n)
	for _, j := range known {
		isKnown[j] = true
	}
	followers, anchor := map[int][]int{}, -1
	if isMap && len(known) > 0 {
		anchor = known[len(known)-1]
	}
	for j := range n {
		if isKnown[j] {
			if !isMap {
				anchor = j
			}
			continue
		}
		followers[anchor] = append(followers[anchor], j)
	}
	out := slices.Clone(followers[-1])
	for _, j := range known {
		out = append(append(out, j), followers[j]...)
	}
	return out
}

// itemSchema returns the schema of the elements at a place.
func (t *tree) itemSchema(p place) *schema.Schema { return items(p.schema()) }
