package complement

import (
	"bytes"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// The difference has the entries that change what converting the view back makes into the source.
// Each entry is valid while the conversion makes the same at its place, and the row of the place
// reads the same.
//
// What a version drops is lost on purpose. But if that is all that an object has, nothing is made
// of the object, and the API server fills in its default. So an entry says that the object is here,
// even if converting the view back makes it.

// difference finds these entries.
type difference struct {
	origins
	reads reader
	// root pairs the two objects.
	root *plan.Scope
	at   []stash.Step
	// add takes an entry and the text of its address, which are valid until add returns.
	add func(e stash.Entry, address []byte)
	// address is the text of the steps in at. Each of ends is where the text of one step ends.
	address []byte
	ends    []int
	// takesMore says that only what the source loses now is found: what was made may have more if
	// the source has nothing there, and what some table drops later is not asked.
	takesMore bool
	// inDefault says that an object around the place is made only by its default, and the source has
	// another object there. Even what both have is kept: after an edit nothing may have the default.
	inDefault bool
	// found is the number of entries.
	found int
	// explains is called with each entry, with what the source has at its place, and with what was
	// made there. It is nil if no explanation is needed.
	explains func(e stash.Entry, p place, a, b int32)
	// positions are the positions of elements in the source, for the steps of at, or -1.
	positions []int
	// text is the value that was written last.
	text []byte
}

// find finds all entries.
func (d *difference) find() { d.compareObjects(rootOf(d.root, d.reads.side.Other()), 0, 0, roots{}) }

// compareValues compares what the source has at a place, a, with what is made there, b. root is what the
// scope of the place pairs. An absent value is the default, because what is around the place is
// made, or will be made with its defaults.
func (d *difference) compareValues(p place, a, b int32, root roots) {
	if a != none && d.source.isMissing(a) {
		a = none
	}
	if b != none && d.back.isMissing(b) {
		b = none
	}
	owner := p.owner()
	if d.inDefault && p.isKept() && a != none && b != none && same(d.source, a, d.back, b) {
		d.addEntry(p, a, b, stash.Entry{Value: d.valueOf(a)})
		return
	}
	if a == none && b == none || owner == dropped || owner == fixed || d.isSameText(a, b) {
		return
	}
	if a != none && b != none && d.losesDefault(a, b) {
		d.addEntry(p, a, b, stash.Entry{Value: d.valueOf(a), Guard: d.reads.guard(p, b, root, false)})
	}
	before := d.found
	switch {
	case a != none && b != none && d.compareInside(p, a, b, root):
		if d.found == before && d.losesAll(a, b) {
			d.addEntry(p, a, b, stash.Entry{Value: d.partlyMapped(p, a), Guard: d.reads.guard(p, none, root, false)})
		}
		return
	case same(d.source, a, d.back, b), d.takesMore && extends(d.back, b, d.source, a):
		return
	case a != none && b == none && d.source.nodes[a].kind == object && d.isOpen(p, a, owner, root):
		if d.compareObjects(p, a, none, root); d.found == before {
			d.addEmpty(p, a, b, root)
		}
		d.compareWithDefault(p, a, root)
		return
	}
	e := stash.Entry{Guard: d.reads.guard(p, b, root, a == none)}
	if a != none && d.leavesOut(p, a) {
		e.Value = []byte("[]")
		d.addEntry(p, a, b, e)
		d.addEntry(p, a, b, stash.Entry{Order: d.order(p, d.source.elements(a), nil, noPartners(d.source.elements(a)), nil)})
		return
	}
	if a != none {
		e.Value = d.valueOf(a)
	}
	d.addEntry(p, a, b, e)
}

// addEmpty adds an entry that makes an empty object where nothing is made.
func (d *difference) addEmpty(p place, a, b int32, root roots) {
	d.addEntry(p, a, b, stash.Entry{Value: []byte("{}"), Guard: d.reads.guard(p, none, root, false)})
}

// losesDefault reports whether a value is the default of its schema, and this table drops parts of
// what is made. Then an entry has the default. Entries for what is inside are used only if something
// else is made.
func (d *difference) losesDefault(a, b int32) bool {
	return d.losesLater(a) && d.source.isDefault(a) && !d.back.isDefault(b)
}

// losesAll reports whether an object has a default, and a version may drop all that it has. Then an
// entry says that it is here: the API server would fill in the default. The entry has the members that
// the object does not get when it is filled: see partlyMapped. An object that is made with nothing in
// it has nothing to lose: the view has it, too.
func (d *difference) losesAll(a, b int32) bool {
	if !d.losesLater(a) || d.source.nodes[a].kind != object || d.source.isDefault(a) || d.back.nodes[b].first == none {
		return false
	}
	stays := false
	d.source.each(a, func(m int32) bool {
		stays = !d.source.fades(m) && d.source.hash(m) != absent
		return !stays
	})
	return !stays
}

// losesLater reports whether a value has a default, and some table drops parts of it.
func (d *difference) losesLater(a int32) bool { return !d.takesMore && d.source.hasDefaultThatFades(a) }

// isSameText reports whether two values have the same text, and no entry is needed all the same: see
// losesAll.
func (d *difference) isSameText(a, b int32) bool {
	if a == none || b == none || !bytes.Equal(d.source.value(a), d.back.value(b)) {
		return false
	}
	of := d.source.nodes[a].schema
	return of == nil || !of.DefaultFadesInside
}

// leavesOut reports whether a value is a list of which nothing is made, except by a default, only
// because the other version can't represent any of its elements. An element that the other version
// adds later is added to them.
func (d *difference) leavesOut(p place, a int32) bool {
	return d.source.nodes[a].kind == list && d.source.nodes[a].first != none && p.hidesElements()
}

// compareInside compares what is inside two values, and returns false if it could not.
func (d *difference) compareInside(p place, a, b int32, root roots) bool {
	was, is := d.source.nodes[a].kind, d.back.nodes[b].kind
	if p.parts() != nil && p.parts().Choice != nil {
		return d.compareSingle(p, a, b, root)
	}
	r := p.elements()
	switch {
	case r != nil && r.Forms[p.side] == plan.One:
		return d.compareSingle(p, a, b, root)
	case was == object && is == object && r != nil:
		d.compareMaps(p, a, b)
		return true
	case was == object && is == object && (p.owner() != own || p.isOpen()):
		around := d.inDefault
		d.inDefault = !d.takesMore && (around || d.back.isDefault(b) && !d.source.isDefault(a))
		d.compareObjects(p, a, b, root)
		d.inDefault = around
		return true
	case was == list && is == list && p.hasElements():
		return d.compareLists(p, a, b)
	}
	return false
}

// isOpen reports whether the object a at a place is made whenever something in it is: only this
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

// hasFields reports whether an object has declared fields, and is not a map.
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

// compareObjects compares two objects, both of which are made.
func (d *difference) compareObjects(p place, a, b int32, root roots) {
	isRoot := p.scope == d.root && p.depth == 0
	isMetadata := isRoot && p.node == plan.Metadata
	skips := func(name []byte) bool {
		switch {
		case isRoot && isHead(p, name):
			return true
		case isMetadata:
			return p.member(name).node == plan.Metadata // conversions copy it
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
			d.addEntry(q, x, none, stash.Entry{Value: d.valueOf(x), Guard: d.reads.guard(q, none, root, false)})
			d.pop()
			return
		}
		if isRoot && p.node == 0 && q.node == plan.Metadata || isMetadata {
			d.compareMetadata(q, x, y, root)
		} else {
			d.compareValues(q, x, y, root)
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

// isPartlyMapped reports whether rows map a part of an object's default: then the API server must
// not add the default when the object around is made.
func (d *difference) isPartlyMapped(p place, a int32) bool {
	of := d.source.nodes[a].schema
	return p.depth == 0 && p.at().Kind == plan.Container && d.source.nodes[a].kind == object && !bytes.Equal(unmapped(p, of, d.source.caller), of.Whole)
}

// partlyMapped returns an object of those members of the object a that are defaults of which rows map a
// part: fill adds only the rest of those. The text is valid until the next call.
func (d *difference) partlyMapped(p place, a int32) []byte {
	text := []byte{'{'}
	d.source.each(a, func(x int32) bool {
		if name := d.source.name(x); d.source.isDefault(x) && d.isPartlyMapped(p.member(name), x) {
			if len(text) > 1 {
				text = append(text, ',')
			}
			text = append(append(jsontext.Quote(text, name), ':'), d.source.value(x)...)
		}
		return true
	})
	return d.canonical(append(text, '}'))
}

// compareMetadata compares metadata, labels or annotations, which exist only if they have something
// inside.
func (d *difference) compareMetadata(p place, a, b int32, root roots) {
	if a != none && d.source.nodes[a].kind != object {
		a = none
	}
	if b != none && d.back.nodes[b].kind != object {
		b = none
	}
	d.compareObjects(p, a, b, root)
}

// push goes to a place inside the current one, and pop back.
func (d *difference) push(s stash.Step) { d.pushElement(s, -1) }

// pushElement is push for an element at a position in the source, or -1.
func (d *difference) pushElement(s stash.Step, position int) {
	d.at, d.positions = append(d.at, s), append(d.positions, position)
}

func (d *difference) pop() {
	d.at, d.positions = d.at[:len(d.at)-1], d.positions[:len(d.positions)-1]
	d.ends = d.ends[:min(len(d.ends), len(d.at))]
}

// addEntry adds an entry for the current place, where the source has a, and b was made.
func (d *difference) addEntry(p place, a, b int32, e stash.Entry) {
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

// valueOf returns a value of the source in the form of entries. It is valid until the next call.
func (d *difference) valueOf(id int32) []byte { return d.canonical(d.source.value(id)) }

// canonical returns a value in the form of entries. It is valid until the next call.
func (d *difference) canonical(value []byte) []byte {
	d.text = schema.Writer{Caller: d.source.caller}.Canonical(d.text[:0], value, nil)
	return d.text
}
