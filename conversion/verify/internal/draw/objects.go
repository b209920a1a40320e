package draw

import (
	"maps"
	"math/rand/v2"
	"slices"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// Generator generates JSON from structural schemas.
type Generator struct {
	Rand *rand.Rand
	// Seen counts what was generated; it may be nil.
	Seen *Coverage
	// Hints are values that a table treats specially. Scalars often take one.
	Hints []*tree.Value
}

var oddNames = []string{"a", "b", "a.b", "a/b", `it's`, `"`, "", "日本", "example.com/x", "0", "spec", "$ref", "~0", "a b", "metadata"}

func (g *Generator) Chance(percent int) bool { return g.Rand.IntN(100) < percent }

// Value generates a value that is valid by the schema, or nil for an absent one.
func (g *Generator) Value(s *structuralschema.Structural, depth int) *tree.Value {
	if s == nil {
		return g.Anything(depth)
	}
	if s.Nullable && (s.ValueValidation == nil || len(s.ValueValidation.Enum) == 0) && g.Chance(15) {
		g.Seen.Count("null")
		return tree.NewNull()
	}
	if s.Default.Object != nil && g.Chance(20) {
		g.Seen.Count("default/explicit")
		return tree.FromAny(s.Default.Object)
	}
	if vv := s.ValueValidation; vv != nil && len(vv.Enum) > 0 {
		g.Seen.Count("enum")
		return tree.FromAny(vv.Enum[g.Rand.IntN(len(vv.Enum))].Object)
	}
	switch {
	case s.XIntOrString:
		g.Seen.Count("int-or-string")
		if g.Chance(50) {
			return tree.NewNumber(g.integer(s))
		}
		return tree.NewString(g.text(s))
	case s.Type == "boolean":
		return tree.NewBool(g.Chance(50))
	case s.Type == "integer":
		return tree.NewNumber(g.integer(s))
	case s.Type == "number":
		return tree.NewNumber(g.number(s))
	case s.Type == "string":
		return tree.NewString(g.text(s))
	case s.Type == "array":
		return g.list(s, depth)
	case s.Type == "object":
		return g.Object(s, depth)
	}
	return g.Anything(depth)
}

func (g *Generator) Object(s *structuralschema.Structural, depth int) *tree.Value {
	v := tree.NewObject()
	if s.XEmbeddedResource {
		g.Seen.Count("embedded resource")
		v.Set("apiVersion", tree.NewString("v1"))
		v.Set("kind", tree.NewString("ConfigMap"))
		v.Set("metadata", tree.NewObject(tree.Member{Name: "name", Value: tree.NewString("inner")}))
	}
	if g.Chance(6) && required(s) == nil {
		g.Seen.Count("object/empty")
		return v
	}
	names := slices.Sorted(maps.Keys(s.Properties))
	g.Rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names {
		if !slices.Contains(required(s), name) && g.Chance(30) {
			continue
		}
		prop := s.Properties[name]
		v.Set(name, g.Value(&prop, depth+1))
	}
	switch {
	case s.AdditionalProperties != nil && (s.AdditionalProperties.Structural != nil || s.AdditionalProperties.Bool):
		g.Seen.Count("map")
		for range g.Rand.IntN(4) {
			name := g.Name()
			if _, known := s.Properties[name]; !known {
				v.Set(name, g.Value(s.AdditionalProperties.Structural, depth+1))
			}
		}
	case s.XPreserveUnknownFields:
		g.Seen.Count("unknown fields")
		for range g.Rand.IntN(3) {
			name := g.Name()
			if _, known := s.Properties[name]; !known && v.Get(name) == nil {
				v.Set(name, g.Anything(depth+1))
			}
		}
	}
	return v
}

func (g *Generator) Name() string {
	name := oddNames[g.Rand.IntN(len(oddNames))]
	if !ascii(name) || len(name) > 1 {
		g.Seen.Count("name/odd")
	}
	return name
}

func (g *Generator) list(s *structuralschema.Structural, depth int) *tree.Value {
	v := tree.NewList()
	// A list with a thousand elements, each with such a list, would be rejected by every API
	// server, and tests nothing that a short list does not.
	const more = 4
	low, high := 0, more
	if vv := s.ValueValidation; vv != nil {
		if vv.MinItems != nil {
			low = int(*vv.MinItems)
		}
		high = low + more
		if vv.MaxItems != nil {
			high = min(high, int(*vv.MaxItems))
		}
	}
	kind := ""
	if s.XListType != nil {
		kind = *s.XListType
	}
	for range low + g.Rand.IntN(max(1, high-low+1)) {
		var item *tree.Value
		if n := len(v.Items); n > 0 && kind != "set" && kind != "map" && g.Chance(20) {
			g.Seen.Count("list/equal elements")
			item = v.Items[g.Rand.IntN(n)].Clone()
		} else {
			item = g.Value(s.Items, depth+1)
		}
		if kind == "set" && slices.ContainsFunc(v.Items, func(o *tree.Value) bool { return tree.Equal(o, item) }) {
			continue
		}
		if kind == "map" && slices.ContainsFunc(v.Items, func(o *tree.Value) bool { return SameKey(s, o, item) }) {
			continue
		}
		v.Items = append(v.Items, item)
	}
	switch {
	case len(v.Items) == 0:
		g.Seen.Count("list/empty")
	case kind == "map":
		g.Seen.Count("list/by key")
	}
	return v
}

// SameKey compares the keys of two elements, absent keys as their defaults.
func SameKey(s *structuralschema.Structural, a, b *tree.Value) bool {
	for _, key := range s.XListMapKeys {
		x, y := a.Get(key), b.Get(key)
		if def := s.Items.Properties[key].Default.Object; def != nil {
			if x == nil {
				x = tree.FromAny(def)
			}
			if y == nil {
				y = tree.FromAny(def)
			}
		}
		if !tree.Equal(x, y) {
			return false
		}
	}
	return true
}

// Anything generates JSON that no schema describes.
func (g *Generator) Anything(depth int) *tree.Value {
	n := g.Rand.IntN(9)
	if depth > 6 {
		n = g.Rand.IntN(7)
	}
	switch n {
	case 0:
		g.Seen.Count("null/unknown")
		return tree.NewNull()
	case 1:
		return tree.NewBool(g.Chance(50))
	case 2:
		return tree.NewNumber(numbers[g.Rand.IntN(len(numbers))])
	case 3:
		return tree.NewNumber(integers[g.Rand.IntN(len(integers))])
	case 4, 5, 6:
		return tree.NewString(g.AnyText())
	case 7:
		v := tree.NewList()
		for range g.Rand.IntN(3) {
			v.Items = append(v.Items, g.Anything(depth+1))
		}
		return v
	}
	v := tree.NewObject()
	for range g.Rand.IntN(3) {
		v.Set(g.Name(), g.Anything(depth+1))
	}
	return v
}

func required(s *structuralschema.Structural) []string {
	if s.ValueValidation == nil {
		return nil
	}
	return s.ValueValidation.Required
}
