package compile

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// reachKeys pairs the fields of an object that a row moves, if a key that the author names is
// inside: a key needs a node of its own.
func (b *builder) reachKeys(list *listKeys, claims [2]*claim, schemas [2]*schema.Schema) {
	for _, text := range list.all() {
		key, err := keyPath(text)
		if err != nil || len(key) < 2 || schemas[plan.Spoke].At(key) == nil {
			continue // findKeys reports it
		}
		w, depth := claims[plan.Spoke].innermost(key)
		if w == nil || depth == 0 || depth == len(key) || w.mapping != nil || w.Default != nil || w.Sensitive || len(w.paths[plan.Hub]) != 1 || len(w.paths[plan.Hub][0]) == 0 {
			continue
		}
		there := slices.Concat(w.paths[plan.Hub][0], key[depth:])
		if schemas[plan.Hub].At(there) != nil {
			watchKeys([2][]path.Path{{key}, {there}}, claims)
		}
	}
}

// watchKeys makes nodes of their own for keys.
func watchKeys(keys [2][]path.Path, claims [2]*claim) {
	for side := range keys {
		for _, key := range keys[side] {
			claims[side].at(key).watched = true
		}
	}
}
