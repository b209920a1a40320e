package complement

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// The elements of a list are compared with those that were made of them: the conversions know which
// came from which. Where they do not, because a row computed the list, or a default makes it, a key
// tells, then equal content, then the order.

// one compares a value that the other version has as an element, or as one of several alternatives.
// It reports whether it could.
func (d *difference) one(p place, a, b int32, root roots) bool {
	from := d.of(p, b)
	if from.scope == nil {
		return false
	}
	part := p.alternative(d.back, root.made)
	if part != p.alternative(d.source, d.source.rootAbove(a, p)) {
		return false // another alternative, or none
	}
	if part != nil {
		d.push(stash.Step{Part: []byte(part.Name)})
		defer d.pop()
	}
	return d.inside(rootOf(from.scope, p.side), a, b, roots{from.view, b})
}

// rootAbove returns the value that the scope of a place pairs, from one at the place.
func (t *tree) rootAbove(id int32, p place) int32 {
	for range namesTo(p.scope, p.side, p.node) {
		id = t.nodes[id].parent
	}
	return id
}

// named compares two maps by the names of their values.
func (d *difference) named(p place, a, b int32) {
	d.source.each(a, func(x int32) bool {
		name := d.source.name(x)
		y := d.back.child(b, name)
		d.push(stash.Step{Name: name})
		from := origin{}
		if y != none {
			from = d.of(p, y)
		}
		d.pair(p, x, y, from)
		d.pop()
		return true
	})
	d.back.each(b, func(y int32) bool {
		if name := d.back.name(y); d.source.child(a, name) == none {
			d.push(stash.Step{Name: name})
			d.pair(p, none, y, d.of(p, y))
			d.pop()
		}
		return true
	})
}

// pair compares an element of the source with what is made of it, of which one may be none. p is
// the place of the list or the map, and from says what the latter is made of.
func (d *difference) pair(p place, a, b int32, from origin) {
	if b == none {
		d.entry(p, a, none, stash.Entry{Value: d.valueOf(a)})
		return
	}
	if a == none && d.takesMore {
		return
	}
	if a == none {
		d.entry(p, none, b, stash.Entry{Guard: d.reads.guardElement(b, from.view)})
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
	d.value(inside, a, b, roots{from.view, b})
}

// scopeOf returns what pairs an element of the other version with one that is made at a place.
func (d *difference) scopeOf(p place, b int32) *plan.Scope {
	if e, found := find(d.again, d.back.nodes[b].text.Start, p); found {
		return e.Scope
	}
	return elementScope(p, d.back, b)
}

// elementScope is scopeOf for an element that no conversion is known to have made. It is nil for one
// of a list that rows do not look into.
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

// elements compares two lists. It reports whether it could: not where a default makes the list.
func (d *difference) elements(p place, a, b int32) bool {
	was, is := d.source.elements(a), d.back.elements(b)
	from := make([]origin, len(is))
	made := len(is) == 0 || p.isCode()
	for j, y := range is {
		from[j] = d.of(p, y)
		made = made || from[j].source != none
	}
	if !made {
		return false
	}
	of := addressed{made: d.back, place: p, elements: is, view: d.view, fades: d.reads.fades, scopes: make([]*plan.Scope, len(is)), of: make([]int32, len(is))}
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
			d.pair(p, x, is[j], from[j])
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
		d.entry(p, a, b, stash.Entry{Order: order})
	}
	return true
}

// partners returns for each element of the source that which is made of it, as its number in is, or -1.
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
	// By key, then by content, then in order; and each only with one of its part of the list.
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
	byAny(func(*tree, int32, *plan.Scope) string { return "any" }, false)
	return pairs
}

// alike is what two elements must share to be paired: a text that is not empty, in one part of the list.
type alike struct {
	scope *plan.Scope
	text  string
}

// noPartners returns the pairs of elements of which nothing is made.
func noPartners(was []int32) []int {
	pairs := make([]int, len(was))
	for i := range pairs {
		pairs[i] = -1
	}
	return pairs
}

// match pairs those elements that share a text: in order, or only if no other has it.
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
