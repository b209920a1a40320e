package compile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// buildRows compiles the rows that name fields of both sides.
func (b *builder) buildRows(all []*writtenRow) {
	for _, w := range all {
		if w.broken {
			continue // other mistakes are found once the other row is gone
		}
		if _, single := w.onlySide(); single {
			b.checkConstant(w)
			continue
		}
		r := plan.Row{Kind: plan.Move}
		ok := false
		if w.mapping != nil {
			w.takeKinds()
			ok = w.mapping.build(b, w, &r)
		} else {
			ok = b.moveRow(w, &r)
		}
		if ok {
			for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
				if r.Needs[side] == "" {
					r.Needs[side] = "a value of type " + w.schemas[side.Other()][0].Describe()
				}
			}
			if r.NeedsElement == "" {
				r.NeedsElement = "an element of which the other version can represent at least one field"
			}
			b.defaults(w, &r)
			b.checkSensitive(w, &r)
			b.checkShared(w, &r)
			b.warnRequiredBy(w, &r)
			if !w.deep && w.parts == nil {
				w.index = b.row(r)
			}
		}
	}
	b.warnMade(all)
}

func (w *writtenRow) pair() [2]*schema.Schema {
	return [2]*schema.Schema{w.schemas[plan.Spoke][0], w.schemas[plan.Hub][0]}
}

// warnApart warns of a row between objects that have no field in common, if no row maps their
// fields.
func (b *builder) warnApart(w *writtenRow, types [2]*schema.Schema) {
	s, h := types[plan.Spoke], types[plan.Hub]
	if w.claims[plan.Spoke].leads() || w.claims[plan.Hub].leads() || len(s.Members) == 0 || len(h.Members) == 0 || s.Open || h.Open || s.Values != nil || h.Values != nil {
		return
	}
	if slices.ContainsFunc(slices.Sorted(maps.Keys(s.Members)), func(name string) bool { return h.Members[name] != nil }) {
		return
	}
	at := w.firstPaths()
	for side, of := range types {
		at[side] = at[side].Child(slices.Sorted(maps.Keys(of.Members))[0])
	}
	b.warning(w, "map the fields that correspond with rows of their own, for example {spoke: "+diagnose.Path(at[plan.Spoke])+", hub: "+diagnose.Path(at[plan.Hub])+"}, or remove the row",
		"the two objects have no field in common, so the other version only shows whether they exist")
}

func (b *builder) moveRow(w *writtenRow, r *plan.Row) bool {
	types := w.pair()
	if !b.checkFit(w, types) {
		return false
	}
	if b.looksInto(w.claims, types) {
		w.deep = true
		b.warnApart(w, types)
		return true
	}
	if w.claims[plan.Spoke].leads() || w.claims[plan.Hub].leads() {
		inside := w.claims[plan.Spoke]
		if !inside.leads() {
			inside = w.claims[plan.Hub]
		}
		b.problem(w, "map the fields with rows of their own", "%s names a field inside of a field that this row maps", inside.within())
		return false
	}
	// A default is added if the parent is present, and one parent of two mapped fields may be
	// present without the other.
	r.Exact = schema.Same(types[plan.Spoke], types[plan.Hub]) && types[plan.Spoke].Default == nil && !b.isImpliedAround(w)
	if b.mapElements(w, r, types, w.firstPaths()); r.Elements == nil {
		b.warnEnums(w, w.firstPaths(), types)
	}
	return true
}

// isImpliedAround reports whether the default of an object around one of the two fields gives it a
// value: then the field has a value although the row writes none.
func (b *builder) isImpliedAround(w *writtenRow) bool {
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		of, p := b.schemas[side], w.paths[side][0]
		for _, name := range p[:max(len(p)-1, 0)] {
			if of = of.Member(name); of == nil {
				break
			}
			if of.ImpliesMore() {
				return true
			}
		}
	}
	return false
}

