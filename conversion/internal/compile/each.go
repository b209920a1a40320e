package compile

import (
	"fmt"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

func (b *builder) eachRow(w *writtenRow, r *plan.Row) bool {
	types := w.pair()
	forms, inner, ok := b.sameForms(w, types)
	if !ok || b.leadsInto(w) {
		return false
	}
	if forms[plan.Spoke] == plan.Dict && len(w.Each.Key) > 0 {
		b.problem(w, "remove key", "the values of a map are identified by their keys in the map")
	}
	b.collect(r, &collection{
		forms: forms, lists: b.innerLists(w), table: w.Each.Table, elements: inner, at: w.firstPaths(), w: w,
		keys: &listKeys{lists: types, names: w.Each.Key, unique: w.Each.Unique, w: w},
	})
	return true
}

// sameForms returns the schemas of the elements of two lists or two maps.
func (b *builder) sameForms(w *writtenRow, types [2]*schema.Schema) (forms [2]plan.Form, inner [2]*schema.Schema, ok bool) {
	// A field for anything is taken for a list, or for a map if the other side is a map.
	list := func(s *schema.Schema) bool { return s.Type == "array" || s.IsAny() }
	dict := func(s *schema.Schema) bool { return s.Values != nil || s.IsAny() }
	switch {
	case list(types[plan.Spoke]) && list(types[plan.Hub]):
		forms = [2]plan.Form{plan.List, plan.List}
		for side := range types {
			inner[side] = types[side].Items
		}
	case dict(types[plan.Spoke]) && dict(types[plan.Hub]):
		forms = [2]plan.Form{plan.Dict, plan.Dict}
		for side := range types {
			inner[side] = types[side].Values
		}
	default:
		remedy := diagnose.AddMapping(types) + "name two lists or two maps"
		if w.hasMapping("each") && hasFields(types[plan.Spoke]) && hasFields(types[plan.Hub]) {
			remedy = w.forParts()
		}
		b.problem(w, remedy, "%s is for two lists or two maps: %s is of type %s in %s, %s is of type %s in %s",
			w.mapping.name, w.paths[plan.Spoke][0], types[plan.Spoke].Describe(), b.versions[plan.Spoke], w.paths[plan.Hub][0], types[plan.Hub].Describe(), b.versions[plan.Hub])
		return forms, inner, false
	}
	for side := range inner {
		if inner[side] == nil {
			inner[side] = schema.Any()
		}
	}
	return forms, inner, true
}

func (w *writtenRow) firstPaths() [2]path.Path {
	return [2]path.Path{w.paths[plan.Spoke][0], w.paths[plan.Hub][0]}
}

// hasFields reports whether a value is an object and not a map.
func hasFields(s *schema.Schema) bool { return len(s.Members) > 0 && s.Values == nil }

// forParts returns a remedy: how rows for elements of two objects, which are no lists, are written
// for fields of the objects.
func (w *writtenRow) forParts() string {
	var at [2]path.Path
	for side, p := range w.firstPaths() {
		at[side] = p[len(w.prefix[side]):]
	}
	if w.Each.Table != "" {
		return "an object has fields, not elements: write " + diagnose.Row(at, "table: "+w.Each.Table)
	}
	example := ""
	for _, r := range w.Each.Rows {
		if r.Spoke == nil || r.Hub == nil || r.Spoke.Named != nil || r.Hub.Named != nil {
			continue
		}
		spoke, err := path.Parse(r.Spoke.Path)
		hub, errHub := path.Parse(r.Hub.Path)
		if err != nil || errHub != nil || len(spoke) == 0 || len(hub) == 0 {
			continue
		}
		example = fmt.Sprintf(", for example {spoke: %s, hub: %s}", diagnose.Path(slices.Concat(at[plan.Spoke], spoke)), diagnose.Path(slices.Concat(at[plan.Hub], hub)))
		break
	}
	return "an object has fields, not elements: remove each, and map the fields with rows of their own" + example + "; or use a table for the two: " + diagnose.Row(at, "table: ...")
}
