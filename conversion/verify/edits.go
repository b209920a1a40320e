package verify

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// site is a place of a view that can be edited: its schema, its value (nil if absent), and its
// parent.
type site struct {
	path   tree.Path
	schema *structuralschema.Structural
	value  *tree.Value
}

// edits generates changes of a view that its schema allows.
func (g *generator) edits(s *Subject, version string, view *tree.Value) []Edit {
	var out []Edit
	for range 1 + g.Rand.IntN(3) {
		var sites []site
		schema := s.schemas[version]
		for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
			if name == "apiVersion" || name == "kind" || name == "metadata" {
				continue
			}
			prop := schema.Properties[name]
			sites = collect(sites, tree.Names(name), &prop, view.Get(name))
		}
		if len(sites) == 0 {
			return out
		}
		batch := g.edit(g.pick(sites))
		if g.Chance(8) {
			batch = g.editMetadata()
		}
		view = view.Clone()
		for _, e := range batch {
			e.apply(view)
		}
		out = append(out, batch...)
	}
	return out
}

// editMetadata sets or removes a label or an annotation.
func (g *generator) editMetadata() []Edit {
	of, value := "annotations", tree.NewString(g.AnyText())
	if g.Chance(40) {
		of, value = "labels", tree.NewString("edited")
	}
	name := "example.com/x"
	if g.Chance(30) {
		name = "example.com/y"
	}
	if g.Chance(30) {
		value = nil
	}
	g.Seen.Count("edit/" + of)
	return []Edit{{Path: tree.Names("metadata", of, name), Value: value}}
}

// pick chooses a site. It prefers lists, and sites with a value.
func (g *generator) pick(sites []site) site {
	n := g.Rand.IntN(100)
	likely := slices.DeleteFunc(slices.Clone(sites), func(at site) bool {
		return n >= 65 || at.value == nil || n < 35 && (at.value.Kind != tree.List || len(at.value.Items) == 0)
	})
	if len(likely) > 0 {
		sites = likely
	}
	return sites[g.Rand.IntN(len(sites))]
}

func collect(out []site, p tree.Path, s *structuralschema.Structural, v *tree.Value) []site {
	out = append(out, site{p, s, v})
	if s == nil || v == nil {
		return out
	}
	switch v.Kind {
	case tree.Object:
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			prop := s.Properties[name]
			out = collect(out, p.Name(name), &prop, v.Get(name))
		}
		for _, m := range v.Members {
			if _, known := s.Properties[m.Name]; known {
				continue
			}
			var inner *structuralschema.Structural
			if s.AdditionalProperties != nil {
				inner = s.AdditionalProperties.Structural
			}
			out = collect(out, p.Name(m.Name), inner, m.Value)
		}
	case tree.List:
		for i, item := range v.Items {
			out = collect(out, p.Index(i), s.Items, item)
		}
	}
	return out
}

func (g *generator) edit(at site) []Edit {
	v, s := at.value, at.schema
	if v != nil && v.Kind == tree.List && len(v.Items) > 0 && g.Chance(80) {
		return g.editList(at)
	}
	if v != nil && v.Kind == tree.Object && g.Chance(40) {
		name := g.Name()
		if s != nil && (s.AdditionalProperties != nil || s.XPreserveUnknownFields) && s.Properties[name].Type == "" && !s.XEmbeddedResource {
			g.Seen.Count("edit/map")
			var inner *structuralschema.Structural
			if s.AdditionalProperties != nil {
				inner = s.AdditionalProperties.Structural
			}
			return []Edit{{Path: at.path.Name(name), Value: g.Value(inner, len(at.path)+1)}}
		}
	}
	switch n := g.Rand.IntN(10); {
	case n < 3 && v != nil:
		g.Seen.Count("edit/delete")
		return []Edit{{Path: at.path}}
	case n < 5 && v != nil:
		if empty := emptyOf(v); !tree.Equal(empty, v) && allows(s, empty) {
			g.Seen.Count("edit/empty")
			return []Edit{{Path: at.path, Value: empty}}
		}
	case n < 6 && s != nil && s.Nullable && (s.ValueValidation == nil || len(s.ValueValidation.Enum) == 0):
		g.Seen.Count("edit/null")
		return []Edit{{Path: at.path, Value: tree.NewNull()}}
	}
	if v == nil {
		g.Seen.Count("edit/add")
	} else {
		g.Seen.Count("edit/set")
	}
	return []Edit{{Path: at.path, Value: g.Value(s, len(at.path))}}
}

func (g *generator) editList(at site) []Edit {
	items := at.value.Items
	i, j := g.Rand.IntN(len(items)), g.Rand.IntN(len(items))
	unique := at.schema != nil && at.schema.XListType != nil && *at.schema.XListType != "atomic"
	switch g.Rand.IntN(5) {
	case 0:
		g.Seen.Count("edit/list delete")
		return []Edit{{Path: at.path.Index(i)}}
	case 1:
		g.Seen.Count("edit/list reorder")
		return []Edit{{Path: at.path.Index(i), Value: items[j]}, {Path: at.path.Index(j), Value: items[i]}}
	case 2:
		if !unique {
			g.Seen.Count("edit/list duplicate")
			return []Edit{{Path: at.path.Index(i), Insert: true, Value: items[j]}}
		}
	case 3:
		if unique && len(at.schema.XListMapKeys) > 0 && items[i].Kind == tree.Object {
			key := at.schema.XListMapKeys[g.Rand.IntN(len(at.schema.XListMapKeys))]
			prop := at.schema.Items.Properties[key]
			changed := items[i].Clone()
			changed.Set(key, g.Value(&prop, 1))
			if !g.clashes(at, changed, i) {
				g.Seen.Count("edit/list key")
				return []Edit{{Path: at.path.Index(i), Value: changed}}
			}
		}
	}
	var inner *structuralschema.Structural
	if at.schema != nil {
		inner = at.schema.Items
	}
	item := g.Value(inner, len(at.path)+1)
	if unique && g.clashes(at, item, -1) {
		return []Edit{{Path: at.path.Index(i)}}
	}
	g.Seen.Count("edit/list insert")
	return []Edit{{Path: at.path.Index(i), Insert: true, Value: item}}
}

// clashes reports whether a list has an element like item, not counting the element with the number
// except.
func (g *generator) clashes(at site, item *tree.Value, except int) bool {
	for i, other := range at.value.Items {
		if i == except {
			continue
		}
		if tree.Equal(other, item) || len(at.schema.XListMapKeys) > 0 && draw.SameKey(at.schema, other, item) {
			return true
		}
	}
	return false
}

func emptyOf(v *tree.Value) *tree.Value {
	switch v.Kind {
	case tree.Bool:
		return tree.NewBool(false)
	case tree.Number:
		return tree.NewNumber("0")
	case tree.String:
		return tree.NewString("")
	case tree.List:
		return tree.NewList()
	case tree.Object:
		return tree.NewObject()
	}
	return v
}

// allows reports whether an empty value is valid by the constraints of a schema.
func allows(s *structuralschema.Structural, empty *tree.Value) bool {
	if s == nil || s.ValueValidation == nil {
		return true
	}
	vv := s.ValueValidation
	if len(vv.Enum) > 0 || vv.Pattern != "" || vv.Format != "" && empty.Kind == tree.String {
		return false
	}
	return (vv.Minimum == nil || *vv.Minimum <= 0) && (vv.Maximum == nil || *vv.Maximum >= 0) &&
		(vv.MinLength == nil || *vv.MinLength == 0) && (vv.MinItems == nil || *vv.MinItems == 0) &&
		(empty.Kind != tree.Object || len(vv.Required) == 0)
}
