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
	"github.com/crosswalk-dev/crosswalk/internal/edits"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

func (b *builder) checkKeyed(w *writtenRow) {
	if w.Keyed.Key == "" {
		b.problem(w, "name the field of the list's elements that is the key in the map: keyed: {key: name}", "keyed has no key")
	}
	if d := w.Keyed.Doubled; d != "" && !slices.Contains(v1alpha1.Doubleds(), d) {
		b.problem(w, "use first or last", "keyed: doubled is %q, but must be first or last", d)
	}
}

// keyedRow maps a list to a map.
func (b *builder) keyedRow(w *writtenRow, r *plan.Row) bool {
	types := w.pair()
	if b.leadsInto(w) {
		return false
	}
	list := plan.Spoke
	if types[plan.Spoke].Type != "array" {
		list = plan.Hub
	}
	dict := list.Other()
	if types[plan.Spoke].Type == "array" && types[plan.Hub].Type == "array" {
		b.problem(w, "map two lists with each: {key: "+w.Keyed.Key+", unique: true}, or without unique if a schema has that key as x-kubernetes-list-map-keys", "keyed maps a list to a map, but both fields are lists")
		return false
	}
	if types[plan.Spoke].Values != nil && types[plan.Hub].Values != nil {
		b.problem(w, "map two maps with each: {rows: [...]}", "keyed maps a list to a map, but both fields are maps")
		return false
	}
	value, names, ok := b.valuesOf(w, dict)
	if o := types[dict]; types[list].Type == "array" && !ok && len(o.Members) > 0 && !o.KeepsUnknown() && w.Keyed.Value != "" {
		var places []string
		for _, name := range slices.Sorted(maps.Keys(o.Members)) {
			places = append(places, diagnose.Word(jsontext.Quote(nil, name))+": "+diagnose.Path(w.paths[dict][0].Child(name)))
		}
		b.problem(w, fmt.Sprintf("map them with entries: {%s: {%s}, %s: %s, entries: {name: %s, value: %s}}", dict, strings.Join(places, ", "), list, diagnose.Path(w.paths[list][0]), w.Keyed.Key, w.Keyed.Value),
			"keyed maps a list to a map, or to an object whose fields have all the same type, but the types of the fields of %s differ", w.paths[dict][0])
		return false
	}
	if types[list].Type != "array" || !ok {
		b.problem(w, "name a list of objects on one side, and on the other a map, or an object whose fields have all the same type", "keyed maps a list to a map: %s is of type %s, %s is of type %s",
			w.paths[plan.Spoke][0], types[plan.Spoke].Describe(), w.paths[plan.Hub][0], types[plan.Hub].Describe())
		return false
	}
	items := types[list].Items
	if items == nil || !items.IsObject() {
		b.problem(w, "name a list of objects", "keyed: the elements of %s are not objects, so they have no key", w.paths[list][0])
		return false
	}
	naming, ok := b.readNaming(w, items, list)
	if !ok {
		return false
	}
	if w.Keyed.Value != "" && items.Member(w.Keyed.Value) == nil {
		b.noField(w, w.Keyed.Value, items, list)
		return false
	}
	lists := b.innerLists(w)
	if w.Keyed.Value != "" && namesItself(lists) {
		b.problem(w, "remove value", "keyed: value %s maps the values of the map to that field, but a row also maps them", w.Keyed.Value)
		return false
	}
	if w.Keyed.Value == "" && !value.IsObject() && !namesItself(lists) {
		b.problem(w, "name the field of the list's elements that has the values: keyed: {key: "+w.Keyed.Key+", value: ...}", "keyed: the values of %s are of type %s, and not objects", w.paths[dict][0], value.Describe())
		return false
	}
	c := &collection{lists: lists, table: w.Keyed.Table, title: w.title + ", keyed ", at: w.firstPaths(), w: w, naming: naming}
	if w.Keyed.Value != "" {
		c.lists = append(c.lists, rowList{rows: []v1alpha1.Row{rowOfWhole(dict, w.Keyed.Value)}, title: w.title + ", keyed value ", implied: true})
	}
	c.forms[list], c.forms[dict] = plan.List, plan.Dict
	c.elements[list], c.elements[dict] = items, value
	b.collect(r, c)
	r.NeedsElement = "a unique " + w.Keyed.Key + " that " + w.paths[dict][0].String() + " accepts as a key"
	if naming.Form != nil {
		r.NeedsElement = fmt.Sprintf("a key of the form %q that no other element has, and from which its fields can be read", w.Keyed.Key)
	}
	if w.Keyed.Value != "" {
		r.NeedsElement += ", and a " + w.Keyed.Value
	}
	r.Names, r.Naming, r.TakesLast = names, naming, w.Keyed.Doubled == v1alpha1.DoubledLast
	return true
}

// valuesOf returns the schema of a map's values, and the names that the map can have, or nil if any
// name is valid.
func (b *builder) valuesOf(w *writtenRow, side plan.Side) (value *schema.Schema, names map[string]bool, ok bool) {
	s := w.schemas[side][0]
	switch {
	case len(s.Members) == 0 && s.Values != nil:
		return s.Values, nil, true
	case s.Type != "object" || len(s.Members) == 0 || s.KeepsUnknown():
		return nil, nil, false
	}
	names = map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(s.Members)) {
		m := s.Members[name]
		if names[name] = true; value == nil {
			value = withoutDefault(m)
		}
		if !schema.Same(value, m) {
			return nil, nil, false
		}
	}
	return value, names, true
}

// noField reports a field that the objects of a list or map lack.
func (b *builder) noField(w *writtenRow, member string, objects *schema.Schema, side plan.Side) {
	names := slices.Sorted(maps.Keys(objects.Members))
	remedy := "use one of " + diagnose.Listed(names)
	best := len(member)/3 + 1
	for _, name := range names {
		if d := edits.Distance(member, name); d < best {
			best, remedy = d, "did you mean "+name+"?"
		}
	}
	b.problem(w, remedy, "%s: %s is not a field of the elements of %s", w.mapping.name, member, w.paths[side][0])
}

// objectValues reports a field for the values of a map if these are objects: the elements without
// their key.
func (b *builder) objectValues(c *collection, types [2]*schema.Schema) bool {
	dict := plan.Spoke
	if c.forms[plan.Hub] == plan.Dict {
		dict = plan.Hub
	}
	object, field := types[dict], types[dict.Other()]
	if !c.w.hasMapping("keyed") || !hasFields(object) {
		return false
	}
	value := c.w.Keyed.Value
	without := "keyed: {key: " + diagnose.Word(jsontext.Quote(nil, c.w.Keyed.Key)) + "}"
	if object.Members[value] == nil {
		var at [2]path.Path
		at[dict.Other()] = path.Path{value}
		for _, name := range object.Names() {
			if schema.Fit(field, object.Members[name]) {
				at[dict] = path.Path{name}
				without = fmt.Sprintf("keyed: {key: %s, rows: [{spoke: %s, hub: %s}]}", diagnose.Word(jsontext.Quote(nil, c.w.Keyed.Key)), diagnose.Path(at[plan.Spoke]), diagnose.Path(at[plan.Hub]))
				break
			}
		}
	}
	b.problem(c.w, "remove value, because each value of the map is an element without its key: "+without,
		"keyed: value %s is of type %s, but the values of %s are objects", value, field.Describe(), c.local[dict])
	return true
}
