package places

import (
	"regexp"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// optional finds the optional parts of a template, and hole its placeholders.
var (
	optional = regexp.MustCompile(`\[([^\[\]]*)\]`)
	hole     = regexp.MustCompile(`\{[^{}]*\}`)
)

// KeyFields returns the fields of an element from which a `keyed` row makes its name in a map.
func KeyFields(key string) []string {
	if !strings.Contains(key, "{") {
		return []string{key}
	}
	var names []string
	for _, h := range hole.FindAllString(key, -1) {
		names = append(names, strings.Trim(h, "{}"))
	}
	return names
}

// KeyName returns the name of an element in a map. It returns false if the element lacks a field of
// the name.
func KeyName(key string, item *tree.Value) (name string, ok bool) {
	ok = true
	part := func(field string) string {
		v := item.Get(field)
		ok = ok && v != nil && (v.Kind == tree.String || v.Kind == tree.Number)
		if !ok {
			return ""
		}
		return v.Text
	}
	if !strings.Contains(key, "{") {
		name = part(key)
		return name, ok
	}
	name = optional.ReplaceAllStringFunc(key, func(in string) string {
		if item.Get(KeyFields(in)[0]) == nil {
			return ""
		}
		return in[1 : len(in)-1]
	})
	name = hole.ReplaceAllStringFunc(name, func(h string) string { return part(strings.Trim(h, "{}")) })
	return name, ok
}