// checkFit reports two fields if no value is valid in both.
func (b *builder) checkFit(w *writtenRow, types [2]*schema.Schema) bool {
	if schema.Fit(types[plan.Spoke], types[plan.Hub]) {
		return true
	}
	at := w.firstPaths()
	if mapping := diagnose.MappingFor(types, at[:]); w.implied && mapping != "" {
		around := b.rowAround()
		if b.objectValues(around, types) {
			return false
		}
		mapping, _, _ = strings.Cut(mapping, " or ")
		b.problem(around.w, around.withRows(diagnose.Row(at, mapping)), "%s: the types do not fit: %s is of type %s, %s is of type %s", around.w.mapping.name,
			b.fullPath(plan.Spoke, at[plan.Spoke]), types[plan.Spoke].Describe(), b.fullPath(plan.Hub, at[plan.Hub]), types[plan.Hub].Describe())
		return false
	}
	b.problem(w, diagnose.AddMapping(types, at[:]...)+"map fields of the same type, or remove the row",
		"the types do not fit: %s is of type %s in %s, %s is of type %s in %s",
		w.paths[plan.Spoke][0], types[plan.Spoke].Describe(), b.versions[plan.Spoke], w.paths[plan.Hub][0], types[plan.Hub].Describe(), b.versions[plan.Hub])
	return false
}

func (b *builder) leadsInto(w *writtenRow) bool {
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		for _, c := range w.allClaims[side] {
			if c.leads() {
				b.reportReachedInto(w, side, c)
				return true
			}
		}
	}
	return false
}

// reportReachedInto reports a field that one row maps, while another row names a field inside it.
func (b *builder) reportReachedInto(w *writtenRow, side plan.Side, c *claim) {
	inside := c.within()
	at := path.Path(w.paths[side][c.operand])
	switch {
	case inside == w.title && w.hasMapping("variant"):
		b.problem(w, fmt.Sprintf("name only the discriminator, %s: %s, and map the fields beside it with rows of their own", side, w.side(side).Named[typeName]),
			"variant: the discriminator is in %s, so this field can't be the value of the alternatives", at)
	case inside == w.title:
		b.problem(w, "name fields that are not in each other", "a field of this row is in another field of the row, %s", at)
	case w.hasMapping("variant") || w.hasMapping("single") || w.hasMapping("keyed"):
		b.problem(w, fmt.Sprintf("put every field into only one row: move %s into this one, %s: {rows: [...]}, with paths that start at the value", inside, w.mapping.name),
			"%s names a field inside of a field that this row maps", inside)
	default:
		b.problem(w, "put every field into only one row", "%s names a field inside of a field that this row maps", inside)
	}
}

// defaults reads the row's default, and reports a missing one if a schema has a default.
func (b *builder) defaults(w *writtenRow, r *plan.Row) {
	if w.deep && w.Default != nil {
		b.problem(w, "write the defaults in rows for the fields", "the two fields are objects whose own fields are mapped one by one, so the row can't have a default")
	}
	if w.deep || w.mapping != nil && (w.mapping.parts || w.mapping.elements) {
		return
	}
	types := w.pair()
	var words [2]*v1alpha1.Value
	if w.Default != nil {
		words = [2]*v1alpha1.Value{w.Default.Spoke, w.Default.Hub}
	}
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		v := words[side]
		if v == nil {
			continue
		}
		if len(w.paths[side][0]) == 0 {
			b.problem(w, "remove it", "default %s: the path . is the element itself, which can't be absent", side)
			continue
		}
		if !types[side].Holds(v.JSON) {
			remedy := fmt.Sprintf("write the value that an absent %s means, as %s writes it", w.paths[side][0], b.versions[side])
			if !types[side.Other()].Holds(v.JSON) { // otherwise it is the value of the other version
				remedy = diagnose.InQuotes(v.JSON, types[side], remedy)
			}
			b.problem(w, remedy, "default %s: %s is not of type %s", side, v.JSON, types[side].Describe())
			continue
		}
		text := schema.Canonical(nil, v.JSON, types[side])
		if d := types[side].Default; d != nil && string(d) != string(text) {
			b.problem(w, "remove it", "default %s: in the %s schema, %s already has the default %s", side, b.versions[side], w.paths[side][0], d)
			continue
		}
		b.warnLacking(w, side, fmt.Sprintf("default: %s:", side), v.JSON)
		types[side].HasRowDefault = true
		r.Default[side], r.FilledDefault[side] = text, schema.Complete(nil, text, types[side])
		r.Exact = false
	}
	if r.Kind != plan.Move && r.Kind != plan.Map {
		return
	}
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		other := side.Other()
		if d := types[side].Default; d != nil && types[other].Default == nil && r.Default[other] == nil {
			b.problem(w, fmt.Sprintf("write the value that absence means there: default: {%s: %s}", other, defaultFrom(w, r, side)),
				"%s has the default %s in %s, but %s has no default", w.paths[side][0], d, b.versions[side], w.paths[other][0])
		}
	}
}

