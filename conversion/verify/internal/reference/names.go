package reference

import (
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// keysOf returns the fields that make the name of an element in a map.
func keysOf(key string) []string {
	if !strings.Contains(key, "{") {
		return []string{key}
	}
	var names []string
	for _, m := range hole.FindAllStringSubmatch(key, -1) {
		if _, is := brace(m[0]); !is {
			names = append(names, m[1])
		}
	}
	return names
}

// composedName sets the name of an element on the other side if a template makes it of several
// fields. The name and the fields must agree.
func (s side) composedName(key string, e *element, made *tree.Value, from, to *schema, taken *tree.Value, allowed func(string, *schema) bool) bool {
	list := to
	if from.Type == "array" {
		list = from
	}
	integer := func(name string) bool { return list.Items.Schema.Properties[name].Type == "integer" }
	if from.Type != "array" {
		parts := s.partsOfText(key, e.name, integer)
		again, _ := s.fillTemplate(key, func(name string) *tree.Value { return parts[name] })
		if made.Kind != tree.Object || parts == nil || again != e.name || !allowed(e.name, from) {
			return false
		}
		for _, name := range slices.Sorted(maps.Keys(parts)) {
			made.Set(name, parts[name])
		}
		return true
	}
	if e.value.Kind != tree.Object {
		return false
	}
	fits := true
	name, ok := s.fillTemplate(key, func(name string) *tree.Value {
		part := e.value.Get(name)
		fits = fits && (part == nil || part.Kind == tree.Number == integer(name))
		return part
	})
	parts := s.partsOfText(key, name, integer)
	for _, field := range keysOf(key) {
		part := e.value.Get(field)
		fits = fits && (part == nil) == (parts[field] == nil) && (part == nil || part.Text == parts[field].Text)
	}
	if !ok || !fits || taken.Get(name) != nil || !allowed(name, to) {
		return false
	}
	e.name = name
	return true
}
