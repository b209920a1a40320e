package complement

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// The elements of a list are compared with the elements that were made of them. The conversions
// know which was made of which. If they don't, because code made the list or a stash restored an
// element, elements are paired by their keys, then by equal content, then in order. An element that
// only a default makes is not paired in order: it has nothing of the source's elements, and an edit
// that ends the default must show all of it.

// compareSingle compares a value that the other version has as an element, or as one of several alternatives.
// It returns false if it could not, or if a default makes b.
func (d *difference) compareSingle(p place, a, b int32, root roots) bool {
	from := d.of(p, b)
	if from.view == none {
		return false
	}
	part := p.alternative(d.back, root.made)
	if part != p.alternative(d.source, d.source.rootAbove(a, p)) {
		return false // it is another alternative, or none
	}
	if part != nil {
		d.push(stash.Step{Part: []byte(part.Name)})
		defer d.pop()
	}
	return d.compareInside(rootOf(from.scope, p.side), a, b, roots{from.view, b})
}

// rootAbove returns the value that the scope of a place pairs, given a value at the place.
func (t *tree) rootAbove(id int32, p place) int32 {
	for range namesTo(p.scope, p.side, p.node) {
		id = t.nodes[id].parent
	}
	return id
}

// compareMaps compares two maps by the names of their values.
func (d *difference) compareMaps(p place, a, b int32) {
	d.source.each(a, func(x int32) bool {
		name := d.source.name(x)
		y := d.back.child(b, name)
		d.push(stash.Step{Name: name})
		from := origin{}
		if y != none {
			from = d.of(p, y)
		}
		d.comparePair(p, x, y, from)
		d.pop()
		return true
	})
	d.back.each(b, func(y int32) bool {
		if name := d.back.name(y); d.source.child(a, name) == none {
			d.push(stash.Step{Name: name})
			d.comparePair(p, none, y, d.of(p, y))
			d.pop()
		}
		return true
	})
}

// comparePair compares an element of the source with the one that is made of it. One of the two may be
// none. p is the place of the list or the map, and from is the origin of the latter.
func (d *difference) comparePair(p place, a, b int32, from origin) {
	if b == none {
		d.addEntry(p, a, none, stash.Entry{Value: d.valueOf(a)})
		return
	}
	if a == none && d.takesMore {
		return
	}
	if a == none {
		d.addEntry(p, none, b, stash.Entry{Guard: d.reads.guardElement(b, from.view)})
		return
	}
	scope := from.scope
	if scope == nil {
		scope = d.scopeOf(p, b)
	}
	inside := p.within()
	if scope != nil {
		inside = rootOf(scope, p.side)
	}
	d.compareValues(inside, a, b, roots{from.view, b})
}

// scopeOf returns the scope that pairs an element of the other version with one that is made at a
// place.
func (d *difference) scopeOf(p place, b int32) *plan.Scope {
	if e, found := find(d.again, d.back.nodes[b].text.Start, p); found {
		return e.Scope
	}
	return elementScope(p, d.back, b)
}

// elementScope is scopeOf for an element whose origin is not known. It is nil in a list that rows
// copy whole.
func elementScope(p place, t *tree, e int32) *plan.Scope {
	if r := p.elements(); r != nil {
		return r.Elements
	}
	parts := p.parts()
	if parts == nil {
		return nil
	}
	part := max(0, parts.Find(t.current(e)))
	return p.scope.Rows[parts.All[part].Row].Elements
}

// hasRoot reports whether an element has what rows make a whole element of the other version of.
func (p place) hasRoot(scope *plan.Scope, t *tree, e int32) bool {
	root := scope.Nodes[p.side.Other()][0].Row
	if root == plan.None {
		return true
	}
	r := &scope.Rows[root]
	var in [][]byte
	for _, id := range r.At[p.side] {
		names := namesTo(scope, p.side, id)
		if at := t.at(e, names); at == none || !t.holds(at) && !copiesNull(r, scope.Nodes[p.side.Other()][0].Schema) {
			return false
		}
		in = append(in, t.scalarAt(e, names, scope.Nodes[p.side][id].Schema))
	}
	if r.Mapping == nil || slices.ContainsFunc(in, func(value []byte) bool { return value == nil }) {
		return true
	}
	_, ok := r.Mapping.Convert(nil, p.side, in, make([][]byte, len(r.At[p.side.Other()])))
	return ok
}

// copiesNull reports whether a row makes null of null.
func copiesNull(r *plan.Row, target *schema.Schema) bool {
	return r.Mapping == nil && target.Holds([]byte("null"))
}

