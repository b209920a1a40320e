package complement

import (
	"fmt"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// An entry of order has the elements of a list that the other version can't represent, each with
// the element that it follows. If the other elements are made in another order than they had, the
// entry names them all, with the rank of each among what is made. That order is valid while those
// of them that are still made have the same ranks among each other.

// order returns the items of such an entry, or nil if none is needed. address returns the steps to
// what is made.
func (d *difference) order(p place, was, is []int32, pairs []int, address func() []stash.Step) []stash.Item {
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
	ranked = ranked || p.ordersItself()
	doubles, steps := d.doubles(p, was, is, pairs), []stash.Step(nil)
	if len(is) > 0 {
		steps = address()
	}
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
			items = append(items, stash.Item{Value: slices.Clone(d.valueOf(was[i])), Double: doubles[i]})
		}
	}
	return items
}

// ordersItself reports whether the other version has no order of the elements, so that only their
// ranks tell which elements are new.
func (p place) ordersItself() bool {
	r := p.elements()
	return r != nil && r.Forms[p.side.Other()] == plan.Dict || p.parts() != nil
}

// doubles reports which of the elements that are not made have the name of one that is. One that is
// made of no element of the source does not stay.
func (d *difference) doubles(p place, was, is []int32, pairs []int) []bool {
	doubles := make([]bool, len(was))
	made := map[string]bool{}
	for _, j := range pairs {
		d.back.caller.Work(1)
		if j >= 0 {
			made[nameIn(p, d.back.listOf(is[j]), d.back, is[j])] = true
		}
	}
	for i, x := range was {
		d.source.caller.Work(1)
		name := nameIn(p, d.source.listOf(x), d.source, x)
		doubles[i] = pairs[i] < 0 && name != "" && made[name]
	}
	return doubles
}

// listOf returns the schema of the list of an element, or nil.
func (t *tree) listOf(e int32) *schema.Schema {
	if around := t.nodes[e].parent; around != none {
		return t.nodes[around].schema
	}
	return nil
}

// nameIn returns what distinguishes an element from the others in the other version, which has only
// one of several with the same name. It is "" if the element has none. of is the schema of the
// list.
func nameIn(p place, of *schema.Schema, t *tree, e int32) string {
	if parts := p.parts(); parts != nil && parts.Find(t.current(e)) < 0 {
		return ""
	}
	scope := elementScope(p, t, e)
	if scope != nil && !p.hasRoot(scope, t, e) {
		return ""
	}
	if only, found := p.only(scope); found {
		return hereText(only)
	}
	if scope == nil && of != nil {
		return string(t.keyBy(e, of.Keys))
	}
	return string(keyOf(t, e, scope, p.side))
}

// uniqueIn returns what must be unique among an element and new ones of a list, or "". of is the
// schema of the list.
func uniqueIn(p place, of *schema.Schema, t *tree, e int32) string {
	if of != nil && len(of.Keys) > 0 {
		return string(t.keyBy(e, of.Keys))
	}
	key := keyOf(t, e, elementScope(p, t, e), p.side)
	if parts := p.parts(); parts != nil && key != nil {
		return fmt.Sprint(parts.Find(t.current(e)), string(key))
	}
	return string(key)
}

// order prepares the order of a list. The list may be one that is restored. One that a default makes
// has the default's order, unless there are elements that the other version can't represent. The
// order of another table is not placed if this one makes nothing of what an element was hidden by.
func (r *restorer) order(at spot, e *stash.Entry) Fate {
	if key := absentKey(at); at.id == none && (r.absent[key]&filled != 0 || r.comesBack(at, e.Order)) {
		of := r.t.schemaOf(at.around, at.names)
		elements, all := arrange(r.t, at.place, of, nil, nil, e.Order)
		if r.earlier && !all {
			return Gone
		}
		if r.absent[key]&filled == 0 {
			r.absent[key] |= filled
			r.writes = append(r.writes, write{author: r.author, id: at.around, names: at.names, value: emptyList, at: at.place})
		}
		r.orders = append(r.orders, arrangement{r.author, at.around, at.names, elements})
		return Placed
	}
	if at.id != none {
		at = r.into(at)
	}
	if !r.isList(at) {
		return Gone
	}
	of := r.listAt(at)
	if !r.forces && of.isFilled() && !r.comesBack(at, e.Order) {
		return Gone
	}
	var live []int32
	numbers := map[int]int{}
	for i, id := range of.elements {
		if !r.t.nodes[id].goes {
			numbers[i] = len(live)
			live = append(live, id)
		}
	}
	schema := r.t.nodes[at.id].schema
	elements, all := arrange(r.t, at.place, schema, elementsOf(r.t, at.place, schema, live), func(s stash.Step) (int, bool) {
		i, _, found := of.find(s, r.earlier)
		number, isLive := numbers[i]
		return number, found && isLive
	}, e.Order)
	if r.earlier && !all {
		return Gone
	}
	r.orders = append(r.orders, arrangement{r.author, at.id, nil, elements})
	return Placed
}

