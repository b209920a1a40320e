package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// listKeys is what a list's schema and row say of its keys.
type listKeys struct {
	lists  [2]*schema.Schema
	names  []string // of the row's author, empty without
	unique bool
	w      *written
}

// all are the keys that the author names, nil without.
func (k *listKeys) all() []string {
	if k == nil {
		return nil
	}
	return k.names
}

// findKeys finds the members that tell the elements of a list apart, by their
// names on both sides. Without any, the content does.
func (b *builder) findKeys(list *listKeys, claims [2]*claim, schemas [2]*schema.Schema) [2][]string {
	if len(list.names) > 0 {
		keys, err := tiedKeys(Spoke, list.names, claims, schemas)
		if err != nil {
			b.problem(list.w, "tie the key by a plain row, choose another key, or none: then the content tells elements apart", "each: %v", err)
			return [2][]string{}
		}
		if name := sensitiveKey(keys, schemas); name != "" {
			b.problem(list.w, "choose another key", "each: the key %s is sensitive, and a stash names elements by their keys", name)
			return [2][]string{}
		}
		promised := sameSet(list.lists[Spoke].Keys, keys[Spoke]) || sameSet(list.lists[Hub].Keys, keys[Hub])
		if !promised && !list.unique {
			b.problem(list.w, "make the list x-kubernetes-list-type: map with that key, or say unique: true if you know that it is",
				"each: neither schema promises that the key %s is unique", strings.Join(list.names, ", "))
		}
		return keys
	}
	for _, side := range [...]Side{Spoke, Hub} {
		if len(list.lists[side].Keys) == 0 {
			continue
		}
		// Where the key of the schema is sensitive, the content tells without it.
		if keys, err := tiedKeys(side, list.lists[side].Keys, claims, schemas); err == nil && sensitiveKey(keys, schemas) == "" {
			return keys
		}
	}
	return [2][]string{}
}

// sensitiveKey is the name of a key that must not show in an annotation, as the address
// of its element there; empty where there is none.
func sensitiveKey(keys [2][]string, schemas [2]*schema.Schema) string {
	for side := range keys {
		for _, name := range keys[side] {
			if s := schemas[side].Member(name); s != nil && s.Sensitive {
				return name
			}
		}
	}
	return ""
}

// tiedKeys finds the names on the other side of the keys that side names.
func tiedKeys(side Side, names []string, claims [2]*claim, schemas [2]*schema.Schema) ([2][]string, error) {
	var keys [2][]string
	other := side.Other()
	for _, name := range names {
		s := schemas[side].Member(name)
		if s == nil {
			meant := ""
			if p := suggest(schemas[side], path.Path{name}); p != "" {
				meant = " (did you mean " + strings.TrimPrefix(p, ".") + "?)"
			}
			return keys, fmt.Errorf("the key %s is not in the %s schema of an element%s", name, side, meant)
		}
		if s.Type == "object" || s.Type == "array" {
			return keys, fmt.Errorf("the key %s is of type %s; a key is a single value", name, s.Describe())
		}
		there := name
		switch c := claims[side].member(name); {
		case c.claimed():
			w := c.row
			if w.fixed != nil {
				continue // all elements have the same there
			}
			if len(w.paths[other]) == 1 && len(w.paths[other][0]) > 1 {
				return keys, fmt.Errorf("the key %s is %s in the other version, and a key is a field of the element itself in both", name, w.paths[other][0])
			}
			if w.index == None || len(w.paths[other]) != 1 || len(w.paths[other][0]) > 1 || w.mapping != nil || w.Default != nil || !schema.Same(w.schemas[side][0], w.schemas[other][0]) {
				return keys, fmt.Errorf("the key %s is not the same value in both versions", name)
			}
			if len(w.paths[other][0]) == 0 {
				// The other side's element is the key itself.
				keys[side] = append(keys[side], name)
				continue
			}
			there = w.paths[other][0][0]
		case c.leads() || claims[other].member(name) != nil || schemas[other].Member(name) == nil || !schema.Same(s, schemas[other].Member(name)):
			return keys, fmt.Errorf("the key %s is not the same value in both versions", name)
		}
		keys[side] = append(keys[side], name)
		keys[other] = append(keys[other], there)
	}
	return keys, nil
}

func sameSet(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}
