package complement

import (
	"bytes"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// The difference is what makes the source of that which converting its view back makes. Each entry
// of it holds as long as what is made at its place is what it was, and what the row of the place
// reads.

// difference finds entries.
type difference struct {
	origins
	reads reader
	// root pairs the two objects.
	root *plan.Scope
	at   []stash.Step
	// add takes an entry and the text of its address, which are valid until add returns.
	add func(e stash.Entry, address []byte)
	// address is the text of the first steps of at, of which each ends at one of ends.
	address []byte
	ends    []int
	// takesMore says that what was made may have more than the source, where the source has nothing.
	takesMore bool
	// found counts the entries.
	found int
	// explains is told of each entry, of what the source has at its place, and of what was made there. It
	// is nil if nobody asks.
	explains func(e stash.Entry, p place, a, b int32)
	// positions are those of elements that steps of at lead to in the source, or -1.
	positions []int
	// text is the value that was made last.
	text []byte
}

// find finds all entries.
func (d *difference) find() { d.members(rootOf(d.root, d.reads.side.Other()), 0, 0, roots{}) }

// value compares what is at a place in the source, a, with what is made there, b. root is what the
// scope of the place pairs. What is missing is the default: what is around the place is made, or will be
// with its defaults.
func (d *difference) value(p place, a, b int32, root roots) {
	if a != none && d.source.missing(a) {
		a = none
	}
	if b != none && d.back.missing(b) {
		b = none
	}
	owner := p.owner()
	if a == none && b == none || owner == dropped || owner == fixed || d.isSameText(a, b) {
		return
	}
	if a != none && b != none && d.losesDefault(a, b) {
		d.entry(p, a, b, stash.Entry{Guard: d.reads.guard(p, b, root, true)})
	}
	switch {
	case a != none && b != none && d.inside(p, a, b, root):
		return
	case same(d.source, a, d.back, b), d.takesMore && extends(d.back, b, d.source, a):
		return
	case a != none && b == none && d.source.nodes[a].kind == object && d.isOpen(p, a, owner, root):
		before := d.found
		if d.members(p, a, none, root); d.found == before {
			d.entry(p, a, b, stash.Entry{Value: []byte("{}"), Guard: d.reads.guard(p, none, root, false)})
		}
		return
	}
	e := stash.Entry{Guard: d.reads.guard(p, b, root, a == none)}
	if a != none && b == none && d.leavesOut(p, a) {
		e.Value = []byte("[]")
		d.entry(p, a, b, e)
		d.entry(p, a, b, stash.Entry{Order: d.order(p, d.source.elements(a), nil, noPartners(d.source.elements(a)), nil)})
		return
	}
	if a != none {
		e.Value = d.valueOf(a)
	}
	d.entry(p, a, b, e)
}

// losesDefault reports whether a value is the default of its schema, and what is made is not, for all that this
// table drops in it: then it is kept that nothing else stands here. What is kept inside is for when something
// does.
func (d *difference) losesDefault(a, b int32) bool {
	of := d.source.nodes[a].schema
	return of != nil && of.DefaultFades && d.source.isDefault(a) && !d.back.isDefault(b)
}

// isSameText reports whether two values are written alike, so that nothing in them differs.
func (d *difference) isSameText(a, b int32) bool {
	return a != none && b != none && bytes.Equal(d.source.value(a), d.back.value(b))
}

// leavesOut reports whether a value is a list of which nothing is made only because the other version
// cannot show any element: one that it shows later comes beside them.
func (d *difference) leavesOut(p place, a int32) bool {
	return d.source.nodes[a].kind == list && d.source.nodes[a].first != none && p.hidesElements()
}

// inside compares what is in two values, and reports whether it could.
func (d *difference) inside(p place, a, b int32, root roots) bool {
	was, is := d.source.nodes[a].kind, d.back.nodes[b].kind
	if p.parts() != nil && p.parts().Choice != nil {
		return d.one(p, a, b, root)
	}
	r := p.elements()
	switch {
	case r != nil && r.Forms[p.side] == plan.One:
		return d.one(p, a, b, root)
	case was == object && is == object && r != nil:
		d.named(p, a, b)
		return true
	case was == object && is == object && (p.owner() != own || p.isOpen()):
		d.members(p, a, b, root)
		return true
	case was == list && is == list && p.hasElements():
		return d.elements(p, a, b)
	}
	return false
}

// isOpen reports whether the object a at a place comes into being with what is in it: only this
// version has it, or the view has its counterpart, or code writes its fields one by one.
func (d *difference) isOpen(p place, a int32, owner owner, root roots) bool {
	switch owner {
	case computed:
		return hasFields(d.source.nodes[a].schema)
	case own:
		return p.isOpen()
	case shared:
		at := d.counterpart(p, root)
		return at != none && d.view.nodes[at].kind == object
	}
	return false
}

// hasFields reports whether an object has fields, and is no map.
func hasFields(of *schema.Schema) bool { return of != nil && len(of.Members) > 0 }

// counterpart returns what the view has at the place of a shared value.
func (d *difference) counterpart(p place, root roots) int32 {
	if root.view == none {
		return none
	}
	at := d.view.at(root.view, namesTo(p.scope, p.side.Other(), p.at().Twin))
	for _, s := range d.at[len(d.at)-p.depth:] {
		at = d.view.child(at, s.Name)
	}
	return at
}

// members compares two objects, of which none is one that is not made.
func (d *difference) members(p place, a, b int32, root roots) {
	isRoot := p.scope == d.root && p.depth == 0
	isMetadata := isRoot && p.node == plan.Metadata
	skips := func(name []byte) bool {
		switch {
		case isRoot && isHead(p, name):
			return true
		case isMetadata:
			return p.member(name).node == plan.Metadata // conversion takes it over as it is
		case isRoot && p.node == plan.Annotations:
			return stash.IsOurs(string(name))
		}
		return false
	}
	visit := func(name []byte, x, y int32) {
		if skips(name) {
			return
		}
		d.push(stash.Step{Name: name})
		q := p.member(name)
		if b == none && x != none && d.source.isDefault(x) && d.isPartlyMapped(q, x) {
			d.entry(q, x, none, stash.Entry{Value: d.valueOf(x), Guard: d.reads.guard(q, none, root, false)})
			d.pop()
			return
		}
		if isRoot && p.node == 0 && q.node == plan.Metadata || isMetadata {
			d.metadata(q, x, y, root)
		} else {
			d.value(q, x, y, root)
		}
		d.pop()
	}
	if a != none {
		d.source.each(a, func(x int32) bool {
			name := d.source.name(x)
			visit(name, x, d.back.child(b, name))
			return true
		})
	}
	if b != none {
		d.back.each(b, func(y int32) bool {
			if name := d.back.name(y); d.source.child(a, name) == none {
				visit(name, none, y)
			}
			return true
		})
	}
}

// isPartlyMapped reports whether rows map something in the default of an object: it is not filled in then, once the
// object around comes into being.
func (d *difference) isPartlyMapped(p place, a int32) bool {
	of := d.source.nodes[a].schema
	return p.depth == 0 && p.at().Kind == plan.Container && d.source.nodes[a].kind == object && !bytes.Equal(unmapped(p, of, d.source.caller), of.Whole)
}

// metadata compares metadata, labels or annotations, which are there as far as something is in them.
func (d *difference) metadata(p place, a, b int32, root roots) {
	if a != none && d.source.nodes[a].kind != object {
		a = none
	}
	if b != none && d.back.nodes[b].kind != object {
		b = none
	}
	d.members(p, a, b, root)
}

// push leads to a place inside of the one that is being compared, and pop back.
func (d *difference) push(s stash.Step) { d.pushElement(s, -1) }

// pushElement is push for an element at a position of the source, or -1.
func (d *difference) pushElement(s stash.Step, position int) {
	d.at, d.positions = append(d.at, s), append(d.positions, position)
}

func (d *difference) pop() {
	d.at, d.positions = d.at[:len(d.at)-1], d.positions[:len(d.positions)-1]
	d.ends = d.ends[:min(len(d.ends), len(d.at))]
}

// entry adds an entry for the place that is being compared, where the source has a, and b was made.
func (d *difference) entry(p place, a, b int32, e stash.Entry) {
	end := 0
	if n := len(d.ends); n > 0 {
		end = d.ends[n-1]
	}
	d.address = d.address[:end]
	for i := len(d.ends); i < len(d.at); i++ {
		if i > 0 {
			d.address = append(d.address, ',')
		}
		d.address = d.at[i].Append(d.address)
		d.ends = append(d.ends, len(d.address))
	}
	e.At = d.at
	d.add(e, d.address)
	d.found++
	if d.explains != nil {
		d.explains(e, p, a, b)
	}
}

// valueOf returns a value of the source as entries have it. It is valid until the next one is made.
func (d *difference) valueOf(id int32) []byte {
	d.text = schema.Writer{Caller: d.source.caller}.Canonical(d.text[:0], d.source.value(id), nil)
	return d.text
}
