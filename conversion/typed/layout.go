package typed

import (
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// layout is what of a schema counts for the way that a stash leads to a place: by the
// names that lead there, elements of lists left out.
type layout struct {
	// keys are the names of the members that tell the elements of a list apart.
	keys map[string][]string
	// fields says of an object that its members are fields, which come one by one.
	// A map is one thing.
	fields map[string]bool
}

// layoutOf reads x-kubernetes-list-map-keys and properties of a schema.
func layoutOf(root *apiextensionsv1.JSONSchemaProps) layout {
	if root == nil {
		return layout{}
	}
	l := layout{map[string][]string{}, map[string]bool{}}
	var visit func(s *apiextensionsv1.JSONSchemaProps, names []string)
	visit = func(s *apiextensionsv1.JSONSchemaProps, names []string) {
		if s.XListType != nil && *s.XListType == "map" && len(s.XListMapKeys) > 0 {
			l.keys[joined(names)] = s.XListMapKeys
		}
		if len(s.Properties) > 0 {
			l.fields[joined(names)] = true
		}
		for name, property := range s.Properties {
			visit(&property, append(names[:len(names):len(names)], name))
		}
		if s.Items != nil && s.Items.Schema != nil {
			visit(s.Items.Schema, names)
		}
	}
	visit(root, nil)
	return l
}

func joined(names []string) string { return strings.Join(names, "\x00") }

// address gives the step to each element of a list with keys. It fails where the
// list has none, where an element lacks one, and where two have the same.
func (l layout) address(names []string, elements []any) ([]stash.Step, bool) {
	keys := l.keys[joined(names)]
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

// isFields reports whether the members of an object at names are fields. Without a
// schema they are.
func (l layout) isFields(names []string) bool { return l.fields == nil || l.fields[joined(names)] }
