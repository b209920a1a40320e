package compile

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/mapping"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// readNaming reads the key of a row that maps the elements of a list to a map.
func (b *builder) readNaming(w *writtenRow, items *schema.Schema, list plan.Side) (*plan.Naming, bool) {
	n := &plan.Naming{Members: keysIn(w.Keyed.Key), List: list, Text: w.Keyed.Key}
	isTemplate := strings.Contains(n.Text, "{")
	var keys []*schema.Schema
	for _, name := range n.Members {
		key := items.Member(name)
		if bare := strings.TrimPrefix(name, "."); key == nil && items.Member(bare) != nil {
			b.problem(w, "write keyed: {key: "+bare+"}", "keyed: the key must be the name of a field, but %s is a path", name)
			return nil, false
		}
		if p, err := keyPath("." + strings.TrimPrefix(name, ".")); key == nil && err == nil && items.At(p) != nil {
			value := "e"
			if w.Keyed.Value != "" {
				value = "e." + w.Keyed.Value
			}
			b.problem(w, fmt.Sprintf("compute both fields with cel, with %s: self%s.transformMapEntry(i, e, {e%s: %s})", direction(list.Other()), w.paths[list][0], p, value),
				"keyed: the key in the map can only have fields of the element itself, but %s is in an object in the element", p)
			return nil, false
		}
		if form := bracedNames(name, items); key == nil && !isTemplate && form != "" {
			b.problem(w, fmt.Sprintf("write the names of fields in braces: keyed: {key: %q}", form), "keyed: %s is not a field of the elements of %s", name, w.paths[list][0])
			return nil, false
		}
		if key == nil {
			b.noField(w, name, items, list)
			return nil, false
		}
		if key.Type != "string" && key.Type != "integer" && !key.IsAny() {
			b.problem(w, "use a key of type string or integer", "keyed: the key %s is of type %s, but the keys of a map are strings", name, key.Describe())
			return nil, false
		}
		keys = append(keys, key)
	}
	if !isTemplate {
		n.Numbered = keys[0].Type == "integer"
		return n, true
	}
	var err error
	if len(keys) == 0 {
		err = errors.New("it contains no field of the element; write the names of fields in braces, as in {namespace}/{name}")
	} else {
		n.Form, err = mapping.ParseTemplate(n.Text, n.Members, keys, list.Other())
	}
	if err != nil {
		b.problem(w, "", "keyed: the key %q: %v", n.Text, err)
		return nil, false
	}
	return n, true
}

// keysIn returns the fields of an element in a key: the key itself, or the placeholders of a
// template.
func keysIn(key string) []string {
	if strings.Contains(key, "{") {
		return holesOf(key)
	}
	return []string{key}
}

// bracedNames returns a text in which the names of fields are in braces, or "" if it has none.
func bracedNames(text string, items *schema.Schema) string {
	fields := 0
	form := regexp.MustCompile(`\w+`).ReplaceAllStringFunc(text, func(name string) string {
		if items.Member(name) == nil {
			return name
		}
		fields++
		return "{" + name + "}"
	})
	if fields == 0 {
		return ""
	}
	return form
}
