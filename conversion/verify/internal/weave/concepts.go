package weave

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// concept is something that the hub has. A spoke has it too, has it elsewhere or in another form,
// or lacks it.
type concept struct {
	// weight is how often it is chosen.
	weight int
	add    func(*weaver, scope)
	// deeper says that it has concepts inside.
	deeper bool
}

func concepts() []concept {
	return []concept{
		{weight: 12, add: func(w *weaver, sc scope) { w.single(sc, w.leaf()) }},
		{weight: 4, add: (*weaver).plain},
		{weight: 6, add: (*weaver).private},
		{weight: 4, add: (*weaver).template},
		{weight: 2, add: (*weaver).swap},
		{weight: 1, add: (*weaver).typedValue},
		{weight: 1, add: (*weaver).requiredValue},
		{weight: 1, add: (*weaver).open},
		{weight: 4, add: (*weaver).nestedObject, deeper: true},
		{weight: 8, add: (*weaver).list, deeper: true},
		{weight: 2, add: (*weaver).mapOf, deeper: true},
		{weight: 3, add: (*weaver).scalarMapping},
		{weight: 2, add: (*weaver).booleanMapping},
		{weight: 2, add: (*weaver).joinMapping},
		{weight: 3, add: (*weaver).variantMapping},
		{weight: 4, add: (*weaver).choiceMapping, deeper: true},
		{weight: 3, add: (*weaver).textMapping},
		{weight: 4, add: (*weaver).celMapping},
		{weight: 1, add: (*weaver).funcMapping},
		{weight: 2, add: (*weaver).recursive},
		{weight: 3, add: (*weaver).singleMapping, deeper: true},
		{weight: 2, add: (*weaver).wrapMapping},
		{weight: 4, add: (*weaver).keyedMapping, deeper: true},
		{weight: 4, add: (*weaver).whereMapping, deeper: true},
		{weight: 2, add: (*weaver).entriesMapping},
	}
}

// fill adds concepts to a scope.
func (w *weaver) fill(sc scope, count int) {
	all, total := concepts(), 0
	for _, c := range all {
		total += c.weight
	}
	for range count {
		n := w.Rand.IntN(total)
		for _, c := range all {
			if n -= c.weight; n >= 0 {
				continue
			}
			if c.deeper && sc.depth >= 3 {
				w.single(sc, w.leaf())
			} else {
				c.add(w, sc)
			}
			break
		}
	}
}

func (w *weaver) plain(sc scope) {
	plain := newScalar("string")
	plain.schema.Nullable = w.Chance(12)
	w.single(sc, plain)
}

// single adds one value of the hub.
func (w *weaver) single(sc scope, leaf *shape) {
	name := w.name()
	sc.hub.add(name, leaf)
	if leaf.schema.Type != "" && leaf.items == nil && leaf.props == nil && leaf.values == nil && w.Chance(25) {
		w.Seen.Count("table/hub default")
		leaf.schema.Default = AsDefault(w.sample(leaf))
	}
	for _, e := range sc.ends {
		if e.object == nil {
			continue
		}
		there := e.there.Name(name)
		switch n := w.Rand.IntN(13); {
		case e.same && n < 4:
			w.Seen.Count("table/shared")
			w.loosen(e.object.add(name, leaf.clone()), leaf)
		case e.rows == nil || n == 4:
			w.Seen.Count("table/private to the hub")
		case n == 5:
			w.oneSided(e, nil, place(there), leaf)
		case n == 10 && leaf.schema.Type == "string" && leaf.schema.Default == nil && sc.depth == 0:
			w.annotate(e, there)
		case n >= 6 && n < 8 && leaf.schema.Type == "string" && leaf.schema.Default == nil && leaf.schema.Enum == nil && leaf.schema.Pattern == "" && leaf.schema.Format == "" && leaf.schema.MaxLength == nil:
			w.values(e, there, leaf)
		case n == 8 && sc.depth == 0 && e.spoke.root.props["status"] != nil && e.here[0].Name == "spec":
			w.Seen.Count("table/crosses to status")
			w.move(e, e.spoke.root.props["status"], tree.Names("status"), there, leaf, true)
		case n == 9:
			w.Seen.Count("table/nested deeper")
			group := w.name()
			w.move(e, e.object.add(group, newObject()), e.here.Name(group), there, leaf, false)
		default:
			w.Seen.Count("table/renamed")
			w.move(e, e.object, e.here, there, leaf, false)
		}
	}
}

// move maps a value to another field of the spoke.
func (w *weaver) move(e end, into *shape, at tree.Path, there tree.Path, leaf *shape, crosses bool) {
	name := w.name()
	other := into.add(name, leaf.clone())
	other.schema.Default = nil
	row := v1alpha1.Row{Spoke: place(at.Name(name)), Hub: place(there), Crosses: crosses}
	scalar := leaf.schema.Type != "" && leaf.items == nil && leaf.props == nil && leaf.values == nil
	if scalar {
		w.explain(&row, other, leaf)
	}
	e.add(row)
}

