package patch

import "bytes"

// searched is how many members of an object are searched one by one for a name. With more
// members they are looked up in a map, so that the time for an object of a million members in
// another order is not quadratic.
const searched = 16

// match pairs members with the same name. Usually they are in the same order.
func (d *Differ) match(a, b int32) {
	count := 0
	for x := range d.from.inside(a) {
		d.from.nodes[x].mate = none
		count++
	}
	var byName map[string]int32
	next := a + 1 // the expected place of the next member of b
	for y := range d.to.inside(b) {
		name := d.to.name(y)
		x := int32(none)
		switch {
		case next < d.from.nodes[a].next && bytes.Equal(d.from.name(next), name):
			x = next
		case count <= searched:
			x = d.search(a, name)
		default:
			if byName == nil {
				byName = make(map[string]int32, count)
				for x := range d.from.inside(a) {
					byName[string(d.from.name(x))] = x
				}
			}
			x = byName[string(name)]
		}
		d.to.nodes[y].mate = x
		if x != none {
			d.from.nodes[x].mate = y
			next = d.from.nodes[x].next
		}
	}
}

// search returns the member of a with this name.
func (d *Differ) search(a int32, name []byte) int32 {
	for x := range d.from.inside(a) {
		if bytes.Equal(d.from.name(x), name) {
			return x
		}
	}
	return none
}
