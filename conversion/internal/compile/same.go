package compile

import (
	"fmt"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// pairSame maps a field to the field of the same name in the twin.
func (b *builder) pairSame(spoke, hub int32, name string, claims [2]*claim, schemas [2]*schema.Schema) {
	parents := [2]int32{spoke, hub}
	s, h := schemas[plan.Spoke], schemas[plan.Hub]
	var at [2]path.Path
	var full path.Path
	if spoke != plan.None {
		at = [2]path.Path{b.within(plan.Spoke, spoke).Child(name), b.within(plan.Hub, hub).Child(name)}
		full = b.pathOf(plan.Spoke, spoke).Child(name)
	}
	if !schema.Fit(s, h) {
		if spoke != plan.None && (b.isRefused(plan.Spoke, at[plan.Spoke]) || b.isRefused(plan.Hub, at[plan.Hub])) {
			return
		}
		if spoke == plan.None || !b.wrapsMap(parents, name, full, schemas) {
			b.misfit(full, schemas)
		}
		return
	}
	if b.looksInto(claims, schemas) {
		var ids [2]int32
		for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
			ids[side] = b.node(side, parents[side], name, plan.Container, schemas[side])
		}
		b.pair(ids, claims, false)
		return
	}
	if spoke != plan.None && (b.isWithin(plan.Spoke, at[plan.Spoke]) || b.isWithin(plan.Hub, at[plan.Hub])) {
		return
	}
	r := plan.Row{Kind: plan.Move, Exact: schema.Same(s, h)}
	if b.mapElements(nil, &r, schemas, at); r.Elements == nil {
		b.warnEnums(nil, at, schemas)
	}
	row := b.row(r)
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		b.operand(side, b.node(side, parents[side], name, plan.Operand, schemas[side]), row, 0)
	}
}

// looksInto reports whether two fields are objects whose fields differ.
func (b *builder) looksInto(claims [2]*claim, schemas [2]*schema.Schema) bool {
	s, h := schemas[plan.Spoke], schemas[plan.Hub]
	if !s.IsObject() || !h.IsObject() {
		return false
	}
	if claims[plan.Spoke].leads() || claims[plan.Hub].leads() {
		return true
	}
	return !schema.Same(s, h) && !bothMaps(s, h)
}

// bothMaps reports whether two fields are maps with values of one type each, or a map and a field
// for anything.
func bothMaps(s, h *schema.Schema) bool {
	mapLike := func(m *schema.Schema) bool { return m.Values != nil && m.Members == nil }
	return mapLike(s) && (mapLike(h) || h.IsAny()) || s.IsAny() && mapLike(h)
}

// mapElements turns a move between lists or maps whose elements differ into one that maps their
// fields. w is the row, or nil.
func (b *builder) mapElements(w *writtenRow, r *plan.Row, schemas [2]*schema.Schema, at [2]path.Path) {
	if r.Exact {
		return
	}
	s, h := schemas[plan.Spoke], schemas[plan.Hub]
	isList := s.Type == "array" || h.Type == "array"
	inner := [2]*schema.Schema{schema.Any(), schema.Any()}
	for side, of := range [2]*schema.Schema{s, h} {
		switch {
		case isList && of.Items != nil:
			inner[side] = of.Items
		case !isList && of.Values != nil:
			inner[side] = of.Values
		}
	}
	c := &collection{elements: inner, at: at, w: w}
	switch {
	case schema.Same(inner[plan.Spoke], inner[plan.Hub]):
		return
	case isList:
		c.forms, c.keys = [2]plan.Form{plan.List, plan.List}, &listKeys{lists: schemas}
	case bothMaps(s, h):
		c.forms = [2]plan.Form{plan.Dict, plan.Dict}
	default:
		return
	}
	b.collect(r, c)
}

// wrapsMap reports a field that is the entry of a map in one version and a field of an object in
// the other, if that field is a map, too: most likely the map has moved there.
func (b *builder) wrapsMap(parents [2]int32, name string, full path.Path, schemas [2]*schema.Schema) bool {
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		outer, inner := b.out.Nodes[side][parents[side]].Schema, schemas[side.Other()]
		if outer.Values == nil || outer.Members[name] != nil || inner.Values == nil || !schema.Fit(outer.Values, inner.Values) {
			continue
		}
		at := [2]path.Path{b.within(plan.Spoke, parents[plan.Spoke]), b.within(plan.Hub, parents[plan.Hub])}
		at[side.Other()] = at[side.Other()].Child(name)
		b.plain(fmt.Sprintf("map the two maps with a row: {spoke: %s, hub: %s}", diagnose.Path(at[plan.Spoke]), diagnose.Path(at[plan.Hub])),
			"%s is a map in %s, but in %s it is an object with the map %s", full[:len(full)-1], b.versions[side], b.versions[side.Other()], name)
		return true
	}
	return false
}

func (b *builder) misfit(full path.Path, schemas [2]*schema.Schema) {
	b.plain(diagnose.AddMapping(schemas)+"map it to another field with a row, or separate the two with a one-sided row for each version",
		"%s is of type %s in %s, but of type %s in %s", full, schemas[plan.Spoke].Describe(), b.versions[plan.Spoke], schemas[plan.Hub].Describe(), b.versions[plan.Hub])
}
