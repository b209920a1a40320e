package complement

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// The API server fills the defaults of the schema into an object that comes into being with what is put back.
// What rows map is not among them: they have made nothing of it, because the other version has nothing.

// filling is an object to fill in.
type filling struct {
	id int32
	at place
}

// fill adds the members that the API server would add to an object, but for what rows map in them.
func (r *restorer) fill(f filling) {
	r.t.eachMissing(f.id, func(name string, m *schema.Schema) {
		value := m.Whole
		if f.at.scope != nil {
			value = unmapped(f.at.member([]byte(name)), m, r.t.caller)
		}
		r.t.put(f.id, []byte(name), value)
	})
}

// unmapped returns the default of the place of an object without what rows map in it. The default of a field that
// a row maps is all of it: it is the same as nothing.
func unmapped(p place, of *schema.Schema, caller *caller.Caller) []byte {
	if p.depth > 0 || p.at().Kind != plan.Container {
		return of.Whole
	}
	var d tree
	d.caller = caller
	d.parse(of.Whole, of)
	if d.removeMapped(p, 0) {
		return d.write(nil, 0, nil)
	}
	return of.Whole
}

// removeMapped removes from an object at a place what rows map, and reports whether that is anything.
func (t *tree) removeMapped(p place, id int32) (isAny bool) {
	nodes := p.scope.Nodes[p.side]
	for _, child := range nodes[p.node].Children {
		at := t.child(id, []byte(nodes[child].Name))
		switch {
		case at == none:
		case nodes[child].Kind == plan.Container:
			isAny = t.removeMapped(place{scope: p.scope, side: p.side, node: child}, at) || isAny
		case nodes[child].Kind == plan.Operand || nodes[child].Kind == plan.Parted:
			t.remove(at)
			isAny = true
		}
	}
	return isAny
}