// explain adds defaults to a row: those that the schemas require, and others.
func (w *weaver) explain(row *v1alpha1.Row, spoke, hub *shape) {
	if w.Chance(25) {
		w.Seen.Count("table/spoke default")
		spoke.schema.Default = AsDefault(w.sample(spoke))
	}
	if w.Chance(15) && hub.schema.Default != nil {
		w.Seen.Count("table/equal defaults")
		spoke.schema.Default = hub.schema.Default.DeepCopy()
	}
	d := v1alpha1.Default{}
	if spoke.schema.Default == nil && (hub.schema.Default != nil || w.Chance(15)) {
		w.Seen.Count("table/row default spoke")
		d.Spoke = Value(w.sample(spoke))
		if hub.schema.Default != nil && w.Chance(60) {
			d.Spoke = &v1alpha1.Value{JSON: hub.schema.Default.Raw}
		}
	}
	if hub.schema.Default == nil && (spoke.schema.Default != nil || w.Chance(15)) {
		w.Seen.Count("table/row default hub")
		d.Hub = Value(w.sample(hub))
		if spoke.schema.Default != nil && w.Chance(60) {
			d.Hub = &v1alpha1.Value{JSON: spoke.schema.Default.Raw}
		}
	}
	if d.Spoke != nil || d.Hub != nil {
		row.Default = &d
	}
}

// loosen makes a shared field differ a little between the versions.
func (w *weaver) loosen(spoke, hub *shape) {
	if w.Chance(20) {
		w.Seen.Count("table/nullable differs")
		spoke.schema.Nullable = !hub.schema.Nullable
	}
	if spoke.items != nil || spoke.props != nil || spoke.values != nil || spoke.schema.Type == "" {
		return
	}
	switch w.Rand.IntN(8) {
	case 0:
		w.Seen.Count("table/shared, default of one")
		spoke.schema.Default = nil
		if hub.schema.Default == nil {
			spoke.schema.Default = AsDefault(w.sample(spoke))
		}
	case 1:
		w.Seen.Count("table/shared, two defaults")
		spoke.schema.Default = AsDefault(w.sample(spoke))
	}
}

// oneSided gives a field that only one version has a constant, or drops it.
func (w *weaver) oneSided(e end, spoke, hub *v1alpha1.Place, leaf *shape) {
	row := v1alpha1.Row{Spoke: spoke, Hub: hub}
	switch n := w.Rand.IntN(4); {
	case n == 0 && w.loose == 0:
		row.Drop = "a secret"
		// Versions that do not drop a secret of the hub would keep it in an annotation.
		if leaf.drops++; hub == nil || leaf.drops == len(w.spokes) {
			w.Seen.Count("table/sensitive")
			row.Sensitive, leaf.secret = true, true
		}
	case n < 2 || leaf.schema.Default != nil:
		w.Seen.Count("table/drop")
		row.Drop = "no longer needed"
	default:
		w.Seen.Count("table/constant")
		row.Constant = Value(w.sample(leaf))
	}
	e.add(row)
}

// private adds a value to one spoke that no other version has.
func (w *weaver) private(sc scope) {
	e := sc.ends[w.Rand.IntN(len(sc.ends))]
	if e.object == nil {
		return
	}
	w.Seen.Count("table/private to a spoke")
	name, leaf := w.name(), w.leaf()
	e.object.add(name, leaf)
	if w.Chance(20) && leaf.schema.Type != "" && leaf.items == nil && leaf.props == nil && leaf.values == nil {
		leaf.schema.Default = AsDefault(w.sample(leaf))
	}
	if e.rows != nil && w.Chance(20) {
		w.oneSided(e, place(e.here.Name(name)), nil, leaf)
	}
}

// annotate maps a value of the hub to an annotation of the spoke.
func (w *weaver) annotate(e end, there tree.Path) {
	if e.spoke.annotated {
		return
	}
	e.spoke.annotated = true
	if w.Chance(70) {
		w.Seen.Count("table/crosses to an annotation")
		e.add(v1alpha1.Row{Spoke: place(tree.Names("metadata", "annotations", "example.com/x")), Hub: place(there), Crosses: true})
		return
	}
	w.Seen.Count("table/crosses to a label")
	e.add(v1alpha1.Row{Spoke: place(tree.Names("metadata", "labels", "example.com/x")), Hub: place(there), Crosses: true})
}

// requiredValue adds a required value that all versions share, or that only the hub has in an object.
func (w *weaver) requiredValue(sc scope) {
	if !slices.ContainsFunc(sc.ends, func(e end) bool { return e.rows == nil }) && w.Chance(40) {
		w.requiredConstant(sc)
		return
	}
	if slices.ContainsFunc(sc.ends, func(e end) bool { return e.object == nil || !e.same }) {
		return
	}
	w.Seen.Count("table/required")
	name, leaf := w.name(), w.scalar()
	add := func(s *shape) {
		s.add(name, leaf.clone())
		s.schema.Required = append(s.schema.Required, name)
	}
	add(sc.hub)
	for _, e := range sc.ends {
		add(e.object)
	}
}

// requiredConstant adds a required object that only the hub has. A constant makes it, and sometimes
// a row.
func (w *weaver) requiredConstant(sc scope) {
	w.Seen.Count("table/constant in a required object")
	name, inner, tied := w.name(), w.name(), w.name()
	group, fixed, other := newObject(), w.scalar(), newScalar("string")
	group.add(inner, fixed)
	group.add(tied, other)
	if w.Chance(50) {
		group.schema.Required = []string{inner}
	}
	sc.hub.add(name, group)
	sc.hub.schema.Required = append(sc.hub.schema.Required, name)
	constant := Value(w.sample(fixed))
	for _, e := range sc.ends {
		at := e.there.Name(name)
		e.add(v1alpha1.Row{Hub: place(at.Name(inner)), Constant: constant})
		if e.object != nil && w.Chance(50) {
			w.move(e, e.object, e.here, at.Name(tied), other, false)
		}
	}
}
