package weave

import (
	"fmt"

	"k8s.io/utils/ptr"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// recursive adds a tree of objects, which a named table maps at every level, as deep as the schemas
// are, or without an end if they end with a field for anything.
func (w *weaver) recursive(sc scope) {
	if sc.depth > 0 {
		w.single(sc, w.leaf())
		return
	}
	if w.Chance(40) {
		w.recursiveChoice(sc)
		return
	}
	levels, open, keyed := 1+w.Rand.IntN(3), w.Chance(40), w.Chance(30)
	value := w.scalar()
	below, children := w.name(), w.name()
	parts := func(own, kids, private string) *shape {
		var node *shape
		for level := range levels + 1 {
			next := newObject()
			next.add(own, value.clone()).schema.Default = nil
			next.add(private, newScalar("integer"))
			switch {
			case level > 0:
				next.add(kids, newList(node))
			case open:
				anything := &shape{}
				anything.schema.XPreserveUnknownFields = ptr.To(true)
				next.add(kids, newList(anything))
			}
			if keyed {
				next.add("name", newScalar("string"))
			}
			node = next
		}
		return node
	}
	name, own, private := w.name(), w.name(), w.name()
	sc.hub.add(name, parts(own, children, private))
	for _, e := range sc.ends {
		if e.object == nil || e.rows == nil || w.Chance(15) {
			continue
		}
		w.Seen.Count("table/named within itself")
		if open {
			w.Seen.Count("table/named without an end")
		}
		other, mine, kept := w.name(), w.name(), w.name()
		e.object.add(other, parts(mine, below, kept))
		if e.spoke.tables == nil {
			e.spoke.tables = map[string][]v1alpha1.Row{}
		}
		table := fmt.Sprintf("t%d", len(e.spoke.tables))
		each := &v1alpha1.Each{Table: table}
		if keyed {
			each.Key, each.Unique = v1alpha1.Names{"name"}, true
		}
		e.spoke.tables[table] = []v1alpha1.Row{
			{Spoke: place(tree.Names(mine)), Hub: place(tree.Names(own))},
			{Spoke: place(tree.Names(below)), Hub: place(tree.Names(children)), Each: each},
		}
		e.add(v1alpha1.Row{Spoke: place(e.here.Name(other)), Hub: place(e.there.Name(name)), Table: table})
	}
}