// defaultFrom returns what a side's default is in the other version, or "..." if that is not known.
func defaultFrom(w *writtenRow, r *plan.Row, side plan.Side) string {
	types := w.pair()
	value := types[side].Default
	if r.Kind == plan.Map {
		if w.mapping == nil || !slices.Contains([]string{"values", "scalar", "boolean"}, w.mapping.name) {
			return "..."
		}
		var out [1][]byte
		if _, ok := r.Mapping.Convert(nil, side, [][]byte{value}, out[:]); !ok {
			return "..."
		}
		value = out[0]
	}
	if value == nil || !types[side.Other()].Holds(value) {
		return "..."
	}
	return string(value)
}

func (b *builder) checkSensitive(w *writtenRow, r *plan.Row) {
	if w.Sensitive && (!r.Exact || w.deep) {
		b.problem(w, "make the two schemas equal there, or drop the field with a reason",
			"a sensitive value can't be kept in an annotation, but the two fields differ in type, nullable, default or fields")
	}
}

// checkShared reports a value that a row of another version marks as sensitive, and that this row
// may keep in an annotation.
func (b *builder) checkShared(w *writtenRow, r *plan.Row) {
	if w.Sensitive || w.Drop != "" || r.Exact || r.Kind == plan.Compute || r.Kind == plan.Elements {
		return // or another check reports it
	}
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		for i, s := range w.schemas[side] {
			if holdsSensitive(s) && !w.deep {
				b.problem(w, "map it with a row without a mapping, between fields of the same type, or drop it with a reason",
					"%s is sensitive because of a row of some version, but a value that the other version can't represent is kept in an annotation", w.paths[side][i])
				return
			}
		}
	}
}

// checkPrivate reports a sensitive value that the other version lacks and no row drops.
func (b *builder) checkPrivate() {
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		for id := range b.out.Nodes[side] {
			n := &b.out.Nodes[side][id]
			if n.Kind != plan.Keep || !holdsSensitive(n.Schema) || n.Marked {
				continue
			}
			inside := sensitiveIn(n.Schema)
			row := fmt.Sprintf("{%s: %s, drop: ...}", side, diagnose.Path(slices.Concat(b.within(side, int32(id)), inside)))
			b.plain("drop it with a reason: "+b.rowIn(row), "%s is sensitive because of a row of some version, but %s has nothing for it, so it would be kept in an annotation",
				slices.Concat(b.pathOf(side, int32(id)), inside), b.versions[side.Other()])
		}
	}
}

// sensitiveIn returns the path from a place to a sensitive field in it, or to the list or the map
// that has such fields.
func sensitiveIn(s *schema.Schema) path.Path {
	for _, name := range s.Names() {
		if m := s.Members[name]; !s.Sensitive && holdsSensitive(m) {
			return append(path.Path{name}, sensitiveIn(m)...)
		}
	}
	return nil
}

// fullPath returns a path of the scope from the root.
func (b *builder) fullPath(side plan.Side, p path.Path) path.Path {
	return append(b.at[side][:len(b.at[side]):len(b.at[side])], p...)
}
