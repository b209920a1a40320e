package typed

import (
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// listKeys are the names of the members that tell the elements of a list apart, by
// the names that lead to the list.
type listKeys map[string][]string

// keysOf reads x-kubernetes-list-map-keys of a schema.
func keysOf(root *apiextensionsv1.JSONSchemaProps) listKeys {
	keys := listKeys{}
	var visit func(s *apiextensionsv1.JSONSchemaProps, names []string)
	visit = func(s *apiextensionsv1.JSONSchemaProps, names []string) {
		if s.XListType != nil && *s.XListType == "map" && len(s.XListMapKeys) > 0 {
			keys[strings.Join(names, "\x00")] = s.XListMapKeys
		}
		for name, property := range s.Properties {
			visit(&property, append(names[:len(names):len(names)], name))
		}
		if s.Items != nil && s.Items.Schema != nil {
			visit(s.Items.Schema, names)
		}
	}
	if root != nil {
		visit(root, nil)
	}
	return keys
}

// address gives the step to each element of a list with keys. It fails where the
// list has none, where an element lacks one, and where two have the same.
func (k listKeys) address(names []string, elements []any) ([]stash.Step, bool) {
	keys := k[strings.Join(names, "\x00")]
	if keys == nil {
		return nil, false
	}
	steps, seen := make([]stash.Step, len(elements)), map[string]bool{}
	for i, element := range elements {
		object, ok := element.(map[string]any)
		if !ok {
			return nil, false
		}
		key := make(map[string]any, len(keys))
		for _, name := range keys {
			switch value := object[name].(type) {
			case nil, map[string]any, []any:
				return nil, false
			default:
				key[name] = value
			}
		}
		text := appendJSON(nil, key)
		if seen[string(text)] {
			return nil, false
		}
		seen[string(text)] = true
		steps[i] = stash.Step{Key: text}
	}
	return steps, true
}