var emptyList = []byte("[]")

// comesBack reports whether a list that is not made, except by a default, still has elements: those
// that the other version can't represent. Only the others were removed. The order of another table
// has to be proved for that.
func (r *restorer) comesBack(at spot, order []stash.Item) bool {
	isLeftOut := func(item stash.Item) bool { return item.Value != nil && !item.Double }
	return at.hidesElements() && (!r.earlier || r.forces) && slices.ContainsFunc(order, isLeftOut) && r.accepts(at, emptyList)
}

// hidesElements reports whether a list has parts that are single fields in the other version. So
// the list may exist although nothing of it is made.
func (p place) hidesElements() bool {
	parts := p.parts()
	return parts != nil && parts.Choice == nil
}

// element is an element of a list as it was made: its key may be restored later.
type element struct {
	id int32
	// name is what nameIn returns, and unique what uniqueIn does.
	name, unique string
	// group is the same for elements whose order the other version has.
	group int
}

// elementsOf returns the elements of a list that was made. of is the list's schema.
func elementsOf(t *tree, p place, of *schema.Schema, made []int32) []element {
	all := make([]element, len(made))
	parts := p.parts()
	for j, id := range made {
		t.caller.Work(1)
		all[j] = element{id: id, name: nameIn(p, of, t, id), unique: uniqueIn(p, of, t, id)}
		switch {
		case parts != nil:
			all[j].group = parts.Find(t.current(id))
		case p.ordersItself():
			all[j].group = j
		}
	}
	return all
}

// arrange returns the elements of a list in the order that an entry has: those that were made, and
// among them those that the other version can't represent. One of the latter is left out if a new
// element has its key, or if the element that hid it is gone. arrange reports whether the order
// could be restored completely: none is left out or, if there are none, all elements of the order
// are found. find returns the number of an element, and of is the schema of the list.
func arrange(t *tree, p place, of *schema.Schema, made []element, find func(stash.Step) (int, bool), order []stash.Item) (ids []int32, all bool) {
	var known, ranks []int // the numbers of elements in the order that they had
	seen, isKnown := map[int]bool{}, map[int]bool{}
	numbers := make([]int, len(order)) // of the items that are known, or -1
	hidden := 0
	for i, item := range order {
		numbers[i] = -1
		if item.Value != nil {
			hidden++
		}
		if item.Value != nil || find == nil {
			continue
		}
		if j, ok := find(item.Step); ok && !seen[j] {
			numbers[i], seen[j], isKnown[j] = j, true, item.Rank > 0
			known, ranks = append(known, j), append(ranks, item.Rank)
		}
	}
	names, taken := map[string]bool{}, map[string]bool{}
	groups := make([]int, len(made))
	for j, e := range made {
		names[e.name], groups[j] = true, e.group
		if !isKnown[j] {
			taken[e.unique] = true
		}
	}
	behind := map[int][]int32{} // the left-out elements behind each element, and before all
	anchor := -1
	all = hidden > 0 || len(known) == len(order)
	for i, item := range order {
		if item.Value == nil {
			if numbers[i] >= 0 {
				anchor = numbers[i]
			}
			continue
		}
		e := t.element(item.Value, items(of))
		name, unique := nameIn(p, of, t, e), uniqueIn(p, of, t, e)
		isHidden := name != "" && names[name]
		if isHidden == item.Double && (item.Double || unique == "" || !taken[unique]) {
			behind[anchor] = append(behind[anchor], e)
		} else {
			all = false
		}
	}
	ids = slices.Clone(behind[-1])
	for _, j := range sequence(groups, known, ranks) {
		ids = append(append(ids, made[j].id), behind[j]...)
	}
	return ids, all
}

// sequence returns the numbers of made elements in the order of the list. Those in known were in
// that order when they had these ranks among what was made. Without ranks, nothing is known about
// their order. A new element comes behind the known one of its group which it follows, or before
// the first of them. If there is none, it comes last.
func sequence(groups []int, known, ranks []int) []int {
	n := len(groups)
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
	first := map[int]int{} // the first known one of each group, in the order of the list
	isKnown := make([]bool, n)
	for _, j := range known {
		if isKnown[j] = true; !has(first, groups[j]) {
			first[groups[j]] = j
		}
	}
	behind, before := map[int][]int{}, map[int][]int{}
	var last []int
	anchors := map[int]int{} // the known one of each group that came last
	for j := range n {
		g := groups[j]
		switch {
		case isKnown[j]:
			anchors[g] = j
		case has(anchors, g):
			behind[anchors[g]] = append(behind[anchors[g]], j)
		case has(first, g):
			before[first[g]] = append(before[first[g]], j)
		default:
			last = append(last, j)
		}
	}
	out := make([]int, 0, n)
	for _, j := range known {
		out = append(append(append(out, before[j]...), j), behind[j]...)
	}
	return append(out, last...)
}

func has[K comparable](m map[K]int, key K) bool {
	_, ok := m[key]
	return ok
}