// compareLists compares two lists. It returns false if a default makes the elements of b.
func (d *difference) compareLists(p place, a, b int32) bool {
	was, is := d.source.elements(a), d.back.elements(b)
	from := make([]origin, len(is))
	made := len(is) == 0 || p.isCode()
	for j, y := range is {
		from[j] = d.of(p, y)
		made = made || from[j].view != none
	}
	if !made {
		return false
	}
	of := addressedList{made: d.back, place: p, elements: is, view: d.view, fades: d.reads.fades, scopes: make([]*plan.Scope, len(is)), of: make([]int32, len(is))}
	for j, y := range is {
		if of.scopes[j], of.of[j] = from[j].scope, from[j].view; of.scopes[j] == nil {
			of.scopes[j] = d.scopeOf(p, y)
		}
	}
	pairs := d.partners(p, was, is, from, of.scopes)
	var steps []stash.Step
	address := func() []stash.Step {
		if steps == nil {
			steps = of.addresses()
		}
		return steps
	}
	taken := make([]bool, len(is))
	compare := func(i int, x int32, j int) {
		if !d.isSameText(x, is[j]) {
			d.pushElement(address()[j], i)
			d.comparePair(p, x, is[j], from[j])
			d.pop()
		}
	}
	for i, x := range was {
		if j := pairs[i]; j >= 0 {
			taken[j] = true
			compare(i, x, j)
		}
	}
	for j := range is {
		if !taken[j] {
			compare(-1, none, j)
		}
	}
	if order := d.order(p, was, is, pairs, address); order != nil {
		d.addEntry(p, a, b, stash.Entry{Order: order})
	}
	return true
}

// partners returns for each element of the source the number of the element that is made of it, or
// -1.
func (d *difference) partners(p place, was, is []int32, from []origin, scopes []*plan.Scope) []int {
	pairs, open := make([]int, len(was)), make([]bool, len(is))
	numbers := make(map[int32]int, len(was))
	for i, x := range was {
		d.source.caller.Work(1)
		pairs[i], numbers[x] = -1, i
	}
	pair := func(i, j int) { pairs[i], open[j] = j, false }
	unknown := 0
	for j := range is {
		if i, known := numbers[from[j].source]; known && pairs[i] < 0 {
			pairs[i] = j
			continue
		}
		open[j] = true
		unknown++
	}
	if unknown == 0 {
		return pairs
	}
	// By key, then by content, then in order, and always within the same part of the list.
	parts := make([]*plan.Scope, len(was))
	for i, x := range was {
		parts[i] = elementScope(p, d.source, x)
	}
	byAny := func(by func(t *tree, e int32, scope *plan.Scope) string, unique bool) {
		match(pairs, open, pair,
			func(i int) alike { return alike{parts[i], by(d.source, was[i], parts[i])} },
			func(j int) alike { return alike{scopes[j], by(d.back, is[j], scopes[j])} }, unique)
	}
	byAny(func(t *tree, e int32, scope *plan.Scope) string { return string(keyOf(t, e, scope, p.side)) }, true)
	byAny(func(t *tree, e int32, _ *plan.Scope) string { h := t.hash(e); return string(h[:]) }, false)
	for j := range is {
		open[j] = open[j] && !d.reads.isElementByDefault(from[j].view)
	}
	byAny(func(*tree, int32, *plan.Scope) string { return "any" }, false)
	return pairs
}

// alike has what two elements must share to be paired: a text that is not empty, in one part of the
// list.
type alike struct {
	scope *plan.Scope
	text  string
}

// noPartners returns pairs for elements of which nothing is made.
func noPartners(was []int32) []int {
	pairs := make([]int, len(was))
	for i := range pairs {
		pairs[i] = -1
	}
	return pairs
}

// match pairs elements that share a text: in order, or only if no other has it.
func match(pairs []int, open []bool, pair func(i, j int), was, is func(int) alike, unique bool) {
	found := map[alike][]int{}
	for i := range pairs {
		if pairs[i] < 0 {
			if a := was(i); a.text != "" {
				found[a] = append(found[a], i)
			}
		}
	}
	counts := map[alike]int{}
	if unique {
		for j := range open {
			if open[j] {
				counts[is(j)]++
			}
		}
	}
	for j := range open {
		if !open[j] {
			continue
		}
		a := is(j)
		if candidates := found[a]; len(candidates) > 0 && (!unique || len(candidates) == 1 && counts[a] == 1) {
			pair(candidates[0], j)
			found[a] = candidates[1:]
		}
	}
}
