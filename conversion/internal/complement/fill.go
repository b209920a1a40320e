package complement

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// When an object is made for a restored value, the API server adds the defaults of its schema. The
// conversion must add them itself, without the fields that rows map: the way has made nothing for
// those, because the other version has nothing. An object that lacks such a default has entries for
// that, because rows may make the object after an edit.

// filling is an object that needs its defaults.
type filling struct {
	id int32
	at place
}

// fill adds the members that the API server would add to an object, without what rows map in them.
func (r *restorer) fill(f filling) {
	r.t.eachMissing(f.id, func(name string, m *schema.Schema) {
		value := m.Whole
		if f.at.scope != nil {
			value = unmapped(f.at.member([]byte(name)), m, r.t.caller)
		}
		r.t.put(f.id, []byte(name), value)
	})
}

// compareWithDefault compares an object that nothing makes with what it gets if rows make it after an
// edit: entries say what is absent of that.
func (d *difference) compareWithDefault(p place, a int32, root roots) {
	of := d.source.nodes[a].schema
	if d.takesMore || p.owner() != own || of == nil || !of.ImpliesObject() {
		return
	}
	filled := d.back.element(unmapped(p, of, d.source.caller), of)
	d.back.each(filled, func(y int32) bool {
		name := d.back.name(y)
		if q := p.member(name); q.isKept() && d.source.child(a, name) == none {
			d.push(stash.Step{Name: name})
			d.addEntry(q, none, y, stash.Entry{Guard: d.reads.guard(q, y, root, true)})
			d.pop()
		}
		return true
	})
}

// unmapped returns the default of an object without what rows map in it. If a row maps the whole
// object, it returns the default itself, which is the same as absence.
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

// removeMapped removes what rows map from an object at a place, and reports whether there was
// anything.
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
